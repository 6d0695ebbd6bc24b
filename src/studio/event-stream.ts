import type { StudioEvent } from './protocol.ts';

/** An event of the stream with its sequence number. */
export interface StreamEvent {
  readonly seq: number;
  readonly event: StudioEvent;
}

/** The events of a studio in order, for pages that connect and reconnect. */
export interface EventStream {
  put(event: StudioEvent): void;
  /** The number of the last event; 0 before the first one. */
  readonly last: number;
  /**
   * Yields the events after `from` until the signal is aborted: global events and those of `sessionId`, or all if it is
   * null. Yields `reset` first if events after `from` are no longer stored, or if `from` is in the future.
   */
  after(from: number, sessionId: string | null, stop: AbortSignal): AsyncGenerator<StreamEvent, void>;
}

/** Number of events that are stored for reconnecting pages. */
const defaultKeep = 10_000;

/** Creates the event stream of a studio. */
export function createEventStream(keep: number = defaultKeep): EventStream {
  const held: StreamEvent[] = [];
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

/** Changes of the session list go to every page. */
function isFor(event: StudioEvent, sessionId: string | null): boolean {
  if (sessionId === null || event.data === null || event.type === 'session') return true;
  return !('sessionId' in event.data) || event.data.sessionId === null || event.data.sessionId === sessionId;
}
