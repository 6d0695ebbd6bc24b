import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sameValue } from '../../src/flow/expression/same-value.ts';

describe('sameValue', () => {
  it.each([
    ['a', 'a', true],
    ['a', 'A', false],
    [true, 'true', true],
    [true, 'True', false],
    [true, 1, false],
    [1, '1', true],
    [1, '1.0', false],
    [1, '01', false],
    [0, -0, true],
    [0.1, '0.1', true],
    ['', null, false],
    ['null', null, false],
    [null, null, true],
    [null, undefined, false],
    [undefined, undefined, true],
    [0, null, false],
    [false, '', false],
    [[1, 'a'], ['1', 'a'], true],
    [[1, 2], [2, 1], false],
    [[1], [1, 2], false],
    [[], {}, false],
    [['a'], 'a', false],
    [{ a: 1, b: [true] }, { b: ['true'], a: '1' }, true],
    [{ a: 1 }, { b: 1 }, false],
    [{ a: 1 }, { a: 1, b: 1 }, false],
    [{ a: undefined }, { b: undefined }, false],
    [{ toString: undefined }, { a: undefined }, false],
    [{}, Object.create({ a: 1 }), false],
    [{ toString: 1 }, { constructor: 1 }, false],
    [JSON.parse('{"__proto__":1}'), JSON.parse('{"__proto__":2}'), false],
    [new Date(0), new Date(0), false],
  ])('%j and %j: %j', (left, right, same) => {
    expect(sameValue(left, right)).toBe(same);
    expect(sameValue(right, left)).toBe(same);
  });

  it('holds for any JSON value and its copy, and is symmetric', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.anything(), (value, other) => {
        expect(sameValue(value, JSON.parse(JSON.stringify(value)))).toBe(true);
        expect(sameValue(value, other)).toBe(sameValue(other, value));
      }),
    );
  });

  it('ends on cycles, on shared parts that unfold without end, and on 90,000 levels', () => {
    const cycle = (): unknown[] => {
      const list: unknown[] = [];
      list.push(list, list);
      return list;
    };
    const [one, other] = [cycle(), cycle()];
    expect(sameValue(one, one)).toBe(true);
    expect(sameValue(one, other)).toBe(false);
    const deep = (end: unknown): unknown => {
      let value = end;
      for (let level = 0; level < 90_000; level += 1) value = { value };
      return value;
    };
    expect(sameValue(deep(1), deep('1'))).toBe(true);
    expect(sameValue(deep(1), deep(2))).toBe(false);
  });
});
