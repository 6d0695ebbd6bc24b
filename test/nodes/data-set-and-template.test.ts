import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { conversation, graphOf } from '../kernel/session.ts';
import { resolvePath, type Lookup } from '../../src/flow/expression/path.ts';
import { builtinCatalog } from '../../src/flow/nodes/builtin.ts';
import { evaluate } from './evaluate.ts';

function set(object: unknown, path: string, value: unknown): unknown {
  const result = evaluate('data.set', { object, path, value });
  return result.ok ? (result.output as { object: unknown }).object : `${result.code}: ${result.message}`;
}

describe('data.set', () => {
  test('sets a value on a copy, and shares what lies beside the path', () => {
    const object = { visit: { time: '9:00' }, other: { kept: true } };
    const result = set(object, 'visit.time', '10:00') as typeof object;
    expect(result).toEqual({ visit: { time: '10:00' }, other: { kept: true } });
    expect(object.visit.time).toBe('9:00');
    expect(result.other).toBe(object.other);
  });

  test('makes the objects that are missing on the way', () => {
    expect(set({ a: null }, 'a.b.c', 1)).toEqual({ a: { b: { c: 1 } } });
  });

  test('sets members of lists, and lets a list grow by one', () => {
    expect(set({ items: [{ n: 1 }] }, 'items.0.n', 2)).toEqual({ items: [{ n: 2 }] });
    expect(set({ items: ['a'] }, 'items.1', 'b')).toEqual({ items: ['a', 'b'] });
    expect(set({ items: ['a'] }, 'items.2', 'c')).toBe(
      'not-settable: "items.2" cannot be set: "items" is a list of 1.',
    );
    expect(set({ items: ['a'] }, 'items.name', 'c')).toContain('is a list of 1');
    expect(set({ items: ['a'] }, 'items.99999999999999999999', 'c')).toContain('is a list of 1');
  });

  test('refuses to go through what is neither object nor list', () => {
    expect(set({ a: { b: 'text' } }, 'a.b.c', 1)).toBe('not-settable: "a.b.c" cannot be set: "a.b" is a string.');
  });

  test('refuses what is no path', () => {
    const input = builtinCatalog.get('data.set')?.input;
    for (const path of ['', 'a..b', 'a b', '0.a', 'a.']) {
      expect(input?.safeParse({ object: {}, path, value: 1 }).success, path).toBe(false);
    }
  });

  test('treats __proto__ and constructor as plain names', () => {
    const result = set({}, '__proto__.polluted', true);
    expect(Object.keys(result as object)).toEqual(['__proto__']);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    expect(set({}, 'constructor.prototype.polluted', true)).toEqual({ constructor: { prototype: { polluted: true } } });
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  test('is read back by the same path', () => {
    const name = fc.constantFrom('a', 'b', 'items', '__proto__', 'toString', '0', '1');
    const object = fc.dictionary(name, fc.jsonValue({ maxDepth: 3 }));
    const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((rest) => ['a', ...rest].join('.'));
    fc.assert(
      fc.property(object, path, fc.jsonValue({ maxDepth: 1 }), (before, at, value) => {
        const copy = structuredClone(before);
        const result = evaluate('data.set', { object: before, path: at, value });
        expect(before).toEqual(copy);
        if (!result.ok) return;
        const after = (result.output as { object: Readonly<Record<string, unknown>> }).object;
        const read = resolvePath(at.split('.'), (first) => (Object.hasOwn(after, first) ? after[first] : undefined));
        expect(read).toEqual(value);
      }),
    );
  });
});

describe('data.template', () => {
  const lookup: Lookup = (name) => ({ name: 'Ann', clinic: 'Harbour' })[name];

  test('fills in its own values before the names of the flow', () => {
    const input = { template: '{{ name }} at {{ clinic }}', values: { name: 'Bo' } };
    expect(evaluate('data.template', input, lookup)).toEqual({ ok: true, output: { text: 'Bo at Harbour' } });
    const long = evaluate('data.template', { template: 'Dear {{ name }}', values: { name: 'x'.repeat(1_000_001) } });
    expect(long).toEqual({
      ok: false,
      code: 'text-too-long',
      message: expect.stringContaining('{{ name }}') as string,
    });
    const special = evaluate('data.template', { template: '{{ constructor }}', values: {} }, () => 'Ann');
    expect(special).toEqual({ ok: true, output: { text: 'Ann' } });
    expect(evaluate('data.template', { template: '{{ name }}, {{ nobody }}' }, lookup)).toEqual({
      ok: true,
      output: { text: 'Ann, ' },
    });
  });

  test('never reads a value as a template', () => {
    const values = { said: '{{ name }}' };
    const output = evaluate('data.template', { template: '{{ said }}', values }, lookup);
    expect(output).toEqual({ ok: true, output: { text: '{{ name }}' } });
  });
});

describe('data.template in a flow', () => {
  test('fills in its own template once, with the names of the flow and its own', () => {
    const graph = graphOf({
      initialNode: 'write',
      state: { who: '{{ clinic }}', clinic: 'Harbour' },
      nodes: {
        write: {
          type: 'data.template',
          input: { template: '{{ greeting }} {{ who }} of {{ clinic }}', values: { greeting: 'Dear' } },
          defaultTransition: 'say',
        },
        say: { say: '{{ write.text }}', end: 'done' },
      },
    });
    const talk = conversation(graph);
    talk.start();
    expect(talk.outcome).toEqual(['say: Dear {{ clinic }} of Harbour', 'end done']);
  });
});
