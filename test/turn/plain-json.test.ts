import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { toJson } from '../../src/engine/calls/plain-json.ts';

class Closed {
  readonly #secret = 1;
  get secret(): number {
    return this.#secret;
  }
}
class Open {
  readonly price = 3;
}
const circle: Record<string, unknown> = { name: 'round' };
circle['self'] = circle;
const shared = { a: 1 };

test.each<[string, unknown, unknown]>([
  ['nothing', undefined, null],
  ['null', null, null],
  ['a number that is none', Number.NaN, null],
  ['an infinite number', Infinity, null],
  ['a map by names', new Map<string, unknown>([['free', new Map([['at', 9]])]]), { free: { at: 9 } }],
  ['a map by other keys', new Map([[1, 'one']]), [[1, 'one']]],
  ['a set', new Set(['a', 'b']), ['a', 'b']],
  ['a boxed number', Object(7), 7],
  ['a date', new Date('2026-11-27T09:30:00Z'), '2026-11-27T09:30:00.000Z'],
  ['a date that is none', new Date('no'), null],
  ['a large integer', 2n ** 70n, '1180591620717411303424'],
  ['a small one', [7n], [7]],
  ['an instance with fields', new Open(), { price: 3 }],
  ['an object of another realm', runInNewContext('({ a: [1], none: {} })'), { a: [1], none: {} }],
  ['an object without a prototype', Object.assign(Object.create(null), { a: 1 }), { a: 1 }],
  ['bytes', new Uint8Array([1, 2]), [1, 2]],
  ['an error inside', { reason: new Error('the password is 7') }, { reason: 'It did not succeed.' }],
  ['members that JSON has no word for', { a: undefined, b: () => 1, c: [undefined, Symbol('s')] }, { c: [null, null] }],
  ['an instance that shows nothing, inside', { who: new Closed() }, { who: null }],
  ['the same object twice', [shared, shared], [{ a: 1 }, { a: 1 }]],
  ['an empty object', {}, {}],
  ['a member named __proto__', JSON.parse('{"__proto__": {"a": 1}}'), JSON.parse('{"__proto__": {"a": 1}}')],
])('%s is kept as JSON', (_, value, kept) => {
  expect(toJson(value)).toEqual(kept);
  expect(JSON.parse(JSON.stringify(toJson(value)))).toEqual(toJson(value));
});

test.each<[string, unknown]>([
  ['a value that contains itself', circle],
  ['a function', () => 1],
  ['an instance that shows nothing', new Closed()],
  ['an expression', /a/],
  ['a promise', Promise.resolve(1)],
  [
    'a value that throws where it is read',
    {
      get price(): number {
        throw new Error('no');
      },
    },
  ],
])('%s is refused', (_, value) => {
  expect(() => toJson(value)).toThrow(/^result-not-json: .*Return plain data\.$/);
});
