import type { Clock } from '../../model/ports/time.ts';

/** The clock of one process of a scenario. After the process has died, none of its timers run. */
export interface ProcessClock extends Clock {
  kill(): void;
}

/** A clock that shows the time of another clock, and can die. */
export function createProcessClock(clock: Clock): ProcessClock {
  let isAlive = true;
  return {
    now: () => clock.now(),
    schedule: (delayMs, task) => clock.schedule(delayMs, () => (isAlive ? task() : undefined)),
    kill: () => void (isAlive = false),
  };
}
