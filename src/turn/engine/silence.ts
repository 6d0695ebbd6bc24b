import type { Clock } from '../../ports/time.ts';

/** Watches a stream for too long a silence. */
export interface Silence {
  /** Listens from now on: after so many milliseconds without `heard`, `onSilent` is called once. */
  listen(ms: number): void;
  heard(): void;
  /** Stops listening. */
  end(): void;
}

/** One timer serves a whole reply: each of its chunks comes right after the one before, and a timer costs as much. */
export function createSilence(clock: Clock, onSilent: () => void): Silence {
  let cancel: (() => void) | null = null;
  let limitMs = 0;
  let since: number | null = null;
  /** Whether the timer was set for what is listened to now, and not for something before it. */
  let isForThis = false;

  const set = (ms: number): void => {
    isForThis = since !== null;
    cancel = clock.schedule(ms, () => ring(ms));
  };
  const ring = (ms: number): void => {
    cancel = null;
    if (since === null) return;
    if (isForThis) {
      since = null;
      onSilent();
      return;
    }
    const waitedMs = clock.now() - since;
    // Where the machine's clock was set meanwhile, the silence counts from here.
    set(limitMs - (waitedMs >= 0 && waitedMs <= ms ? waitedMs : 0));
  };
  return {
    listen(ms) {
      limitMs = ms;
      since = clock.now();
      isForThis = false;
      if (cancel === null) set(ms);
    },
    heard() {
      since = null;
    },
    end() {
      since = null;
      cancel?.();
      cancel = null;
    },
  };
}
