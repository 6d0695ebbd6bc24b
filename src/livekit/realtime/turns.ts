import { llm } from '@livekit/agents';
import type { HeardLine } from '../../events/signal.ts';
import { confirmationIn } from '../../kernel/draft.ts';
import type { Clock } from '../../ports/time.ts';
import type { Engine, Inbound, OfEntry } from '../../turn/engine/engine.ts';
import type { RealtimeProvider } from './provider.ts';
import { createCallerWords } from './words.ts';

/** How long a turn waits for the words of the caller: longer where they answer a question of the flow's. */
const wordsWithinMs = 800;
const answerWithinMs = 3_000;

type Outcome = Awaited<ReturnType<Engine['receive']>>;

export interface RealtimeTurnsOptions {
  readonly engine: Engine;
  readonly clock: Clock;
  /** Whether anything tells the words of the caller. */
  tellsWords(): boolean;
  readonly provider: () => RealtimeProvider | null;
  /** The whole history. */
  history(): readonly llm.ChatItem[];
  /** A turn is coming. */
  beforeTurn(): void;
  /** A turn is coming that the model has not noticed. */
  beforeTyped(): void;
  /** The lines that had not ended when the turn began that is taken now. */
  spokenOver(): readonly HeardLine[] | undefined;
  whenCutOffIsKnown(): Promise<void>;
  /** The store did not take a turn. */
  onLost(error: unknown): void;
}

/** The caller's turns, each taken once, whichever way and in whatever order a realtime model tells of it. */
export interface RealtimeTurns {
  has(eventId: string): boolean;
  /** A turn that came as text, of which LiveKit will make a message. */
  take(inbound: Inbound, entry?: OfEntry): Promise<Outcome>;
  /** A turn that was spoken, with its words where they are known. */
  takeSpoken(eventId: string, text: string): Promise<Outcome>;
  /** A turn that the model has noticed; its words come when they come. */
  takeNoticed(): Promise<Outcome>;
  /** A message of the caller became part of the history: its turn, unless it was taken already. */
  add(message: llm.ChatMessage): void;
  /** The caller begins to speak. */
  begin(): void;
  /** Words that were understood for good. */
  understand(itemId: string | undefined, text: string): void;
  /** Resolves when the turns so far have been taken, or could not be. */
  taken(): Promise<unknown>;
  /** For the generation that begins: tells whether newer words have come than those it is for. */
  overtaking(): () => boolean;
}

export function createRealtimeTurns(options: RealtimeTurnsOptions): RealtimeTurns {
  const { engine, clock } = options;
  const turns = new Set<string>();
  const words = createCallerWords(clock);
  /** Turns that came as text, and of which LiveKit has not made its message. */
  let typed: readonly { readonly text: string; readonly turn: number }[] = [];
  /** The turns that were taken or may be, by their number, from the newest that was. */
  let live: readonly number[] = [];
  let count = 0;
  /** The typed turn whose message came last: LiveKit asks for its generation next. */
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
      // LiveKit is not told of it.
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
      // Typed turns before it, which were cut off, get no message.
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
