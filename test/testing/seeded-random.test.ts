import { expect, test } from 'vitest';
import { createSeededRandom } from '../../src/testing/seeded-random.ts';

function draw(seed: number, count: number): number[] {
  const random = createSeededRandom(seed);
  return Array.from({ length: count }, () => random.next());
}

test('the same seed gives the same numbers, and another seed others', () => {
  expect(draw(7, 50)).toEqual(draw(7, 50));
  expect(draw(7, 50)).not.toEqual(draw(8, 50));
});

test('the numbers are those of the published mulberry32', () => {
  // Computed in C, whose 32-bit arithmetic the algorithm is written for.
  expect(draw(0, 3).map((number) => number * 2 ** 32)).toEqual([1144304738, 1416247, 958946056]);
  expect(draw(42, 3).map((number) => number * 2 ** 32)).toEqual([2581720956, 1925393290, 3661312704]);
});

test('the numbers fill the range from 0 to below 1 evenly', () => {
  const numbers = draw(1, 100_000);
  expect(numbers.every((number) => number >= 0 && number < 1)).toBe(true);
  const tenths = Array.from({ length: 10 }, () => 0);
  for (const number of numbers) tenths[Math.floor(number * 10)]! += 1;
  for (const count of tenths) expect(Math.abs(count - 10_000)).toBeLessThan(500);
});
