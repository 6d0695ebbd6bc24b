import type { llm } from '@livekit/agents';
import type { Cancellable } from '../ports/cancellable.ts';
import type { Engine, Inbound } from '../turn/engine.ts';

type Outcome = Awaited<ReturnType<Engine['receive']>>;

/** The caller's messages and the turns that they become: each is taken once, whichever way it comes. */
export interface CallerTurns {
  /** Whether a turn of this id has come before. */
  has(eventId: string): boolean;
  /** Whether newer words have come than these: whatever is to be said is said by the reply to them. */
  isOvertaken(eventId: string): boolean;
  take(inbound: Inbound): Promise<Outcome>;
  /** The caller has completed a spoken turn. */
  takeSpoken(message: llm.ChatMessage): Promise<void>;
  /** A message of the caller became part of the history: its turn, unless it was taken already. */
  add(message: llm.ChatMessage): void;
  /** Resolves when the message has become a turn, or nobody waits for that any more; null where it is one. */
  whenTaken(message: llm.ChatMessage, cancelled: Cancellable): Promise<void> | null;
}

export function createCallerTurns(receive: (inbound: Inbound) => Promise<Outcome>): CallerTurns {
  const turns = new Map<string, Promise<unknown>>();
  const awaited = new Map<string, () => void>();
  let spoken: { readonly turn: Promise<void>; readonly eventId: string } | null = null;
  /** The ids of the newest turn: LiveKit may have two for it, and words that became no turn belong to the one before. */
  let newest = new Set<string>();

  const take = async (inbound: Inbound): Promise<Outcome> => {
    const before = newest;
    const ids = (newest = new Set([inbound.eventId]));
    let outcome: Outcome | null = null;
    const turn = receive(inbound);
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
    async takeSpoken({ id, textContent }) {
      const turn = take({ eventId: id, text: textContent ?? '', via: 'speech' });
      spoken = { turn: turn.then(() => undefined), eventId: id };
      await spoken.turn;
    },
    add({ id, textContent }) {
      // The message of a turn that LiveKit answered early has another id than the turn itself.
      if (!turns.has(id) && spoken !== null) {
        if (!isOvertaken(spoken.eventId)) newest.add(id);
        turns.set(id, spoken.turn);
      }
      // Whoever waits for the turn learns that it failed.
      else if (!turns.has(id)) take({ eventId: id, text: textContent ?? '', via: 'text' }).catch(() => undefined);
      spoken = null;
      awaited.get(id)?.();
    },
    whenTaken: ({ id }, cancelled) => (turns.get(id) === taken ? null : whenTaken(id, cancelled)),
  };
}

/** What is kept of a turn that was taken: one promise for all, since a session keeps the ids of all its turns. */
const taken = Promise.resolve();
