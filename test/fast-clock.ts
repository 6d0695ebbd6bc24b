import type { Clock } from '../src/model/ports/time.ts';
import { systemClock } from '../src/system.ts';

/** The clock of this machine, which goes so many times as fast. */
export function fastClock(times: number): Clock {
  const start = systemClock.now();
  return {
    now: () => start + (systemClock.now() - start) * times,
    schedule: (ms, task) => systemClock.schedule(ms / times, task),
  };
}
