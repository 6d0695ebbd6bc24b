import type { llm } from '@livekit/agents';
import type { Engine, Inbound } from '../turn/engine.ts';

type Outcome = Awaited<ReturnType<Engine['receive']>>;

/** The caller's messages and the turns that they become: each is taken once, whichever way it comes. */
export interface CallerTurns {
  /** Whether a turn of this id has come before. */
  has(eventId: string): boolean;
  take(inbound: Inbound): Promise<Outcome>;
  /** The caller has completed a spoken turn. */
  takeSpoken(message: llm.ChatMessage): Promise<void>;
  /** A message of the caller became part of the history: its turn, unless it was taken already. */
  add(message: llm.ChatMessage): void;
  /** Resolves when the message has become a turn, or nobody waits for that any more. */
  whenTaken(message: llm.ChatMessage, cancelled: AbortSignal): Promise<void>;
}

export function createCallerTurns(receive: (inbound: Inbound) => Promise<Outcome>): CallerTurns {
  const turns = new Map<string, Promise<unknown>>();
  const awaited = new Map<string, () => void>();
  let spoken: Promise<void> | null = null;

  const take = async (inbound: Inbound): Promise<Outcome> => {
    const turn = receive(inbound);
    turns.set(inbound.eventId, turn);
    const outcome = await turn;
    turns.set(inbound.eventId, taken);
    return outcome;
  };
  return {
    has: (eventId) => turns.has(eventId),
    take,
    async takeSpoken({ id, textContent }) {
      const turn = take({ eventId: id, text: textContent ?? '', via: 'speech' });
      spoken = turn.then(() => undefined);
      await spoken;
    },
    add({ id, textContent }) {
      // The message of a turn that LiveKit answered early has another id than the turn itself.
      if (!turns.has(id) && spoken !== null) turns.set(id, spoken);
      // Whoever waits for the turn learns that it failed.
      else if (!turns.has(id)) take({ eventId: id, text: textContent ?? '', via: 'text' }).catch(() => undefined);
      spoken = null;
      awaited.get(id)?.();
    },
    async whenTaken({ id }, cancelled) {
      if (!turns.has(id) && !cancelled.aborted)
        await new Promise<void>((resolve) => {
          const goOn = (): void => {
            cancelled.removeEventListener('abort', goOn);
            resolve();
          };
          awaited.set(id, goOn);
          cancelled.addEventListener('abort', goOn);
        });
      awaited.delete(id);
      await turns.get(id);
    },
  };
}

/** What is kept of a turn that was taken: one promise for all, since a session keeps the ids of all its turns. */
const taken = Promise.resolve();
