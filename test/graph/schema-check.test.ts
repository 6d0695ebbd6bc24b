import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../src/model/json.ts';
import { schemaCheck } from '../../src/flow/graph/schema-check.ts';
import { cpuSecondsOf } from '../cpu.ts';

interface Group {
  readonly description: string;
  readonly schema: JsonObject | boolean;
  readonly tests: readonly { readonly description: string; readonly data: Json; readonly valid: boolean }[];
}

/** The required part of the official suite (github.com/json-schema-org/JSON-Schema-Test-Suite), one file a line. */
function suite(draft: string): readonly (Group & { readonly file: string })[] {
  const path = join(import.meta.dirname, '../fixtures/json-schema-test-suite', `${draft}.jsonl`);
  return readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .flatMap((line) => {
      const { file, groups } = JSON.parse(line) as { file: string; groups: Group[] };
      return groups.map((group) => ({ ...group, file }));
    });
}

/** Returns the tests whose result differs from the suite, and the groups that are refused. */
function outcomes(draft: string) {
  const wrong: string[] = [];
  const refused: string[] = [];
  let right = 0;
  for (const { file, description, schema, tests } of suite(draft)) {
    const check = schemaCheck(typeof schema === 'boolean' ? { allOf: [schema] } : schema);
    if (check.faults.length > 0) refused.push(`${file}: ${description}`);
    else
      for (const test of tests) {
        if ((check.violations(test.data).length === 0) === test.valid) right += 1;
        else wrong.push(`${file}: ${description}: ${test.description}`);
      }
  }
  return { wrong, refused, right };
}

function violations(schema: JsonObject, value: Json): readonly string[] {
  const check = schemaCheck(schema);
  expect(check.faults).toEqual([]);
  return check.violations(value).map(({ path, message }) => [...path, message].join(': '));
}

describe('the official suite', () => {
  it('of draft 2020-12 is met in all that one document can say; what lies in others is refused, never passed over', () => {
    const { wrong, refused, right } = outcomes('draft2020-12');
    expect(wrong).toEqual([]);
    expect(right).toBe(1_204);
    // Each of these names a schema or a dialect of another document.
    const others =
      /^refRemote: |metaschema|optional vocabulary|^ref: remote ref|^dynamicRef: .*(strict-tree|dynamic anchor|\$dynamicAnchor)/;
    expect(refused.filter((one) => !others.test(one))).toEqual([]);
    expect(refused).toHaveLength(24);
  });

  it('of draft 7 is met as well, but that here also what stands beside a $ref binds', () => {
    const { wrong, right } = outcomes('draft7');
    expect(wrong.every((one) => /^ref: (ref overrides any sibling|\$ref prevents a sibling)/.test(one))).toBe(true);
    expect(wrong).toHaveLength(3);
    expect(right).toBeGreaterThan(880);
  });
});

describe('what fits a schema', () => {
  const quiet = { strict: false, validateFormats: false, validateSchema: false, logger: false } as const;
  const ajv = new Ajv2020({ ...quiet, ownProperties: true });
  const count = fc.integer({ min: 0, max: 3 });
  const name = fc.constantFrom('a', 'b', 'constructor');
  const value = fc.jsonValue({ maxDepth: 2 });
  const rules: readonly (readonly [keyword: string, value: fc.Arbitrary<unknown>])[] = [
    ['type', fc.constantFrom('object', 'array', 'string', 'number', 'integer', 'null', 'boolean')],
    ['required', fc.uniqueArray(name, { maxLength: 2 })],
    ['dependentRequired', fc.constant({ a: ['b'] })],
    ['minItems', count],
    ['maxItems', count],
    ['uniqueItems', fc.boolean()],
    ['minProperties', count],
    ['maxProperties', count],
    ['minLength', count],
    ['maxLength', count],
    ['minimum', count],
    ['exclusiveMaximum', count],
    ['enum', fc.array(value, { minLength: 1, maxLength: 2 })],
    ['const', value],
    ['pattern', fc.constantFrom('^a', '[0-9]+')],
  ];
  /** Schemas that nest to this depth, of a few keywords each. */
  const schemas = (depth: number): fc.Arbitrary<JsonObject> => {
    const part: fc.Arbitrary<JsonObject | boolean> = depth === 0 ? fc.boolean() : schemas(depth - 1);
    const list = fc.array(part, { minLength: 1, maxLength: 2 });
    const parts: typeof rules = [
      ['properties', fc.dictionary(name, part, { maxKeys: 2, noNullPrototype: true })],
      ['patternProperties', fc.dictionary(fc.constantFrom('^a', 'b$'), part, { maxKeys: 1, noNullPrototype: true })],
      ...['additionalProperties', 'propertyNames', 'items', 'not', 'if', 'then'].map(
        (keyword) => [keyword, part] as const,
      ),
      ...['prefixItems', 'anyOf', 'oneOf', 'allOf'].map((keyword) => [keyword, list] as const),
    ];
    const entries = [...rules, ...parts].map(([keyword, value]) => fc.tuple(fc.constant(keyword), value));
    return fc
      .uniqueArray(fc.oneof(...entries), { maxLength: 4, selector: ([keyword]) => keyword })
      .map((chosen) => Object.fromEntries(chosen) as JsonObject);
  };

  // In the known differences the other validator is wrong by the suite: contains beside prefixItems, large numbers under multipleOf.
  it('is what another validator takes, for schemas made by chance', () => {
    const members = fc.dictionary(name, value, { maxKeys: 3, noNullPrototype: true });
    const given = fc.oneof(value, members, fc.array(members, { maxLength: 3 })) as fc.Arbitrary<Json>;
    fc.assert(
      fc.property(schemas(2), given, (schema, given) => {
        const check = schemaCheck(schema);
        expect(check.faults).toEqual([]);
        expect(check.violations(given).length === 0).toBe(ajv.validate(schema, given));
        // The validator keeps every schema that it has seen.
        ajv.removeSchema(schema);
      }),
      { numRuns: 300 },
    );
  });
});

