import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compareOrder } from '../../src/flow/expression/order.ts';

it.each([
  [1, 2, -1],
  [2, 2, 0],
  ['10', '9', 1],
  ['10', 9, 1],
  ['-1.5', 0, -1],
  ['1e3', 1000, 0],
  ['2026-05-01', '2026-05-02', -1],
  ['2026-05-01', '2026-05-01', 0],
  ['14:30', '09:15', 1],
  ['14:30:01', '14:30:00', 1],
  ['2026-05-01T09:00Z', '2026-05-01T10:00Z', -1],
  ['2026-05-01T09:00:00.5+02:00', '2026-05-01T09:00:00.4+02:00', 1],
])('%j and %j compare as %j', (left, right, order) => {
  expect(compareOrder(left, right)).toBe(order);
  expect(compareOrder(right, left)).toBe(0 - order);
});

it.each([
  ['2026-05-01T09:00+02:00', '2026-05-01T09:00+01:00'],
  ['2026-05-01T09:00', '2026-05-01T09:00Z'],
  ['2026-05-01', '2026-05-01T09:00'],
  ['09:00', '09:00:00'],
  ['2026-5-1', '2026-5-2'],
  ['a', 'b'],
  ['', 1],
  [' ', 1],
  ['0x10', 1],
  [Number.NaN, 1],
  [true, 0],
  [null, 0],
  [undefined, 0],
  [[1], [2]],
])('%j and %j have no order', (left, right) => {
  expect(compareOrder(left, right)).toBeNaN();
  expect(compareOrder(right, left)).toBeNaN();
});

it('reads ten megabytes of digits in time linear in them', () => {
  const digits = '1'.repeat(10_000_000);
  expect(compareOrder(digits, 1)).toBe(1);
  expect(compareOrder(`10:00:00.${digits}1`, `10:00:00.${digits}2`)).toBe(-1);
  expect(compareOrder(`${digits}x`, 1)).toBeNaN();
});

it('any two values compare to -1, 0, 1 or nothing, and backwards to the opposite', () => {
  const value = fc.oneof(fc.anything(), fc.double(), fc.stringMatching(/^[\d:T.+-]{0,12}$/));
  fc.assert(
    fc.property(value, value, (left, right) => {
      const order = compareOrder(left, right);
      expect(Number.isNaN(order) || Math.abs(order) <= 1).toBe(true);
      expect(compareOrder(right, left)).toBe(0 - order);
    }),
  );
});
