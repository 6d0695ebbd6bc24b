import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { minifySchema } from '../../src/flow/graph/minify-schema.ts';

describe('minifySchema', () => {
  test('leaves out what only the author of a schema needs', () => {
    const pydantic = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $comment: 'generated',
      title: 'BookArgs',
      type: 'object',
      properties: {
        title: { title: 'Title', type: 'string', description: '  Mr or\n   Mrs. ', examples: ['Mr'] },
        note: { anyOf: [{ type: 'string' }, { type: 'null' }], default: null, description: ' ' },
      },
      required: [],
    };
    expect(minifySchema(pydantic)).toEqual({
      type: 'object',
      properties: {
        title: { type: 'string', description: 'Mr or Mrs.' },
        note: { anyOf: [{ type: 'string' }, { type: 'null' }] },
      },
    });
  });

  test('keeps all that says what is valid, and a default that is a value', () => {
    const schema = {
      type: 'object',
      properties: {
        time: { type: 'string', pattern: '^1\\d:\\d\\d$', format: 'time', default: '18:00' },
        size: { type: 'integer', minimum: 1, maximum: 12 },
        kind: { enum: ['a', 'title', null] },
        examples: { const: { title: 'kept', $comment: 'kept' } },
      },
      required: ['time'],
      additionalProperties: false,
    };
    expect(minifySchema(schema)).toEqual(schema);
  });

  test('unfolds a single alternative, but not beside what it might change', () => {
    expect(minifySchema({ description: 'Who.', anyOf: [{ type: 'string', title: 'x' }] })).toEqual({
      type: 'string',
      description: 'Who.',
    });
    const closed = { allOf: [{ properties: { a: { type: 'string' } } }], additionalProperties: false };
    expect(minifySchema(closed)).toEqual(closed);
  });

  test('keeps the definitions that are referred to', () => {
    const used = { type: 'object', properties: { next: { $ref: '#/$defs/a~1b' } } };
    expect(minifySchema({ $ref: '#/$defs/a~1b', $defs: { 'a/b': used, unused: { type: 'string' } } })).toEqual({
      $ref: '#/$defs/a~1b',
      $defs: { 'a/b': used },
    });
    const byPath = { properties: { a: { anyOf: [{ type: 'string' }] }, b: { $ref: '#/properties/a/anyOf/0' } } };
    expect(minifySchema(byPath)).toEqual(byPath);
    const encoded = { $ref: '#/$defs/a%20b', $defs: { 'a b': { type: 'string' } } };
    expect(minifySchema(encoded)).toEqual(encoded);
  });

  test('says nothing of property names that may be any text', () => {
    const schema = { type: 'object', propertyNames: { type: 'string' }, additionalProperties: {} };
    expect(minifySchema(schema)).toEqual({ type: 'object', additionalProperties: {} });
    const limits = [{ pattern: '^a' }, { type: 'integer' }, false].map((propertyNames) => ({ propertyNames }));
    for (const limited of limits) expect(minifySchema(limited)).toEqual(limited);
  });

  test('takes properties with special names as plain ones', () => {
    const schema: unknown = JSON.parse(
      '{"properties":{"__proto__":{"title":"x","type":"string"}},"__proto__":{"a":1}}',
    );
    const small = minifySchema(schema);
    expect(JSON.stringify(small)).toBe('{"properties":{"__proto__":{"type":"string"}},"__proto__":{"a":1}}');
    expect(Object.getPrototypeOf(small)).toBe(Object.prototype);
  });

  test('makes an open schema of what is no schema, is endless or far too deep', () => {
    const endless: Record<string, unknown> = { type: 'object' };
    endless['properties'] = { again: endless };
    let deep: unknown = { type: 'string' };
    for (let level = 0; level < 100_000; level += 1) deep = { items: deep };
    for (const odd of [endless, deep, null, undefined, 'text', 3, [], true, new Map()])
      expect(minifySchema(odd)).toEqual({});
    expect(minifySchema(false)).toEqual({ not: {} });
  });

  test('never throws, and gives JSON', () => {
    fc.assert(
      fc.property(fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true }), (odd) => {
        const small = minifySchema({ properties: { odd }, enum: [odd], odd });
        expect(JSON.parse(JSON.stringify(small))).toEqual(JSON.parse(JSON.stringify(minifySchema(small))));
      }),
    );
  });

  test('leaves the same values valid', () => {
    const defs = {
      one: { title: 'One', type: 'string' },
      two: { oneOf: [{ type: 'number', $comment: 'n' }] },
      three: {},
    };
    let judged = 0;
    fc.assert(
      fc.property(schemaOf(3), fc.array(values, { minLength: 5, maxLength: 20 }), (body, some) => {
        const full = { ...body, $defs: defs };
        const before = validator(full);
        const after = validator(minifySchema(full));
        for (const value of some) {
          judged += 1;
          expect([value, after(value)]).toEqual([value, before(value)]);
        }
      }),
      { numRuns: 100 },
    );
    expect(judged).toBeGreaterThan(500);
  });
});

const names = fc.constantFrom('a', 'b', 'title', 'default');
const values = fc.oneof(
  fc.constantFrom('', 'a', 'title', 0, 1, 2.5, true, false, null),
  fc.dictionary(names, fc.constantFrom('a', 1, null), { maxKeys: 3, noNullPrototype: true }),
  fc.array(fc.constantFrom('a', 1, null), { maxLength: 3 }),
);

/** Schemas of up to four keywords, nested up to `depth` times. */
function schemaOf(depth: number): fc.Arbitrary<object> {
  const keyword = <Value>(name: string, value: fc.Arbitrary<Value>) => fc.tuple(fc.constant(name), value);
  const flat = [
    keyword('title', fc.constant('T')),
    keyword('description', fc.constantFrom('', ' some  text ')),
    keyword('default', values),
    keyword('type', fc.constantFrom('string', 'number', 'integer', 'object', 'array', ['string', 'null'])),
    keyword('enum', fc.uniqueArray(values, { minLength: 1, maxLength: 3, selector: (item) => JSON.stringify(item) })),
    keyword('const', values),
    keyword('minimum', fc.integer({ min: -1, max: 2 })),
    keyword('required', fc.uniqueArray(names, { maxLength: 2 })),
    keyword('$ref', fc.constantFrom('#/$defs/one', '#/$defs/two')),
  ];
  if (depth === 0) return keywords(flat);
  const inner = fc.oneof({ arbitrary: schemaOf(depth - 1), weight: 6 }, { arbitrary: fc.boolean(), weight: 1 });
  const list = fc.array(inner, { minLength: 1, maxLength: 2 });
  return keywords([
    ...flat,
    ...['additionalProperties', 'items', 'not', 'if', 'then', 'propertyNames'].map((name) => keyword(name, inner)),
    ...['anyOf', 'oneOf', 'allOf'].flatMap((name) => [keyword(name, list), keyword(name, list)]),
    keyword('properties', fc.dictionary(names, inner, { maxKeys: 2, noNullPrototype: true })),
    keyword('propertyNames', fc.constant({ type: 'string', description: 'any' })),
  ]);
}

function keywords(some: readonly fc.Arbitrary<readonly [string, unknown]>[]): fc.Arbitrary<object> {
  return fc
    .uniqueArray(fc.oneof(...some), { maxLength: 4, selector: ([name]) => name })
    .map((members) => Object.fromEntries(members));
}

const ajv = new Ajv2020({ strict: false, validateFormats: false, validateSchema: false, logger: false });

function validator(schema: object): (value: unknown) => boolean {
  const validate = ajv.compile(schema);
  return (value) => validate(value);
}
