import { randomUUID } from 'node:crypto';
import type { Clock, Ids, Random } from './ports/time.ts';

/**
 * The machine's clock. Timers measure on the monotonic clock, so that setting the wall clock neither loses nor hurries
 * one. An open timer keeps the process alive: who schedules one that may never matter cancels it on stopping.
 */
export const systemClock: Clock = {
  now: () => Date.now(),
  schedule(delayMs, task) {
    const due = performance.now() + delayMs;
    let timer = setTimeout(arrive, delayWithin(delayMs));
    return () => clearTimeout(timer);

    function arrive(): void {
      const leftMs = due - performance.now();
      // setTimeout may be early by a part of a millisecond, and cannot wait longer than its limit at once.
      if (leftMs > 0) timer = setTimeout(arrive, delayWithin(leftMs));
      else task();
    }
  },
};

/** Chance without a seed; not for secrets. */
export const systemRandom: Random = { next: () => Math.random() };

/** Ids such as `req_0f8fad5bd9cb469fa16570867728950e`: 122 random bits, hard to guess. */
export const systemIds: Ids = { create: (prefix) => `${prefix}_${randomUUID().replaceAll('-', '')}` };

// setTimeout turns anything above into 1 ms.
const longestDelayMs = 2 ** 31 - 1;

function delayWithin(delayMs: number): number {
  return Math.min(Math.ceil(delayMs), longestDelayMs);
}
