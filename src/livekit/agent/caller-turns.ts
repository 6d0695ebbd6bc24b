import type { llm } from '@livekit/agents';
import type { HeardLine } from '../../model/signals/signal.ts';
import type { Cancellable } from '../../model/ports/cancellable.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Inbound, OfEntry } from '../../engine/inbound.ts';
import { newMessage } from './live-session.ts';

type Outcome = Awaited<ReturnType<Engine['receive']>>;

/** The caller's messages and their turns. Each is taken once, whichever way it arrives. */
export interface CallerTurns {
  /** Whether a turn of this id has arrived before. */
  has(eventId: string): boolean;
  /** Whether newer words have arrived. The reply to those is sufficient. */
  isOvertaken(eventId: string): boolean;
  /** `entry`: the inbox entry that the turn consumes. */
  take(inbound: Inbound, entry?: OfEntry): Promise<Outcome>;
  /** Takes a completed spoken turn. `heard`: the lines that were still playing when the caller began. */
  takeSpoken(message: llm.ChatMessage, heard?: readonly HeardLine[]): Promise<void>;
  /** Takes a message of the caller that became part of the history, unless its turn was taken already. */
  add(message: llm.ChatMessage): void;
  /** Resolves when the message has become a turn or the wait is cancelled; null if it already is one. */
  whenTaken(message: llm.ChatMessage, cancelled: Cancellable): Promise<void> | null;
  /**
   * Returns the history including taken words that it does not contain yet.
   * LiveKit adds them late, and never if the reply was cut off before it began.
   */
  history(): readonly llm.ChatItem[];
}

/** Taken words, with the last history item at the time and the words taken before them. */
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
  /** Ids of the newest turn. LiveKit may have two for it, and words that became no turn belong to the previous one. */
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
      // If LiveKit answered a turn early, its message has another id than the turn.
      if (!turns.has(id) && spoken !== null) {
        if (!isOvertaken(spoken.eventId)) newest.add(id);
        turns.set(id, spoken.turn);
      }
      // Callers of `whenTaken` receive the failure.
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
      // Words taken earlier may be listed only now, after the item that was last at the time.
      for (const { eventId, text, afterItem, afterWords } of unlisted)
        whole.splice(Math.max(placeOf(afterItem), placeOf(afterWords)) + 1, 0, newMessage(eventId, text));
      return whole;
    },
    whenTaken: ({ id }, cancelled) => (turns.get(id) === taken ? null : whenTaken(id, cancelled)),
  };
}

/** One promise for all taken turns, since a session keeps the ids of all its turns. */
const taken = Promise.resolve();
