import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { FlowInstanceOptions, FlowRunResult } from '../../src/runner/flow-instance.ts';
import type { TaskFlow } from '../../src/flow/task-document.ts';
import { defineNodeType } from '../../src/graph/node-type.ts';
import type { Channel } from '../../src/ports/channel.ts';
import { allPoints, mortal } from '../durable/crash/mortal.ts';
import { expectRefusal } from '../durable/refusal.ts';
import { newPlace, type Place, sessionId } from './durable-rig.ts';

/** Tasks of every kind that a crash may meet. */
const orders: TaskFlow = {
  flow: { name: 'orders', input: { kind: 'string' }, policy: { concurrency: 3 } },
  nodes: {
    route: {
      type: 'control.switch',
      input: {
        value: '{{ flow.input.kind }}',
        cases: [{ when: { equals: { var: 'value', value: 'many' } }, route: 'many' }],
      },
    },
    never: { type: 'test.book', input: { what: 'never' } },
    each: {
      type: 'control.foreach',
      input: { list: [1, 2, 3], concurrency: 2 },
      body: {
        nodes: {
          look: { type: 'test.look', input: { value: '{{ item }}' } },
          book: { type: 'test.book', input: { what: '{{ look.value }}' } },
        },
        edges: [{ from: 'look', to: 'book' }],
      },
    },
    flaky: {
      type: 'test.work',
      input: { ms: 3, failures: 2, value: 'at last' },
      policy: { retry: { maxAttempts: 3, backoffMs: 40 } },
    },
    keep: { type: 'system.state.set', input: { key: 'said', value: '{{ flaky.value }}' } },
    said: { type: 'system.state.get', input: { key: 'said' } },
    inner: { type: 'control.subflow', input: { name: 'inner', input: { n: '{{ each.count }}' } } },
    done: { type: 'data.template', input: { template: '{{ said.value }} {{ inner.outputs.pay.booked }}' } },
  },
  edges: [
    { from: 'route', to: 'each', when: { equals: { var: 'route.route', value: 'many' } } },
    { from: 'route', to: 'never', when: { equals: { var: 'route.route', value: 'default' } } },
    { from: 'route', to: 'flaky' },
    { from: 'flaky', to: 'keep' },
    { from: 'keep', to: 'said' },
    { from: 'each', to: 'inner' },
    { from: 'said', to: 'done' },
    { from: 'inner', to: 'done' },
  ],
};
const inner = `
flow: { input: { n: integer } }
nodes:
  ask: { type: test.look, input: { value: "{{ flow.input.n }}" } }
  pay: { type: test.book, input: { what: "{{ ask.value }}" } }
edges: [{ from: ask, to: pay }]
`;
const given: Partial<FlowInstanceOptions> = { input: { kind: 'many' }, flows: { inner } };

const outcomeOf = ({ written }: Place, result: FlowRunResult | undefined) => ({
  status: result?.status,
  outputs: result?.outputs,
  failures: result?.failures,
  written: [...written].toSorted(([one], [other]) => (one < other ? -1 : 1)),
});

/** The keys of the attempts that are kept as done. */
async function keptKeys({ store }: Place): Promise<ReadonlySet<string>> {
  const log = await store.readLog(sessionId);
  return new Set(log.flatMap(({ signal }) => (signal.type === 'attempt:done' ? `${signal.place}/${signal.task}` : [])));
}

const one = (node: string, flow = '{}'): string => `flow: ${flow}\nnodes:\n  a: ${node}\n`;

