import { expect, test } from 'vitest';
import { nearNames } from '../../../src/flow/check/near-names.ts';

test('the first hundred wrong names are looked up, and the same one again as often as it comes', () => {
  const near = nearNames(['done', 'start']);
  expect(near('don')).toBe('Did you mean "done"?');
  for (let count = 1; count < 100; count += 1) near(`nothing-like-it-${count}`);
  expect(near('strat')).toBeUndefined();
  expect(near('don')).toBe('Did you mean "done"?');
});