describe('a violation', () => {
  it('names the place and the rule, and quotes nothing of the value', () => {
    const schema = {
      type: 'object',
      properties: {
        days: { type: 'array', minItems: 1, items: { type: 'string', pattern: '^\\d{4}-' } },
        seats: { enum: ['in', 'out'] },
        count: { type: 'integer', maximum: 12 },
      },
      required: ['days'],
      additionalProperties: false,
    };
    expect(violations(schema, { days: ['garbage'] })).toEqual(['days: 0: it does not have the required form']);
    expect(violations(schema, { days: [] })).toEqual(['days: it must have at least 1 item']);
    expect(violations(schema, { seats: 'roof', count: 13 })).toEqual([
      'days: it is required',
      'seats: it must be one of: "in", "out"',
      'count: it must be at most 12',
    ]);
    expect(violations(schema, { days: ['2026-'], when: 1 })).toEqual([
      'when: it is not a known property; known are days, seats, count',
    ]);
  });

  it('of one form among several is that of the form which takes values of this type', () => {
    const schema = { anyOf: [{ type: 'string', pattern: '^A' }, { type: 'null' }] };
    expect(violations(schema, 'B1')).toEqual(['it does not have the required form']);
    expect(violations(schema, 7)).toEqual(['it has none of the forms that it may have']);
    expect(
      violations(
        {
          anyOf: [
            { type: 'string', pattern: '^A' },
            { type: 'string', pattern: '^B' },
          ],
        },
        'B1',
      ),
    ).toEqual([]);
  });
});

describe('what cannot be enforced is told', () => {
  it.each([
    ['a schema elsewhere', { $ref: 'https://example.com/x' }, ['$ref']],
    ['a definition that is not there', { properties: { a: { $ref: '#/$defs/b' } } }, ['properties', 'a', '$ref']],
    ['a pattern that looks ahead', { anyOf: [{ items: { pattern: '^(?=a)' } }] }, ['anyOf', 0, 'items', 'pattern']],
    ['a pattern of names', { patternProperties: { '(?<!a)b': true } }, ['patternProperties', '(?<!a)b']],
    ['a type that is none', { items: { type: 'strin' } }, ['items', 'type']],
    ['a bound that is none', { minimum: '3' }, ['minimum']],
    ['a list that is none', { required: 'a' }, ['required']],
    ['a circle', { $ref: '#' }, []],
    [
      'a circle over definitions',
      { allOf: [{ $ref: '#/$defs/a' }], $defs: { a: { anyOf: [{ $ref: '#' }] } } },
      ['$defs', 'a', 'anyOf', 0],
    ],
    ['another dialect', { $schema: 'http://json-schema.org/draft-03/schema#' }, ['$schema']],
  ])('%s', (_what, schema, path) => {
    expect(schemaCheck(schema as JsonObject).faults.map((fault) => fault.path)).toEqual([path]);
  });
});

describe('whatever a value or a schema does', () => {
  it('a pattern ends, and a text too long for it does not fit, whichever way round it is asked', () => {
    const long = 'a'.repeat(20_000);
    expect(cpuSecondsOf(() => violations({ pattern: '^(a+)+$' }, `${'a'.repeat(9_000)}b`))).toBeLessThan(2);
    expect(violations({ pattern: 'a' }, long)).toHaveLength(1);
    expect(violations({ not: { pattern: 'b' } }, long)).toHaveLength(1);
  });

  it('a schema that branches without end is given up, and the value does not fit', () => {
    const schema = {
      $ref: '#/$defs/a',
      $defs: {
        a: {
          anyOf: [
            { items: { $ref: '#/$defs/a' }, minItems: 9 },
            { items: { $ref: '#/$defs/a' }, maxItems: 1 },
          ],
        },
      },
    };
    let value: Json = 7;
    for (let level = 0; level < 60; level += 1) value = [value];
    expect(violations(schema, value)).toEqual(['it takes too long to check against its schema']);
  });

  it('a value deeper than the stack does not fit', () => {
    const schema = { $ref: '#/$defs/a', $defs: { a: { type: 'array', items: { $ref: '#/$defs/a' } } } };
    let value: Json = [];
    for (let level = 0; level < 50_000; level += 1) value = [value];
    expect(violations(schema, value)).toEqual(['it nests too deep to be checked']);
  });

  it('names of the language itself are names like others', () => {
    const schema = { properties: { a: true }, patternProperties: { '^b': true }, additionalProperties: false };
    for (const name of ['constructor', 'toString', '__proto__'])
      expect(violations(schema, JSON.parse(`{"${name}":1}`) as Json)).toHaveLength(1);
  });
});
