import type { Clock } from '../../src/model/ports/time.ts';
import { systemClock } from '../../src/system.ts';

/** The system clock, and the waits on it in milliseconds, without those that were cancelled in time. */
export function notedWaits(): { readonly clock: Clock; readonly waits: readonly number[] } {
  const waits: number[] = [];
  const clock: Clock = {
    now: systemClock.now,
    schedule: (delayMs, task) =>
      systemClock.schedule(delayMs, () => {
        waits.push(delayMs);
        task();
      }),
  };
  return { clock, waits };
}
