import type { Event } from '../../model/events/event.ts';

/** A stream of events for one reader. It ends when the reader leaves its loop or calls `return()`. */
export interface EventStream {
  /** Number of events dropped because the reader was too slow. */
  readonly dropped: number;
  next(): Promise<IteratorResult<Event, undefined>>;
  return(): Promise<IteratorResult<Event, undefined>>;
  [Symbol.asyncIterator](): EventStream;
}

/** Streams the events that `subscribe` delivers. Buffers the last `limit` unread events, at least one. */
export function createEventStream(
  limit: number,
  subscribe: (listener: (event: Event) => void) => () => void,
): EventStream {
  const unread: Event[] = [];
  const readers: ((result: IteratorResult<Event, undefined>) => void)[] = [];
  let dropped = 0;
  let isOver = false;
  const unsubscribe = subscribe((event) => {
    const reader = readers.shift();
    if (reader !== undefined) {
      reader({ done: false, value: event });
      return;
    }
    unread.push(event);
    if (unread.length <= Math.max(limit, 1)) return;
    unread.shift();
    dropped += 1;
  });

  return {
    get dropped() {
      return dropped;
    },
    next() {
      const event = unread.shift();
      if (event !== undefined) return Promise.resolve({ done: false, value: event });
      if (isOver) return Promise.resolve(end);
      return new Promise((resolve) => readers.push(resolve));
    },
    return() {
      isOver = true;
      unsubscribe();
      unread.length = 0;
      for (const reader of readers.splice(0)) reader(end);
      return Promise.resolve(end);
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

const end = { done: true, value: undefined } as const;