describe('a run of tasks that a store keeps', () => {
  test('that dies before or after any of its writes ends as if it had not, and repeats no node that is kept as done', async () => {
    const whole = newPlace();
    const counting = mortal(whole.store, null, () => undefined);
    const expected = outcomeOf(whole, await whole.run(orders, { ...given, store: counting.store }));
    expect(expected).toMatchObject({ status: 'complete', outputs: { done: { text: 'at last 3' } } });
    expect(expected.written).toHaveLength(4);
    expect(counting.count()).toBeGreaterThan(15);

    const differences: unknown[] = [];
    for (const point of allPoints(counting.count())) {
      const place = newPlace();
      let isDead = false;
      const { store } = mortal(place.store, point, () => (isDead = true));
      await place.run(orders, { ...given, store }, () => isDead);
      expect(isDead).toBe(true);
      place.die();
      const done = await keptKeys(place);
      place.ran.length = 0;
      // The input is kept with the first of all commits.
      const isKept = (await place.store.loadSnapshot(sessionId)) !== null;
      const found = outcomeOf(place, await place.run(orders, isKept ? { flows: { inner } } : given));
      const again = place.ran.filter((key) => done.has(key));
      const isSame = JSON.stringify(found) === JSON.stringify(expected);
      if (!isSame || again.length > 0) differences.push({ point, again, ...(isSame ? {} : { found }) });
    }
    expect(differences).toEqual([]);
  });

  test('tells what was done before as recovered, runs nothing of it again, and goes on where it stood', async () => {
    const place = newPlace();
    await place.run(orders, given, () => place.ran.includes('run/each.0/book'));
    place.die();
    place.ran.length = 0;
    const result = await place.run(orders, given);
    const told = result?.events.flatMap(({ type, data }) =>
      type.startsWith('task:') || type === 'harness:start'
        ? [`${type} ${'taskId' in data ? data.taskId : ''}${'recovered' in data ? ' before' : ''}`]
        : [],
    );
    expect(told?.slice(0, 8)).toEqual([
      'harness:start  before',
      'task:start route before',
      'task:complete route before',
      'task:skipped never before',
      'task:start each before',
      'task:start flaky before',
      'task:retry flaky before',
      'task:start each.0.look before',
    ]);
    expect(told).toContain('task:complete each.0.look before');
    expect(told).toContain('task:complete each.0.book');
    expect(place.ran).not.toContain('run/each.0/look');
    expect(place.ran).toContain('run/each.0/book');
    // What was told before is not kept twice.
    const kept = (await place.store.readEvents(sessionId)).map(({ type, data, seq }) => ({ type, data, seq }));
    expect(
      kept.filter(({ type, data }) => type === 'task:start' && 'taskId' in data && data.taskId === 'route'),
    ).toHaveLength(1);
    expect(kept.map(({ seq }) => seq)).toEqual(kept.map(({ seq }) => seq).toSorted((a, b) => a - b));
  });

  test('that is over gives its result at once, for the same flow and input, and keeps nothing open', async () => {
    const place = newPlace();
    const first = await place.run(orders, given);
    const open = (await place.store.loadEffects(sessionId)).filter(({ state }) => state === 'intended');
    expect(open).toEqual([]);
    place.ran.length = 0;
    const again = await place.run(orders, given);
    expect(place.ran).toEqual([]);
    expect(again).toMatchObject({ outputs: first?.outputs, status: 'complete', durationMs: first?.durationMs });
    expect(again?.events).toEqual(await place.store.readEvents(sessionId));
    expect((await place.run(orders, { flows: { inner } }))?.outputs).toEqual(first?.outputs);

    await expectRefusal('input-changed', place.run(orders, { ...given, input: { kind: 'few' } }));
    const changed: TaskFlow = { ...orders, flow: { ...orders.flow, policy: { concurrency: 2 } } };
    await expectRefusal('flow-gone', place.run(changed, given));
  });

  test('has a key for each write, whatever its nodes are called', async () => {
    const place = newPlace();
    const body = { nodes: { x: { type: 'test.book', input: { what: 'body' } } } };
    const flow: TaskFlow = {
      flow: { name: 'odd' },
      nodes: [
        { id: 'a', type: 'control.foreach', input: { list: [1] }, body },
        { id: 'a.0', type: 'control.subflow', input: { name: 'other' } },
        { id: 'a.0/x', type: 'test.book', input: { what: 'own' } },
      ],
    };
    const other: TaskFlow = { flow: {}, nodes: { x: { type: 'test.book', input: { what: 'other' } } } };
    await place.run(flow, { flows: { other } });
    expect([...place.written.keys()].toSorted()).toEqual(['run/a%2E0%2Fx', 'run/a%2E0/x', 'run/a.0/x']);
  });

  test('that has failed leaves nothing open, not even inside of a node that was cancelled', async () => {
    const place = newPlace();
    const result = await place.run(`flow: {}
nodes:
  each:
    type: control.foreach
    input: { list: [1] }
    body: { nodes: { look: { type: test.look, input: { value: 1, ms: 1000 } } } }
  bad: { type: test.work, input: { ms: 10, failures: 1 } }
`);
    expect(result?.status).toBe('failed');
    const effects = (await place.store.loadEffects(sessionId)).map(({ key, state }) => [key, state]);
    expect(effects).toEqual([
      ['run/each', 'cancelled'],
      ['run/bad', 'failed'],
      ['run/each.0/look', 'cancelled'],
    ]);
  });

  test('does not go on where a flow inside of it has changed, and stands as it stood', async () => {
    const place = newPlace();
    await place.run(orders, given, () => place.ran.includes('run/inner/pay'));
    place.die();
    const before = await place.store.loadSnapshot(sessionId);
    const flows = { inner: inner.replaceAll('pay', 'charge') };
    await expectRefusal('flow-gone', place.run(orders, { ...given, flows }));
    expect(await place.store.loadSnapshot(sessionId)).toEqual(before);
    expect((await place.run(orders, given))?.status).toBe('complete');
  });

  test('is gone on with by one process only, and the other one is told so', async () => {
    const place = newPlace();
    const flow = one('{ type: test.look, input: { value: 1, ms: 1000 } }');
    await place.run(flow, {}, () => place.ran.length === 1);
    place.die();
    const [first, second] = [place.make(flow), place.make(flow)];
    const ends = Promise.allSettled([first.run(), second.run()]);
    await place.clock.runUntil(() => first.status === 'complete', 10_000);
    const [taken, refused] = await ends;
    expect(taken).toMatchObject({ status: 'fulfilled', value: { status: 'complete' } });
    expect(refused).toMatchObject({ status: 'rejected', reason: { code: 'session-taken' } });
    // Who was refused may come again, and finds the result.
    expect((await second.run()).outputs).toEqual({ a: { value: 1 } });
  });

  test('ends without another step where another process has taken it over meanwhile, and says so', async () => {
    const place = newPlace();
    const flow = `flow: {}
nodes:
  a: { type: test.look, input: { value: 1, ms: 1000 } }
  b: { type: test.book, input: { what: 2 } }
edges: [{ from: a, to: b }]
`;
    const asleep = place.clock;
    const refused = expectRefusal('lease-lost', place.make(flow).run());
    await asleep.advance(500);
    place.die();
    expect(await place.store.acquireLease(sessionId, 'another', 1)).toMatchObject({ owner: 'another' });
    await asleep.advance(500);
    await refused;
    expect(place.written.size).toBe(0);
    expect(asleep.pending).toBe(0);
  });

  test('whose id is that of a conversation is refused', async () => {
    const place = newPlace();
    const lease = await place.store.acquireLease(sessionId, 'talk', 1);
    if (lease === null) throw new Error('There is nobody else.');
    await place.store.commit({
      ...{ lease, baseSeq: 0, inputKeys: [], signals: [], effects: [], events: () => [], graphHash: 'g' },
      ...{ state: { stateVersion: 1, slots: {} }, stateVersion: 1 },
    });
    await expectRefusal('session-unfit', place.run(one('{ type: control.noop }')));
  });
});

