import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bindingProblems,
  bindingReferences,
  compileBinding,
  resolveBinding,
} from '../../src/flow/expression/binding.ts';
import type { Lookup } from '../../src/flow/expression/path.ts';
import { cpuSecondsOf } from '../cpu.ts';

const lookup: Lookup = (name) =>
  new Map<string, unknown>([
    ['n', 3],
    ['list', [1, 2]],
    ['nothing', null],
  ]).get(name);
const resolve = (value: unknown): unknown => resolveBinding(compileBinding(value), lookup);

describe('compileBinding and resolveBinding', () => {
  it.each([
    ['one reference keeps its type', '{{ n }}', 3],
    ['one reference may be null', '{{ nothing }}', null],
    ['one reference may be unknown', '{{ unknown }}', undefined],
    ['text around it makes it text', ' {{ n }}', ' 3'],
    ['two references are text', '{{ n }}{{ n }}', '33'],
    ['arrays and objects are mapped', { a: ['{{ n }}', { b: 'x{{ n }}' }] }, { a: [3, { b: 'x3' }] }],
    [
      'what is unknown is left out of an object and null in a list',
      { a: '{{ unknown }}', b: ['{{ unknown }}'] },
      { b: [null] },
    ],
    ['keys are not templates', { '{{ n }}': '{{ n }}' }, { '{{ n }}': 3 }],
    ['escaped braces are text', ['\\{{ n }}'], ['{{ n }}']],
    ['a problem stays as it is written', ['{{ n() }}', '{{ n }}'], ['{{ n() }}', 3]],
  ])('%s', (_, value, resolved) => {
    expect(resolve(value)).toStrictEqual(resolved);
  });

  it('hands on the very same value of a reference', () => {
    const visit = { time: 9 };
    expect(resolveBinding(compileBinding({ visit: '{{ visit }}' }), () => visit)).toHaveProperty('visit', visit);
  });

  it('returns whatever holds no template as the very same object', () => {
    const plain = { deep: [{ a: 1, text: 'a { b }' }, null], nan: Number.NaN };
    expect(resolve(plain)).toBe(plain);
    expect((resolve({ plain, n: '{{ n }}' }) as { plain: unknown }).plain).toBe(plain);
    fc.assert(
      fc.property(fc.anything(), (value) => {
        fc.pre(!fc.stringify(value).includes('{{'));
        expect(Object.is(resolve(value), value)).toBe(true);
      }),
    );
  });

  it('leaves the value it was given untouched', () => {
    const value = { a: ['{{ n }}'] };
    resolve(value);
    expect(value).toStrictEqual({ a: ['{{ n }}'] });
  });

  it('keeps a key named __proto__ an ordinary one', () => {
    const resolved = resolve(JSON.parse('{ "__proto__": { "polluted": "{{ n }}" }, "constructor": "{{ n }}" }'));
    expect(Object.keys(resolved as object)).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(resolved)).toBe(Object.prototype);
    expect((resolved as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it('maps plain objects only, and calls no getter', () => {
    const when = new Date(0);
    const getter = Object.defineProperty({}, 'x', { enumerable: true, get: () => expect.unreachable() });
    expect(resolve([when, getter, '{{ n }}'])).toEqual([when, expect.anything(), 3]);
  });

  it('says which names it uses, and where', () => {
    expect(bindingReferences(compileBinding({ a: ['{{ n.x }}', '{{ b }} and {{ c }}'] }))).toEqual([
      { path: ['n', 'x'], at: ['a', 0] },
      { path: ['b'], at: ['a', 1] },
      { path: ['c'], at: ['a', 1] },
    ]);
  });

  it('says what is wrong, and where', () => {
    expect(bindingProblems(compileBinding({ a: ['ok', 'x {{ f() }}'] }))).toEqual([
      { at: ['a', 1], start: 2, end: 11, reason: expect.any(String), hint: expect.any(String) },
    ]);
  });

  it('fills in 64 levels and reports deeper ones, which stay as they are', () => {
    const nested = (levels: number): unknown => (levels === 0 ? '{{ n }}' : [nested(levels - 1)]);
    expect(JSON.stringify(resolve(nested(64)))).toBe('['.repeat(64) + '3' + ']'.repeat(64));
    const deeper = nested(65);
    const binding = compileBinding(deeper);
    expect(resolveBinding(binding, lookup)).toBe(deeper);
    expect(bindingProblems(binding)).toEqual([expect.objectContaining({ at: Array.from({ length: 64 }, () => 0) })]);
  });

  it('ends on cycles, on shared parts that unfold without end, and on 100,000 levels', () => {
    const cycle: unknown[] = ['{{ n }}'];
    cycle.push(cycle, cycle);
    let shared: unknown = '{{ n }}';
    for (let level = 0; level < 60; level += 1) shared = { a: shared, b: shared };
    let deep: unknown = '{{ n }}';
    for (let level = 0; level < 100_000; level += 1) deep = { deep };
    const page = '{{ n }} '.repeat(50_000);
    const problemsOf = (value: unknown): number => {
      const binding = compileBinding(value);
      resolveBinding(binding, lookup);
      return bindingProblems(binding).length;
    };
    const all = (): void => {
      expect(problemsOf(cycle)).toBeGreaterThan(0);
      expect(problemsOf(shared)).toBe(1);
      expect(problemsOf(deep)).toBe(1);
      expect(problemsOf(Array.from({ length: 1_000 }, () => page))).toBe(1);
    };
    expect(cpuSecondsOf(all)).toBeLessThan(50);
  });

  it('resolves any value to what its JSON would resolve to', () => {
    const leaf = fc.oneof(
      fc.constantFrom('{{ n }}', 'a {{ n }}', '{{ unknown }}', '{{', '\\{{'),
      fc.integer(),
      fc.constant(null),
    );
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof({ maxDepth: 4 }, leaf, fc.array(tie('tree')), fc.dictionary(fc.string(), tie('tree'))),
    }));
    fc.assert(
      fc.property(tree, (value) => {
        fc.pre(value !== '{{ unknown }}');
        const resolved = resolve(value);
        expect(JSON.parse(JSON.stringify(resolved))).toEqual(resolved);
      }),
    );
  });
});
