import type { Clock } from '../../src/model/ports/time.ts';
import { systemClock } from '../../src/system.ts';

/** The clock of the machine, and how long was waited by it, in milliseconds: what was cancelled in time is no wait. */
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
