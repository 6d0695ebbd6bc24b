import type { Clock } from '../../src/model/ports/time.ts';

/** A clock that counts its open timers. */
export interface CountedClock extends Clock {
  readonly open: number;
  pause(ms: number): Promise<void>;
}

export function countedClock(clock: Clock): CountedClock {
  let open = 0;
  const schedule: Clock['schedule'] = (delayMs, task) => {
    open += 1;
    let isOpen = true;
    const close = (): void => {
      open -= isOpen ? 1 : 0;
      isOpen = false;
    };
    const cancel = clock.schedule(delayMs, () => {
      close();
      task();
    });
    return () => {
      close();
      cancel();
    };
  };
  return {
    now: () => clock.now(),
    schedule,
    pause: (ms) => new Promise((resolve) => void schedule(ms, resolve)),
    get open() {
      return open;
    },
  };
}
