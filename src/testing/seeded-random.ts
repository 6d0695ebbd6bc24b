import type { Random } from '../model/ports/time.ts';

/**
 * Random numbers that are the same for the same seed, on every machine. Only the lower 32 bits of the seed are used.
 * Throws nothing.
 * @example
 * const number = createSeededRandom(7).next();
 */
export function createSeededRandom(seed: number): Random {
  let state = seed | 0;
  return {
    // mulberry32 by Tommy Ettinger, 2017, public domain: https://gist.github.com/tommyettinger/46a874533244883189143505d203312c
    next() {
      state = (state + 0x6d2b79f5) | 0;
      let mixed = Math.imul(state ^ (state >>> 15), state | 1);
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
      return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
    },
  };
}
