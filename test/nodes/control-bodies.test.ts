import { describe, expect, test } from 'vitest';
import { FlowError } from '../../src/model/errors.ts';
import type { JsonObject } from '../../src/model/json.ts';
import { builtinCatalog } from '../../src/flow/nodes/builtin.ts';
import { createVirtualClock } from '../../src/testing/virtual-clock.ts';
import { issuesOf, names } from './evaluate.ts';
import { runNode, startNode } from './run-node.ts';

/** A body that remembers its names, and computes outputs from them. */
function bodyOf(outputs: (names: JsonObject, index: number) => JsonObject) {
  const runs: [index: number, names: JsonObject][] = [];
  return {
    runs,
    async runBody(index: number, given: JsonObject): Promise<JsonObject> {
      runs.push([index, given]);
      return Promise.resolve(outputs(given, index));
    },
  };
}

function bodyNames(type: string, input: unknown): unknown {
  return builtinCatalog.get(type)?.bodyNames?.(input);
}

describe('control.foreach', () => {
  test('runs its body once for each member, which it calls item, with index and count', async () => {
    const { runs, runBody } = bodyOf(({ item }) => ({ greet: { text: `Hi ${JSON.stringify(item)}` } }));
    expect(await runNode('control.foreach', { list: ['Ann', 'Bo'] }, { runBody })).toEqual({
      count: 2,
      iterations: [
        { item: 'Ann', index: 0, count: 2, outputs: { greet: { text: 'Hi "Ann"' } } },
        { item: 'Bo', index: 1, count: 2, outputs: { greet: { text: 'Hi "Bo"' } } },
      ],
    });
    expect(runs).toEqual([
      [0, { item: 'Ann', index: 0, count: 2 }],
      [1, { item: 'Bo', index: 1, count: 2 }],
    ]);
  });

  test('calls the member as it is told to, and says so before it runs', async () => {
    const { runs, runBody } = bodyOf(() => ({}));
    await runNode('control.foreach', { list: [7], as: 'number' }, { runBody });
    expect(runs[0]?.[1]).toEqual({ number: 7, index: 0, count: 1 });
    expect(bodyNames('control.foreach', { list: [], as: 'number' })).toEqual(['number', 'index', 'count']);
    expect(bodyNames('control.foreach', { list: '{{ members }}' })).toEqual(['item', 'index', 'count']);
  });

  test('refuses a name that the body knows already, or that is none', () => {
    expect(issuesOf('control.foreach', { list: [], as: 'index' })).toEqual([
      ['as', expect.stringContaining('already')],
    ]);
    expect(issuesOf('control.foreach', { list: [], as: 'a b' })).toEqual([['as', expect.stringContaining('member')]]);
  });

  test('of an empty list runs nothing', async () => {
    const { runs, runBody } = bodyOf(() => ({}));
    expect(await runNode('control.foreach', { list: [] }, { runBody })).toEqual({ count: 0, iterations: [] });
    expect(runs).toEqual([]);
  });

  test('works on one member after the other, or on as many at once as it is told to, and keeps their order', async () => {
    for (const concurrency of [1, 3]) {
      let [running, most] = [0, 0];
      const clock = createVirtualClock();
      const run = startNode(
        'control.foreach',
        { list: [30, 20, 10, 40], concurrency },
        {
          clock,
          async runBody(_index, { item }) {
            most = Math.max(most, (running += 1));
            await new Promise<void>((resolve) => void clock.schedule(Number(item), resolve));
            running -= 1;
            return { waited: item ?? null };
          },
        },
      );
      await clock.advance(1_000);
      const { iterations } = run.ended() as { iterations: { outputs: unknown }[] };
      expect(most).toBe(concurrency);
      expect(iterations.map(({ outputs }) => outputs)).toEqual([30, 20, 10, 40].map((waited) => ({ waited })));
    }
  });

  test('begins no other member after a failure, waits for those begun, and fails as it did', async () => {
    const begun: number[] = [];
    const clock = createVirtualClock();
    const run = startNode(
      'control.foreach',
      { list: [0, 1, 2, 3], concurrency: 2 },
      {
        clock,
        async runBody(index) {
          begun.push(index);
          if (index === 1) throw new FlowError('control-fail', 'No.');
          await new Promise<void>((resolve) => void clock.schedule(100, resolve));
          return {};
        },
      },
    );
    await clock.advance(50);
    expect(run.ended()).toBeNull();
    await clock.advance(50);
    expect(run.ended()).toBe('control-fail: No.');
    expect(begun).toEqual([0, 1]);
  });

  test('without a body fails by a code', async () => {
    expect(await runNode('control.foreach', { list: [1] })).toContain('no-body: ');
  });
});

describe('control.loop', () => {
  const untilDone = { while: { not_equals: { var: 'previous.check.done', value: true } } };

  test('runs its body while the condition holds for what the last iteration gave', async () => {
    const { runs, runBody } = bodyOf((_names, index) => ({ check: { done: index === 2 } }));
    expect(await runNode('control.loop', untilDone, { runBody })).toEqual({
      iteration: 3,
      outputs: { check: { done: true } },
    });
    expect(runs).toEqual([
      [0, { iteration: 0, previous: {} }],
      [1, { iteration: 1, previous: { check: { done: false } } }],
      [2, { iteration: 2, previous: { check: { done: false } } }],
    ]);
    expect(bodyNames('control.loop', untilDone)).toEqual(['iteration', 'previous']);
  });

  test('asks its condition with the names of the flow, and before the first iteration', async () => {
    const { runs, runBody } = bodyOf(() => ({}));
    const input = { while: { equals: { var: 'open', value: true } } };
    expect(await runNode('control.loop', input, { runBody, lookup: names({ open: false }) })).toEqual({
      iteration: 0,
      outputs: {},
    });
    expect(runs).toEqual([]);
  });

  test('ends after max_iterations', async () => {
    const { runBody } = bodyOf((_names, index) => ({ last: index }));
    const input = { while: { at_least: { var: 'iteration', value: 0 } }, max_iterations: 4 };
    expect(await runNode('control.loop', input, { runBody })).toEqual({ iteration: 4, outputs: { last: 3 } });
  });

  test('ends where its body does not tell what the condition asks for: unknown is not true', async () => {
    const { runs, runBody } = bodyOf(() => ({}));
    expect(await runNode('control.loop', untilDone, { runBody })).toEqual({ iteration: 1, outputs: {} });
    expect(runs).toHaveLength(1);
  });

  test('that never ends fails by a code after 10,000 iterations', async () => {
    const { runs, runBody } = bodyOf(() => ({ check: { done: false } }));
    expect(await runNode('control.loop', untilDone, { runBody })).toContain('loop-endless: ');
    expect(runs).toHaveLength(10_000);
  });
});

describe('control.subflow', () => {
  test('gives the outputs of the flow that it names', async () => {
    const runFlow = async (name: string, input: JsonObject): Promise<JsonObject> => Promise.resolve({ [name]: input });
    expect(await runNode('control.subflow', { name: 'check', input: { id: 7 } }, { runFlow })).toEqual({
      outputs: { check: { id: 7 } },
    });
    expect(await runNode('control.subflow', { name: 'check' }, { runFlow })).toEqual({ outputs: { check: {} } });
  });

  test('fails as the flow does', async () => {
    expect(await runNode('control.subflow', { name: 'chekc' })).toContain('flow-unknown: ');
  });
});
