import type { StudioEvent } from './protocol.ts';

/** An event of the stream with its place in it. */
export interface Told {
  readonly seq: number;
  readonly event: StudioEvent;
}

/** What happened in a studio, in order, for pages that come and go. */
export interface News {
  put(event: StudioEvent): void;
  /** The seq of the last event; 0 before the first. */
  readonly last: number;
  /**
   * What comes after `from`, until the signal is aborted: all that belongs to no session, and to `sessionId` or, where that is
   * null, to any. Whoever asks for what is forgotten, or for what this studio has not told yet, gets a `reset` first.
   */
  after(from: number, sessionId: string | null, stop: AbortSignal): AsyncGenerator<Told, void>;
}

/** How many events are held for pages that come back. */
const defaultKeep = 10_000;

/** Makes the stream of a studio. Throws nothing. */
export function createNews(keep: number = defaultKeep): News {
  const held: Told[] = [];
  const waiting = new Set<() => void>();
  let last = 0;
  const more = (stop: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const wake = (): void => {
        waiting.delete(wake);
        stop.removeEventListener('abort', wake);
        resolve();
      };
      waiting.add(wake);
      stop.addEventListener('abort', wake);
      if (stop.aborted) wake();
    });
  return {
    put(event) {
      last += 1;
      held.push({ seq: last, event });
      if (held.length > keep) held.shift();
      for (const wake of [...waiting]) wake();
    },
    get last() {
      return last;
    },
    async *after(from, sessionId, stop) {
      let at = from;
      while (!stop.aborted) {
        const first = held[0]?.seq ?? last + 1;
        if (at > last || at < first - 1) {
          at = last;
          yield { seq: last, event: { type: 'reset', data: null } };
          continue;
        }
        const next = held[at + 1 - first];
        if (next === undefined) {
          await more(stop);
          continue;
        }
        at = next.seq;
        if (isFor(next.event, sessionId)) yield next;
      }
    },
  };
}

/** A session's line in the list is for everybody. */
function isFor(event: StudioEvent, sessionId: string | null): boolean {
  if (sessionId === null || event.data === null || event.type === 'session') return true;
  return !('sessionId' in event.data) || event.data.sessionId === null || event.data.sessionId === sessionId;
}
