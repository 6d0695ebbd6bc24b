import type { llm } from '@livekit/agents';
import type { HeardLine } from '../../events/signal.ts';
import type { Cancellable } from '../../ports/cancellable.ts';
import type { Engine, Inbound, OfEntry } from '../../turn/engine/engine.ts';
import { newMessage } from './live-session.ts';

type Outcome = Awaited<ReturnType<Engine['receive']>>;

/** The caller's messages and the turns that they become: each is taken once, whichever way it comes. */
export interface CallerTurns {
  /** Whether a turn of this id has come before. */
  has(eventId: string): boolean;
  /** Whether newer words have come than these: the reply to those says all that is to be said. */
  isOvertaken(eventId: string): boolean;
  /** `entry`: the one of the inbox that the turn consumes. */
  take(inbound: Inbound, entry?: OfEntry): Promise<Outcome>;
  /** The caller has completed a spoken turn; `heard`: the lines that had not ended when they began. */
  takeSpoken(message: llm.ChatMessage, heard?: readonly HeardLine[]): Promise<void>;
  /** A message of the caller became part of the history: its turn, unless it was taken already. */
  add(message: llm.ChatMessage): void;
  /** Resolves when the message has become a turn, or nobody waits for that any more; null where it is one. */
  whenTaken(message: llm.ChatMessage, cancelled: Cancellable): Promise<void> | null;
  /**
   * The history with the words that were taken and are not part of it: LiveKit adds them late, and never where their
   * reply was cut off before it began.
   */
  history(): readonly llm.ChatItem[];
}

/** Words that were taken, with the last item of the history by then and the words that were taken before them. */
interface Unlisted {
  readonly eventId: string;
  readonly text: string;
  readonly afterItem: string | undefined;
  readonly afterWords: string | undefined;
}

export function createCallerTurns(receive: Engine['receive'], listed: () => readonly llm.ChatItem[]): CallerTurns {
  const turns = new Map<string, Promise<unknown>>();
  const awaited = new Map<string, () => void>();
  let spoken: { readonly turn: Promise<void>; readonly eventId: string } | null = null;
  /** The ids of the newest turn: LiveKit may have two for it, and words that became no turn belong to the one before. */
  let newest = new Set<string>();
  let unlisted: readonly Unlisted[] = [];
  let lastTaken: string | undefined;

  const take = async (inbound: Inbound, entry?: OfEntry): Promise<Outcome> => {
    const before = newest;
    const ids = (newest = new Set([inbound.eventId]));
    let outcome: Outcome | null = null;
    const afterItem = listed().at(-1)?.id;
    const turn = receive(inbound, entry);
    turns.set(inbound.eventId, turn);
    try {
      outcome = await turn;
    } finally {
      if (outcome !== 'taken') {
        before.add(inbound.eventId);
        if (newest === ids) newest = before;
      }
    }
    turns.set(inbound.eventId, taken);
    const { eventId, text } = inbound;
    if (outcome === 'taken') {
      unlisted = [...unlisted, { eventId, text, afterItem, afterWords: lastTaken }];
      lastTaken = eventId;
    }
    return outcome;
  };
  const isOvertaken = (eventId: string): boolean => turns.has(eventId) && !newest.has(eventId);
  const whenTaken = async (id: string, cancelled: Cancellable): Promise<void> => {
    if (!turns.has(id) && !cancelled.isCancelled)
      await new Promise<void>((resolve) => {
        const goOn = (): void => {
          forget();
          resolve();
        };
        awaited.set(id, goOn);
        const forget = cancelled.onCancel(goOn);
      });
    awaited.delete(id);
    await turns.get(id);
  };
  return {
    has: (eventId) => turns.has(eventId),
    isOvertaken,
    take,
    async takeSpoken({ id, textContent }, heard) {
      const over = heard === undefined ? {} : { heard };
      const turn = take({ eventId: id, text: textContent ?? '', via: 'speech', ...over });
      spoken = { turn: turn.then(() => undefined), eventId: id };
      await spoken.turn;
    },
    add({ id, textContent }) {
      const own = !turns.has(id) && spoken !== null ? spoken.eventId : id;
      unlisted = unlisted.filter(({ eventId }) => eventId !== own);
      // The message of a turn that LiveKit answered early has another id than the turn itself.
      if (!turns.has(id) && spoken !== null) {
        if (!isOvertaken(spoken.eventId)) newest.add(id);
        turns.set(id, spoken.turn);
      }
      // Callers of `whenTaken` get the failure.
      else if (!turns.has(id)) take({ eventId: id, text: textContent ?? '', via: 'text' }).catch(() => undefined);
      spoken = null;
      awaited.get(id)?.();
    },
    history() {
      const items = listed();
      if (unlisted.length === 0) return items;
      const ids = new Set(items.map(({ id }) => id));
      unlisted = unlisted.filter(({ eventId }) => !ids.has(eventId));
      const whole = [...items];
      const placeOf = (item: string | undefined): number => whole.findIndex(({ id }) => id === item);
      // Words that were taken before may have been listed only now, behind what was the last item then.
      for (const { eventId, text, afterItem, afterWords } of unlisted)
        whole.splice(Math.max(placeOf(afterItem), placeOf(afterWords)) + 1, 0, newMessage(eventId, text));
      return whole;
    },
    whenTaken: ({ id }, cancelled) => (turns.get(id) === taken ? null : whenTaken(id, cancelled)),
  };
}

/** Stands for each turn that was taken: one promise for all, since a session keeps the ids of all its turns. */
const taken = Promise.resolve();
