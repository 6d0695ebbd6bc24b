import fc from 'fast-check';
import { expect, it } from 'vitest';
import { tooDeep } from '../../src/flow/expression/depth.ts';

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;

it('is too deep for every limit below the levels of arrays and objects, and for none from there on', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.nat(8), (value, limit) => {
      expect(tooDeep(value, limit)).toBe(depthOf(value) > limit);
    }),
  );
});

it.each([
  ['a scalar has no level', 1, 0, false],
  ['an empty list has one', [], 0, true],
  ['and no more', [], 1, false],
  ['levels of objects and lists add up', { a: [{}] }, 2, true],
])('%s', (_, value, limit, deep) => {
  expect(tooDeep(value, limit)).toBe(deep);
});

it('ends on cycles, on shared parts that unfold without end, on endless lists and on 100,000 levels', () => {
  const cycle: Record<string, unknown> = {};
  cycle['self'] = cycle;
  let shared: unknown = 1;
  for (let level = 0; level < 60; level += 1) shared = [shared, shared];
  let deep: unknown = 1;
  for (let level = 0; level < 100_000; level += 1) deep = { deep };
  for (const value of [cycle, shared, deep, Array.from({ length: 3 }, () => Array(4_000_000_000))]) {
    expect(tooDeep(value, 64)).toBe(true);
  }
});

it('calls no getter', () => {
  expect(tooDeep(Object.defineProperty({}, 'x', { enumerable: true, get: () => expect.unreachable() }), 3)).toBe(false);
});
