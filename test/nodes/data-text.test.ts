import { describe, expect, test } from 'vitest';
import { evaluate, outcome } from './evaluate.ts';

/** Lists in lists, so many levels deep. */
function nested(levels: number): unknown {
  let value: unknown[] = [];
  for (let level = 1; level < levels; level += 1) value = [value];
  return value;
}

function nestedText(levels: number): string {
  return '['.repeat(levels) + ']'.repeat(levels);
}

describe('data.json.parse', () => {
  test('reads JSON text of any kind', () => {
    expect(outcome('data.json.parse', { text: ' {"a":[1,null,"x"]} ' })).toEqual({ value: { a: [1, null, 'x'] } });
    expect(outcome('data.json.parse', { text: '"x"' })).toEqual({ value: 'x' });
  });

  test('keeps a key such as __proto__ as an ordinary one', () => {
    const { value } = outcome('data.json.parse', { text: '{"__proto__":{"polluted":true}}' }) as { value: object };
    expect(Object.keys(value)).toEqual(['__proto__']);
    expect('polluted' in value).toBe(false);
  });

  test('refuses what is no JSON without quoting it', () => {
    for (const text of ['', '{a:1}', '{"secret":"x",}', 'NaN', '[1', '1e400', '{"a":[1,-1e999]}'])
      expect(evaluate('data.json.parse', { text }), text).toMatchObject({ ok: false, code: 'not-json' });
    expect(JSON.stringify(evaluate('data.json.parse', { text: '{"secret"' }))).not.toContain('secret');
  });

  test('reads ten megabytes', () => {
    const text = JSON.stringify({ long: 'x'.repeat(10_000_000) });
    expect(evaluate('data.json.parse', { text }).ok).toBe(true);
  });

  test('refuses what nests deeper than a thousand levels, or holds over a million values', () => {
    expect(outcome('data.json.parse', { text: nestedText(1_000) })).toHaveProperty('value');
    expect(outcome('data.json.parse', { text: nestedText(1_001) })).toBe('json-too-large');
    expect(outcome('data.json.parse', { text: nestedText(10_000) })).toBe('json-too-large');
    expect(outcome('data.json.parse', { text: `[${'0,'.repeat(1_000_001)}0]` })).toBe('json-too-large');
  });
});

describe('data.json.stringify', () => {
  test('writes JSON that data.json.parse reads back', () => {
    const value = { a: [1, null, 'x'], b: JSON.parse('{"__proto__":1}') as unknown };
    const { text } = outcome('data.json.stringify', { value }) as { text: string };
    expect(outcome('data.json.parse', { text })).toEqual({ value });
    expect(text).toContain('__proto__');
  });

  test('refuses what nests too deep to be written', () => {
    expect(outcome('data.json.stringify', { value: nested(1_000) })).toEqual({ text: nestedText(1_000) });
    expect(outcome('data.json.stringify', { value: nested(10_000) })).toBe('json-too-large');
  });
});

describe('data.validate', () => {
  const schema = {
    type: 'object',
    properties: { age: { type: 'integer', minimum: 0 }, code: { type: 'string', pattern: '^[A-Z]{2}$' } },
    required: ['age'],
  };

  test('tells whether a value fits, and each place where it does not', () => {
    expect(outcome('data.validate', { value: { age: 3, code: 'DE' }, schema })).toEqual({ valid: true });
    expect(outcome('data.validate', { value: { age: -1, code: 7 }, schema })).toEqual({
      valid: false,
      errors: [expect.stringMatching(/^age: /), expect.stringMatching(/^code: /)],
    });
    expect(outcome('data.validate', { value: { age: 3, code: 'de' }, schema })).toEqual({
      valid: false,
      errors: ['code: it does not have the required form'],
    });
  });

  test('takes the schemas of anything and of nothing, as they stand and as text', () => {
    for (const schema of [true, 'true', {}])
      expect(outcome('data.validate', { value: 3, schema })).toEqual({ valid: true });
    for (const schema of [false, 'false'])
      expect(outcome('data.validate', { value: 3, schema })).toMatchObject({ valid: false });
  });

  test('takes a keyword without a type for values of its own kind, and lets all others pass', () => {
    const lenient = { properties: { a: { minLength: 2 } }, required: ['a'], minimum: 3 };
    const isValid = (value: unknown): unknown => outcome('data.validate', { value, schema: lenient });
    for (const value of [{ a: 'xy' }, { a: 7 }, 3, 'text', [1], null, true])
      expect(isValid(value), JSON.stringify(value)).toEqual({ valid: true });
    for (const value of [{ a: 'x' }, {}, 2])
      expect(isValid(value), JSON.stringify(value)).toMatchObject({ valid: false });
  });

  test('enforces every keyword', () => {
    const isValid = (value: unknown, schema: unknown): unknown => outcome('data.validate', { value, schema });
    for (const [value, schema] of [
      [{}, { type: 'object', required: ['a'] }],
      [[], { minItems: 1 }],
      [{ B: 1 }, { propertyNames: { pattern: '^[a-z]$' } }],
      [['x'], { items: { pattern: '^\\d+$' } }],
      [7, { not: { type: 'integer' } }],
      [{ a: 1 }, { dependentRequired: { a: ['b'] } }],
      // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
      [{ a: 1 }, { if: { required: ['a'] }, else: true, then: { required: ['b'] } }],
      [{ a: 1 }, { const: { a: 2 } }],
    ])
      expect(isValid(value, schema), JSON.stringify(schema)).toMatchObject({ valid: false });
    expect(isValid({ a: [1], b: 2 }, { const: { b: 2, a: [1] } })).toEqual({ valid: true });
  });

  test('takes the schema as text as well', () => {
    expect(outcome('data.validate', { value: 'x', schema: '{"type":"string"}' })).toEqual({ valid: true });
  });

  test('refuses a schema that is none, or that it cannot enforce', () => {
    const deep = nestedText(100_000).replaceAll('[', '{"not":').replaceAll(']', '}').replace(':}', ':{}}');
    for (const broken of ['', '[]', 'string', '{"type":"strin"}', '{"$ref":"https://example.com/x"}', deep])
      expect(outcome('data.validate', { value: 1, schema: broken }), broken.slice(0, 60)).toBe('schema-invalid');
  });

  test('refuses a value that nests too deep for a schema that refers to itself', () => {
    const list = '{"$ref":"#/$defs/list","$defs":{"list":{"type":"array","items":{"$ref":"#/$defs/list"}}}}';
    expect(outcome('data.validate', { value: nested(100), schema: list })).toEqual({ valid: true });
    expect(outcome('data.validate', { value: nested(10_000), schema: list })).toBe('json-too-large');
  });

  test('tells a hundred errors at most', () => {
    const input = {
      value: Array.from({ length: 1_000 }, () => 0),
      schema: '{"type":"array","items":{"type":"string"}}',
    };
    expect((outcome('data.validate', input) as { errors: string[] }).errors).toHaveLength(100);
  });
});
