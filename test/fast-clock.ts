import type { Clock } from '../src/model/ports/time.ts';
import { systemClock } from '../src/system.ts';

/** A clock that runs faster than that of this machine by a factor. */
export function fastClock(times: number): Clock {
  const start = systemClock.now();
  return {
    now: () => start + (systemClock.now() - start) * times,
    schedule: (ms, task) => systemClock.schedule(ms / times, task),
  };
}
