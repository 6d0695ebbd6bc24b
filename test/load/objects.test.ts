import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { formatDiagnostic } from '../../src/flow/document/problems/diagnostic.ts';
import { readFlow } from '../../src/flow/load/read-flow.ts';
import { cpuSecondsOf } from '../cpu.ts';

const flow = (more: object = {}): object => ({ initialNode: 'a', nodes: { a: { end: 'x' } }, ...more });

/** Returns the diagnostics of a value in the flow's state. */
function told(value: unknown): string[] {
  return readFlow(flow({ state: { value } })).diagnostics.map(formatDiagnostic);
}

describe('a flow made in code', () => {
  class Visit {
    time = '10:00';
  }
  const cycle: Record<string, unknown> = {};
  cycle['inner'] = { cycle };
  const thrower = new Proxy(
    {},
    {
      ownKeys: () => {
        throw new Error('no');
      },
    },
  );

  it.each([
    [
      'a function',
      () => 'x',
      'state.value not-json: a function cannot be part of a flow. Register it, and name it here.',
    ],
    ['an instance of a class', new Visit(), 'state.value not-json: an instance of a class cannot be part of a flow.'],
    ['a Date', new Date(0), 'state.value not-json: an instance of a class cannot be part of a flow.'],
    ['a Map', new Map(), 'state.value not-json: an instance of a class cannot be part of a flow.'],
    ['a BigInt', 1n, 'state.value not-json: a BigInt cannot be part of a flow.'],
    ['a symbol', Symbol('x'), 'state.value not-json: a symbol cannot be part of a flow.'],
    ['a symbol as key', { [Symbol('x')]: 1 }, 'state.value not-json: a symbol cannot be a key.'],
    ['NaN', [Number.NaN], 'state.value[0] not-json: NaN is not a JSON number.'],
    ['undefined in a list', [1, undefined], 'state.value[1] not-json: a value is undefined.'],
    ['a hole in a list', Array(1), 'state.value[0] not-json: a value is undefined.'],
    ['a cycle', cycle, 'state.value.inner.cycle not-json: a value contains itself.'],
    [
      '__proto__ as key',
      JSON.parse('{"__proto__":1}'),
      'state.value.__proto__ unsafe-key: "__proto__" cannot be a key.',
    ],
    ['a proxy that throws', thrower, 'state.value not-json: a value cannot be read.'],
  ])('refuses %s', (_, value, expected) => {
    const lines = told(value);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(`<object>:${expected}`);
  });

  it('never calls a getter', () => {
    let calls = 0;
    const state = {
      get value() {
        calls += 1;
        return 1;
      },
    };
    expect(readFlow(flow({ state })).diagnostics.map(formatDiagnostic)).toEqual([
      expect.stringContaining('<object>:state.value not-json: a getter cannot be part of a flow.'),
    ]);
    expect(calls).toBe(0);
  });

  it('may leave a key undefined, which is as good as absent', () => {
    const { document } = readFlow(flow({ fallback: undefined }));
    expect(document).toEqual({ initialNode: 'a', nodes: { a: { end: 'x' } } });
    expect(document).not.toHaveProperty('fallback');
  });

  it('is not changed, and its later changes do not reach the document', () => {
    const given = { initial_node: 'a', nodes: { a: { end: 'x', config: { deep: [1] } } } };
    const before = structuredClone(given);
    const { document } = readFlow(given);
    expect(given).toEqual(before);
    given.nodes.a.config.deep.push(2);
    expect(document).toMatchObject({ nodes: { a: { config: { deep: [1] } } } });
  });

  it('may come from another realm, have no prototype, and share parts', () => {
    const shared = { end: 'x' };
    const nodes = Object.assign(Object.create(null) as object, { a: shared, b: shared });
    expect(readFlow({ initialNode: 'a', nodes }).document).toEqual({
      initialNode: 'a',
      nodes: { a: shared, b: shared },
    });
    expect(readFlow(runInNewContext('({ initialNode: "a", nodes: { a: { end: "x" } } })') as object).document).toEqual(
      flow(),
    );
  });

  it('is told of in its own spelling, without places', () => {
    const { diagnostics } = readFlow(
      { initialNode: 'a', nodes: { a: { on_eror: 'x', taskMessages: [{}] } } },
      { file: 'intake.ts' },
    );
    expect(diagnostics.map(formatDiagnostic)).toEqual([
      'intake.ts:nodes.a.taskMessages[0].role missing-key: a message needs "role". Add role: system, developer, user, assistant.',
      'intake.ts:nodes.a.taskMessages[0].content missing-key: a message needs "content". Write it like { role: system, content: … }.',
      'intake.ts:nodes.a.on_eror unknown-key: node "a" has no key "on_eror". Did you mean "on_error"?',
    ]);
    expect(diagnostics[0]).not.toHaveProperty('line');
    expect(diagnostics[0]).not.toHaveProperty('frame');
  });

  it.each([
    [
      'deeper than 64 levels',
      () => {
        let value: unknown = 1;
        for (let level = 0; level < 100_000; level += 1) value = [value];
        return value;
      },
      'too-deep',
    ],
    [
      'of shared parts that unfold without end',
      () => {
        let value: unknown = [1];
        for (let level = 0; level < 60; level += 1) value = [value, value];
        return value;
      },
      'too-many-keys',
    ],
    ['of a list without end', () => Array(4_294_967_295), 'too-many-keys'],
    [
      'of a map with a million keys',
      () => Object.fromEntries(Array.from({ length: 1_000_000 }, (_, index) => [`k${index}`, 1])),
      'too-many-keys',
    ],
  ])('is refused when it is %s', (_, make, code) => {
    const value = make();
    const codes = (): readonly string[] => readFlow(flow({ state: { value } })).diagnostics.map((found) => found.code);
    expect(cpuSecondsOf(() => expect(codes()).toEqual([code]))).toBeLessThan(10);
  });

  it('may not have more than 10,000 nodes', () => {
    const nodes = Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [`n${index}`, { end: 'x' }]));
    expect(readFlow({ initialNode: 'n0', nodes }).diagnostics).toMatchObject([
      { code: 'too-many-nodes', path: ['nodes'] },
    ]);
    delete nodes['n10000'];
    expect(readFlow({ initialNode: 'n0', nodes }).diagnostics).toEqual([]);
  });

  it.each([[null], [[]], [() => 1], [5]])('is refused when it is no object: %s', (value) => {
    const { document, diagnostics } = readFlow(value as object);
    expect(document).toBeNull();
    expect(diagnostics).toMatchObject([{ severity: 'error', file: '<object>', path: [] }]);
  });
});
