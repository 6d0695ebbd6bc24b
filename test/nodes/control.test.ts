import { describe, expect, test } from 'vitest';
import { builtinCatalog } from '../../src/flow/nodes/builtin.ts';
import { compiledOnce } from '../../src/flow/nodes/condition.ts';
import { evaluate, issuesOf, names } from './evaluate.ts';

describe('control.switch', () => {
  const cases = [
    { when: { equals: { var: 'reason', value: 'pain' } }, route: 'urgent' },
    { when: { exists: { var: 'reason' } }, route: 'routine' },
  ];

  test('gives the route of the first case that holds, and the value', () => {
    const input = { value: { any: ['thing'] }, cases };
    const output = (reason: string): unknown => evaluate('control.switch', input, names({ reason }));
    expect(output('pain')).toEqual({ ok: true, output: { route: 'urgent', value: { any: ['thing'] } } });
    expect(output('checkup')).toEqual({ ok: true, output: { route: 'routine', value: { any: ['thing'] } } });
  });

  test('gives the route "default" where no case holds', () => {
    expect(evaluate('control.switch', { cases })).toEqual({ ok: true, output: { route: 'default', value: null } });
    expect(evaluate('control.switch', { cases: [] })).toMatchObject({ output: { route: 'default' } });
  });

  test('lets its cases call what it decides on `value`', () => {
    const input = { value: 7, cases: [{ when: { at_least: { var: 'value', value: 5 } }, route: 'many' }] };
    expect(evaluate('control.switch', input, names({ value: 1 }))).toMatchObject({
      output: { route: 'many', value: 7 },
    });
  });

  test('without a value leaves the name `value` to the flow', () => {
    const input = { cases: [{ when: { equals: { var: 'value', value: 1 } }, route: 'one' }] };
    expect(evaluate('control.switch', input, names({ value: 1 }))).toMatchObject({ output: { route: 'one' } });
  });

  test('tells what is wrong in a condition before it runs', () => {
    const two = { equals: { var: 'a', value: 1 }, exists: { var: 'a' } };
    const input = {
      cases: [
        { when: { matches: { var: 'a', value: '(?=x)' } }, route: 'x' },
        { when: { not: two }, route: 'y' },
      ],
    };
    expect(issuesOf('control.switch', input)).toEqual([
      ['cases.0.when.matches.value', expect.stringContaining('lookahead')],
      ['cases.1.when.not', expect.stringContaining('2 operators')],
    ]);
  });
});

describe('control.if', () => {
  test('tells whether its condition holds', () => {
    const input = { condition: { not_equals: { var: 'plan', value: 'basic' } } };
    expect(evaluate('control.if', input, names({ plan: 'gold' }))).toEqual({ ok: true, output: { condition: true } });
    expect(evaluate('control.if', input, names({ plan: 'basic' }))).toEqual({ ok: true, output: { condition: false } });
  });

  test('compiles a condition once for the check and the evaluation', () => {
    const when = { equals: { var: 'plan', value: 'gold' } };
    expect(compiledOnce(when)).toBe(compiledOnce(when));
  });
});

describe('control.merge', () => {
  test('tells that paths have met, and which of them it waits for', () => {
    expect(evaluate('control.merge', {})).toEqual({ ok: true, output: { merged: true } });
    const merge = builtinCatalog.get('control.merge');
    const waitsFor = (input: unknown): unknown => merge?.waitsFor?.(merge.input.parse(input));
    expect([waitsFor({}), waitsFor({ mode: 'any' }), waitsFor({ mode: 'all' })]).toEqual(['all', 'any', 'all']);
    expect(issuesOf('control.merge', { mode: 'some' })).toEqual([['mode', expect.stringContaining('"any"')]]);
  });
});

describe('control.fail', () => {
  test('fails with its message, and says so beforehand', () => {
    expect(evaluate('control.fail', { message: 'No slots left.' })).toEqual({
      ok: false,
      code: 'control-fail',
      message: 'No slots left.',
    });
    expect(builtinCatalog.get('control.fail')?.capabilities?.fails).toBe(true);
  });
});

describe('control.noop', () => {
  test('passes its value on, if it has one', () => {
    expect(evaluate('control.noop', { value: [1, null] })).toEqual({ ok: true, output: { value: [1, null] } });
    expect(evaluate('control.noop', { value: null })).toEqual({ ok: true, output: { value: null } });
    expect(evaluate('control.noop', {})).toEqual({ ok: true, output: {} });
  });
});

describe('every built-in node', () => {
  test('describes itself and each of its inputs, and refuses others', () => {
    expect([...builtinCatalog.keys()].length).toBeGreaterThanOrEqual(6);
    for (const [name, { description, input }] of builtinCatalog) {
      expect(description, name).toMatch(/^[A-Z].*\.$/);
      const { shape } = input as unknown as { shape: Record<string, { description?: string }> };
      for (const [key, field] of Object.entries(shape)) expect(field.description, `${name} ${key}`).toBeTruthy();
      expect(JSON.stringify(issuesOf(name, { unheardOf: 1 })), name).toContain('unheardOf');
    }
  });

  test('gives an output that fits its own schema', () => {
    const inputs: Readonly<Record<string, unknown>> = {
      'control.switch': { cases: [] },
      'control.if': { condition: { exists: { var: 'a' } } },
      'control.merge': {},
      'control.noop': { value: 1 },
      'data.filter': { list: [1], when: { exists: { var: 'item' } } },
      'data.json.parse': { text: '{}' },
      'data.json.stringify': { value: [] },
      'data.map': { list: [1], template: '{{ item }}' },
      'data.merge': { objects: [{}] },
      'data.pick': { object: {}, keys: ['a'] },
      'data.reduce': { list: [1] },
      'data.set': { object: {}, path: 'a', value: 1 },
      'data.template': { template: 'Hi.' },
      'data.validate': { value: 1, schema: '{"type":"string"}' },
    };
    for (const [name, input] of Object.entries(inputs)) {
      const result = evaluate(name, input);
      expect(result.ok && builtinCatalog.get(name)?.output.safeParse(result.output).success, name).toBe(true);
    }
  });
});
