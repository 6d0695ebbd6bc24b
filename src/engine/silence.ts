import type { Clock } from '../model/ports/time.ts';

/** Detects a silence in a stream. */
export interface Silence {
  /** Starts listening: after `ms` milliseconds without `heard`, `onSilent` is called once. */
  listen(ms: number): void;
  heard(): void;
  /** Stops listening. */
  end(): void;
}

/** Uses one timer for a whole reply, because a timer per chunk would cost as much as the chunk. */
export function createSilence(clock: Clock, onSilent: () => void): Silence {
  let cancel: (() => void) | null = null;
  let limitMs = 0;
  let since: number | null = null;
  /** Whether the timer was set for the current silence, not an earlier one. */
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
    // If the machine's clock was changed meanwhile, the silence is counted from now.
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
