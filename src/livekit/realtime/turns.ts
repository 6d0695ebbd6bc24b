import { llm } from '@livekit/agents';
import type { HeardLine } from '../../model/signals/signal.ts';
import { confirmationIn } from '../../kernel/state/draft.ts';
import type { Clock } from '../../model/ports/time.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Inbound, OfEntry } from '../../engine/inbound.ts';
import type { RealtimeProvider } from './provider.ts';
import { createCallerWords } from './words.ts';

/** How long a turn waits for the caller's words, in milliseconds: longer if they answer a confirmation. */
const wordsWithinMs = 800;
const answerWithinMs = 3_000;

type Outcome = Awaited<ReturnType<Engine['receive']>>;

export interface RealtimeTurnsOptions {
  readonly engine: Engine;
  readonly clock: Clock;
  /** Whether the caller's words are transcribed. */
  tellsWords(): boolean;
  readonly provider: () => RealtimeProvider | null;
  /** Returns the whole history. */
  history(): readonly llm.ChatItem[];
  /** Called before a turn. */
  beforeTurn(): void;
  /** Called before a turn that the model has not noticed. */
  beforeTyped(): void;
  /** Returns the lines that were still playing when the current turn began. */
  spokenOver(): readonly HeardLine[] | undefined;
  whenCutOffIsKnown(): Promise<void>;
  /** The store did not accept a turn. */
  onLost(error: unknown): void;
}

/** The caller's turns. Each is taken once, whichever way and order a realtime model reports it. */
export interface RealtimeTurns {
  has(eventId: string): boolean;
  /** Takes a text turn, for which LiveKit will create a message. */
  take(inbound: Inbound, entry?: OfEntry): Promise<Outcome>;
  /** Takes a spoken turn, with its words if they are known. */
  takeSpoken(eventId: string, text: string): Promise<Outcome>;
  /** Takes a turn that the model has noticed; its words may come later. */
  takeNoticed(): Promise<Outcome>;
  /** Takes a message of the caller that became part of the history, unless its turn was taken already. */
  add(message: llm.ChatMessage): void;
  /** The caller begins to speak. */
  begin(): void;
  /** Takes a final transcript. */
  understand(itemId: string | undefined, text: string): void;
  /** Resolves when the turns so far have been taken, or failed. */
  taken(): Promise<unknown>;
  /** For the generation that begins: returns a function that checks for newer words than it answers. */
  overtaking(): () => boolean;
}

export function createRealtimeTurns(options: RealtimeTurnsOptions): RealtimeTurns {
  const { engine, clock } = options;
  const turns = new Set<string>();
  const words = createCallerWords(clock);
  /** Text turns for which LiveKit has not created a message yet. */
  let typed: readonly { readonly text: string; readonly turn: number }[] = [];
  /** Numbers of the turns that were or may be taken, from the newest taken one. */
  let live: readonly number[] = [];
  let count = 0;
  /** The text turn whose message came last; LiveKit requests its generation next. */
  let listed: number | null = null;
  let pending: Promise<unknown> = Promise.resolve();

  const take = async (inbound: Inbound, entry?: OfEntry): Promise<Outcome> => {
    options.beforeTurn();
    turns.add(inbound.eventId);
    const own = (count += 1);
    live = [...live, own];
    const turn = engine.receive(inbound, entry);
    pending = turn.catch(() => undefined);
    let outcome: Outcome = 'over';
    try {
      outcome = await turn;
    } catch (error) {
      options.onLost(error);
    }
    live = live.filter((one) => (outcome === 'taken' ? one >= own : one !== own));
    return outcome;
  };
  const takeSpoken = async (eventId: string, known: string, isItem = false): Promise<Outcome> => {
    const heard = options.spokenOver();
    options.beforeTurn();
    await options.whenCutOffIsKnown();
    const withinMs = confirmationIn(engine.state) === undefined ? wordsWithinMs : answerWithinMs;
    const text = known !== '' || !options.tellsWords() ? known : await words.of({ id: eventId, isItem, withinMs });
    if (text === null) return 'duplicate';
    return await take({ eventId, text, via: 'speech', ...(heard === undefined ? {} : { heard }) });
  };
  return {
    has: (eventId) => turns.has(eventId),
    async take(inbound, entry) {
      options.beforeTyped();
      const taking = take(inbound, entry);
      const own = count;
      typed = [...typed, { text: inbound.text, turn: own }];
      const outcome = await taking;
      // LiveKit does not learn about it.
      if (outcome !== 'taken') typed = typed.filter(({ turn }) => turn !== own);
      return outcome;
    },
    takeSpoken: (eventId, text) => takeSpoken(eventId, text),
    async takeNoticed() {
      const said = options
        .provider()
        ?.inner.chatCtx.items.findLast((item) => item.type === 'message' && item.role === 'user');
      const isOld = (id: string): boolean =>
        turns.has(id) || words.isSpent(id) || options.history().some((item) => item.id === id && !words.has(id));
      // Not every model lists what it heard.
      const isItem = said !== undefined && !isOld(said.id);
      return await takeSpoken(isItem ? said.id : newId(), '', isItem);
    },
    add({ id, textContent }) {
      if (words.has(id)) return;
      const text = textContent ?? '';
      const own = typed.find((one) => one.text === text);
      if (own === undefined) void take({ eventId: id, text, via: 'text' });
      // Earlier text turns were interrupted and get no message.
      else typed = typed.filter(({ turn }) => turn > own.turn);
      listed = own?.turn ?? count;
    },
    begin: () => words.begin(),
    understand: (itemId, text) => words.tell(itemId, text),
    taken: () => pending,
    overtaking() {
      const own = listed ?? count;
      listed = null;
      return () => (live.at(-1) ?? 0) > own;
    },
  };
}

function newId(): string {
  return llm.ChatMessage.create({ role: 'user', content: '' }).id;
}
