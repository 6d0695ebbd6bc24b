import { expect, test } from 'vitest';
import { countGaps } from './rooms-gaps.ts';

test('a pause inside a line is a gap; a short pause and the time between two lines are not', () => {
  expect(countGaps(sound([1_000, 800], [200, 40], [500, 70], [300, 100], [700, 900], [400, 0]))).toBe(2);
});

test('silence before the first line is not a gap', () => {
  expect(countGaps(sound([0, 200], [500, 0]))).toBe(0);
});

/** Builds tones, each followed by silence, in milliseconds. */
function sound(...parts: readonly (readonly [toneMs: number, silenceMs: number])[]): Int16Array {
  return Int16Array.from(
    parts.flatMap(([toneMs, silenceMs]) => [
      ...Array.from({ length: toneMs * 16 }, (_, at) => Math.round(8_000 * Math.sin(at / 6))),
      ...Array.from({ length: silenceMs * 16 }, () => 0),
    ]),
  );
}
