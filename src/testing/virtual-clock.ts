import { setImmediate as nextRound, setTimeout as zeroTimer } from 'node:timers/promises';
import { FlowError } from '../model/errors.ts';
import type { Clock } from '../model/ports/time.ts';

/** A clock that a test moves. */
export interface VirtualClock extends Clock {
  /** Timers that have neither run nor been cancelled. */
  readonly pending: number;
  /**
   * Lets this much time pass. Every timer runs at its own due time, including timers that are scheduled meanwhile.
   * Throws an error that a timer throws.
   */
  advance(ms: number): Promise<void>;
  /** Moves to the next timer and runs it. Returns false if there is none. Throws an error that the timer throws. */
  advanceToNext(): Promise<boolean>;
  /**
   * Moves from timer to timer until the condition holds. Throws a FlowError `condition-not-met` if it does not hold
   * within `limitMs`.
   */
  runUntil(condition: () => boolean, limitMs: number): Promise<void>;
}

/**
 * A clock that stands still until it is moved, and never waits in real time. Timers run in the order in which they are
 * due, and timers that are due at the same time in the order of scheduling. Before the first timer and after each one,
 * pending work settles: four rounds of Node's event loop, each with all its microtasks. So a chain of promises of any
 * length ends, and a chain of up to four `setImmediate`. Work outside (a file, a socket, a thread, a real timer) is not
 * waited for, unless another `settle` does so. Calls of one clock must not overlap. An error that a timer throws
 * rejects the call that ran it. It throws `condition-not-met` if a condition does not become true.
 * @example
 * const clock = createVirtualClock(); clock.schedule(5_000, () => console.log('five seconds later')); await
 * clock.advance(5_000);
 */
export function createVirtualClock(
  startAt: number = Date.UTC(2030, 0, 7, 9),
  settle: () => Promise<void> = settleRounds,
): VirtualClock {
  let now = startAt;
  /** In the order of running. */
  const timers: Timer[] = [];

  const runNext = async (limit: number): Promise<boolean> => {
    const timer = timers[0];
    if (timer === undefined || timer.due > limit) return false;
    timers.shift();
    now = timer.due;
    timer.task();
    await settle();
    return true;
  };

  return {
    now: () => now,
    get pending() {
      return timers.length;
    },
    schedule(delayMs, task) {
      const timer = { due: now + (delayMs > 0 ? delayMs : 0), task };
      const later = timers.findIndex((other) => other.due > timer.due);
      timers.splice(later < 0 ? timers.length : later, 0, timer);
      return () => {
        const index = timers.indexOf(timer);
        if (index >= 0) timers.splice(index, 1);
      };
    },
    async advance(ms) {
      const until = now + ms;
      await settle();
      while (await runNext(until));
      now = until;
    },
    async advanceToNext() {
      await settle();
      return await runNext(Number.MAX_VALUE);
    },
    async runUntil(condition, limitMs) {
      const until = now + limitMs;
      await settle();
      while (!condition()) {
        if (await runNext(until)) continue;
        throw new FlowError(
          'condition-not-met',
          `the condition did not hold within ${limitMs} ms of virtual time, with ${timers.length} timers still pending. ` +
            'Raise the limit, or see which timer is missing.',
        );
      }
    },
  };
}

interface Timer {
  readonly due: number;
  readonly task: () => void;
}

async function settleRounds(): Promise<void> {
  for (let round = 0; round < 4; round += 1) await nextRound();
}

/**
 * Settles work that includes LiveKit. LiveKit starts each stream of a model with a timer of 0 ms. Node runs timers of
 * the same duration in the order of setting, so our own zero timer comes after it. Up to three such timers may follow
 * each other: the model is asked at most twice before anything of ours is scheduled.
 */
export async function settleLiveKit(): Promise<void> {
  for (let round = 0; round < 3; round += 1) {
    await zeroTimer(0);
    await settleRounds();
  }
}