describe('a node in the middle of which the process dies', () => {
  test('and that waits goes on with the rest of its time', async () => {
    const place = newPlace();
    const startedAt = place.clock.now();
    const flow = one('{ type: control.wait, input: { ms: 3600000 } }');
    void place.make(flow).run();
    await place.clock.advance(2_400_000);
    place.die();
    const result = await place.run(flow);
    expect(place.clock.now() - startedAt).toBe(3_600_000);
    expect(result).toMatchObject({ outputs: { a: { waitedMs: 3_600_000 } }, durationMs: 3_600_000 });
  });

  test('and whose next attempt is due later waits for that moment, within the time that all of them have', async () => {
    const tried = async (policy: string): Promise<readonly [ms: number, result: FlowRunResult | undefined]> => {
      const place = newPlace();
      const startedAt = place.clock.now();
      const flow = one(`{ type: test.work, input: { failures: 1 }, policy: { ${policy} } }`);
      void place.make(flow).run();
      await place.clock.advance(20_000);
      place.die();
      const result = await place.run(flow);
      return [place.clock.now() - startedAt, result];
    };
    const retry = 'retry: { max_attempts: 2, backoff_ms: 90000 }';
    expect(await tried(retry)).toMatchObject([90_000, { status: 'complete' }]);
    const late = { failures: [{ code: 'task-timeout', attempts: 2 }] };
    expect(await tried(`${retry}, total_timeout_ms: 85000`)).toMatchObject([85_000, late]);
  });

  test('asks again what was not answered, and never what was', async () => {
    const place = newPlace();
    const flow = `flow: {}
nodes:
  a: { type: control.gate, input: { prompt: One? } }
  b: { type: control.gate, input: { prompt: Two? } }
edges: [{ from: a, to: b }]
`;
    const asked: string[] = [];
    const person = (answers: readonly string[]): Channel => ({
      name: 'person',
      ask(question) {
        asked.push(question);
        const answer = answers[asked.length - 1];
        return answer === undefined ? new Promise(() => undefined) : Promise.resolve(answer);
      },
    });
    await place.run(flow, { channels: [person(['yes'])] }, () => asked.length === 2);
    place.die();
    const result = await place.run(flow, { channels: [person(['', '', 'no'])] });
    expect(asked).toEqual(['One?', 'Two?', 'Two?']);
    expect(result?.outputs).toMatchObject({ a: { response: { content: 'yes' } }, b: { response: { content: 'no' } } });
  });
});

