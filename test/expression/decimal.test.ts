import { describe, expect, test } from 'vitest';
import { compareDecimals, decimalSum } from '../../src/flow/expression/decimal.ts';
import { compileWhen, evaluateWhen, type When } from '../../src/flow/expression/when.ts';

describe('a sum of decimals', () => {
  test.each<[readonly unknown[], number | undefined]>([
    [[0.1, 0.2], 0.3],
    [[1.1, 2.2, -3.3], 0],
    [['19.99', '0.01'], 20],
    [[4.35, 4.35, 4.35], 13.05],
    [[1e21, 1], 1e21 + 1],
    [[1e-7, 2e-7], 3e-7],
    [['1e400', 1], undefined],
    [[0.1, 'x'], undefined],
    [['9'.repeat(5_000), 1], undefined],
    [[`0.${'0'.repeat(5_000)}1`, 1], 1],
  ])('%j', (values, sum) => {
    expect(decimalSum(values)).toBe(sum);
  });

  test('does not depend on the order', () => {
    const prices = [0.1, 0.7, 1.15, 2.3, 19.99, 0.05];
    expect(decimalSum(prices)).toBe(24.29);
    expect(decimalSum(prices.toReversed())).toBe(24.29);
  });
});

test.each<[unknown, unknown, number]>([
  ['0.1', 0.1, 0],
  ['0.30', 0.3, 0],
  ['12345678901234567890.01', '12345678901234567890.02', -1],
  [-0, 0, 0],
  ['.5', '+0.5', 0],
  ['5.', 4.99, 1],
  ['1e3', 1000, 0],
  [Number.POSITIVE_INFINITY, 1, 1],
])('%j beside %j is %j', (left, right, order) => {
  expect(compareDecimals(left, right)).toBe(order);
});

test.each<[When, boolean]>([
  [{ atMost: { add: ['a', 'b'], value: 0.3 } }, true],
  [{ equals: { add: ['a', 'b'], value: 0.3 } }, true],
  [{ greater: { add: ['a', 'b'], value: 0.3 } }, false],
  [{ atLeast: { var: 'limit', value: { add: ['a', 'b'] } } }, true],
  [{ equals: { add: ['limit', -0.1], value: 0.2 } }, true],
])('conditions compute with decimals: %j', (when, holds) => {
  const known: Record<string, unknown> = { a: 0.1, b: 0.2, limit: 0.3 };
  expect(evaluateWhen(compileWhen(when), (name) => known[name])).toBe(holds);
});
