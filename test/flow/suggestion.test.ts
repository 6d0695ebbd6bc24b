import { expect, test } from 'vitest';
import { closestName } from '../../src/flow/document/problems/suggestion.ts';

test('two neighbouring letters swapped are one slip, also in a short word', () => {
  expect(closestName('sya', ['end', 'say', 'type'])).toBe('say');
  expect(closestName('edn', ['say', 'end'])).toBe('end');
  expect(closestName('confrim', ['collect', 'confirm'])).toBe('confirm');
});

test('what differs in more than a third of its letters is no suggestion', () => {
  expect(closestName('yas', ['say'])).toBeUndefined();
  expect(closestName('xyz', ['say'])).toBeUndefined();
});