describe('an output that cannot be kept', () => {
  const odd = {
    ...{ name: 'test.odd', description: 'Gives what is no JSON.', input: z.strictObject({}), output: z.unknown() },
  };
  const value = { list: [1, { odd: Number.NaN }] };
  test.each([
    ['that takes time', defineNodeType({ ...odd, run: () => Promise.resolve(value) })],
    ['that takes none', defineNodeType({ ...odd, evaluate: () => ({ ok: true, output: value }) })],
  ])('is the failure of its node, %s, and names where it lies', async (_kind, type) => {
    const place = newPlace(type);
    const flow = `flow: {}
nodes:
  a: { type: test.odd }
  b: { type: test.book, input: { what: 1 } }
edges: [{ from: a, to: b }]
`;
    const result = await place.run(flow);
    expect(result?.failures).toMatchObject([
      {
        taskId: 'a',
        code: 'state-not-json',
        message: expect.stringMatching(/^the output of task "a"\.list\[1\]\.odd is NaN\./) as string,
      },
    ]);
    expect(place.written.size).toBe(0);
  });
});

describe('a run that is broken off', () => {
  test('waits for a write in the body of a node, and goes on later from there', async () => {
    const place = newPlace();
    const flow = `flow: {}
nodes:
  each:
    type: control.foreach
    input: { list: [1, 2] }
    body:
      nodes:
        book: { type: test.book, input: { what: "{{ item }}", ms: 100 } }
`;
    const instance = place.make(flow);
    const ended = instance.run();
    await place.clock.advance(50);
    instance.abort();
    await place.clock.advance(100);
    expect(await ended).toMatchObject({ status: 'aborted', durationMs: 100 });
    expect(place.clock.pending).toBe(0);
    const result = await place.run(flow);
    expect(result?.status).toBe('complete');
    expect(place.ran).toEqual(['run/each.0/book', 'run/each.1/book']);
  });
});
