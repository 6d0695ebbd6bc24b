import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsePath, resolvePath, type Lookup } from '../../src/flow/expression/path.ts';

/** A scope as the engine makes one: own names only. */
const scope =
  (values: object): Lookup =>
  (name) =>
    Object.getOwnPropertyDescriptor(values, name)?.value as unknown;

describe('parsePath', () => {
  it.each([
    ['name', ['name']],
    ['visit.time', ['visit', 'time']],
    ['items.0.name', ['items', '0', 'name']],
    ['flow.input.member', ['flow', 'input', 'member']],
    ['look-up.result', ['look-up', 'result']],
    ['_private.a1', ['_private', 'a1']],
    ['größe.straße', ['größe', 'straße']],
    ['年齢', ['年齢']],
    ['__proto__.constructor', ['__proto__', 'constructor']],
  ])('reads %j', (text, path) => {
    expect(parsePath(text)).toEqual(path);
  });

  it.each([
    '',
    '.',
    'a.',
    '.a',
    'a..b',
    '0',
    '0.a',
    '-a',
    'a.-b',
    'a b',
    ' a',
    'a[0]',
    'a.1b',
    'a\n',
    '·',
    '1ä',
    'a.b()',
  ])('refuses %j', (text) => {
    expect(parsePath(text)).toBeUndefined();
  });

  it('refuses a name of over a thousand characters', () => {
    expect(parsePath('a'.repeat(1_000))).toHaveLength(1);
    expect(parsePath('a'.repeat(1_001))).toBeUndefined();
  });
});

describe('resolvePath', () => {
  const lookup = scope({
    visit: { time: '9:30', 'with-hyphen': 1, 7: 'seven' },
    items: [{ name: 'first' }, [2]],
    text: 'abc',
  });

  it.each([
    ['visit.time', '9:30'],
    ['visit.with-hyphen', 1],
    ['visit.7', 'seven'],
    ['items.0.name', 'first'],
    ['items.1.0', 2],
    ['text', 'abc'],
  ])('finds %s', (path, value) => {
    expect(resolvePath(parsePath(path) ?? [], lookup)).toBe(value);
  });

  it.each([
    'nothing',
    'nothing.at.all',
    'visit.none',
    'items.2',
    'items.00',
    'items.length',
    'text.length',
    'text.0',
    'visit.time.x',
  ])('finds nothing at %s', (path) => {
    expect(resolvePath(parsePath(path) ?? [], lookup)).toBeUndefined();
  });

  it('finds nothing at the empty path', () => {
    expect(resolvePath([], lookup)).toBeUndefined();
  });

  it.each([
    'constructor',
    '__proto__',
    'toString.name',
    'hasOwnProperty',
    'valueOf.call',
    'constructor.prototype',
    'map',
    'at',
  ])('reaches a prototype through %s only where the data itself has that name', (name) => {
    const path = parsePath(`data.${name}`) ?? [];
    for (const data of [{}, [], '', 1, true, new Map(), () => 1]) {
      expect(resolvePath(path, scope({ data }))).toBeUndefined();
    }
    const own = JSON.parse(
      path.slice(1).reduceRight((inner, key) => `{${JSON.stringify(key)}:${inner}}`, '"own"'),
    ) as unknown;
    expect(resolvePath(path, scope({ data: own }))).toBe('own');
  });

  it('never calls a getter', () => {
    const data = Object.defineProperty({}, 'now', { enumerable: true, get: () => expect.unreachable() });
    expect(resolvePath(['data', 'now'], scope({ data }))).toBeUndefined();
  });

  it('reads plain objects only: no class instances, and objects without a prototype are plain', () => {
    class Account {
      secret = 1;
    }
    expect(resolvePath(['data', 'secret'], scope({ data: new Account() }))).toBeUndefined();
    expect(resolvePath(['data', 'a'], scope({ data: Object.assign(Object.create(null), { a: 1 }) }))).toBe(1);
  });

  it('agrees with JSON on what lies at any place of any JSON value', () => {
    const place = (value: unknown, random: () => number): [string[], unknown] => {
      const keys = typeof value === 'object' && value !== null ? Object.keys(value) : [];
      const key = keys[Math.floor(random() * (keys.length + 1))];
      if (key === undefined) return [[], value];
      const [rest, found] = place((value as Record<string, unknown>)[key], random);
      return [[key, ...rest], found];
    };
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { minLength: 9 }),
        (data, seeds) => {
          let turn = 0;
          const [path, found] = place(data, () => seeds[turn++ % seeds.length] ?? 0);
          expect(resolvePath(['data', ...path], scope({ data }))).toEqual(found);
        },
      ),
    );
  });

  it('never throws, and reaches no prototype, on any path through any value', () => {
    fc.assert(
      fc.property(fc.anything(), fc.array(fc.string()), (data, path) => {
        resolvePath(['data', ...path], scope({ data }));
        for (const name of ['constructor', 'toString', 'hasOwnProperty']) {
          if (typeof data === 'object' && data !== null && Object.hasOwn(data, name)) continue;
          expect(resolvePath(['data', name], scope({ data }))).toBeUndefined();
        }
      }),
    );
  });
});
