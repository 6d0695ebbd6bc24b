import type { Clock } from '../model/ports/time.ts';

/** Resolves after `ms` milliseconds of the clock. */
export function pause(clock: Clock, ms: number): Promise<undefined> {
  return new Promise((resolve) => void clock.schedule(ms, () => resolve(undefined)));
}
