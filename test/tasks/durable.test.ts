import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Event } from '../../src/model/events/event.ts';
import type { TaskFlow } from '../../src/flow/document/task-document.ts';
import type { RunOptions } from '../../src/runner/flow-run.ts';
import { defineNodeType } from '../../src/flow/graph/nodes/node-type.ts';
import { expectRefusal } from '../durable/refusal.ts';
import { newPlace, sessionId } from './durable-rig.ts';
import { given, inner, orders } from './orders-flow.ts';
import { one } from './task-rig.ts';

describe('a run of tasks that a store keeps', () => {
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
    // Earlier events are not stored twice.
    const kept = (await place.store.steps.listEvents(sessionId)).map(({ type, data, seq }) => ({ type, data, seq }));
    const once = kept.flatMap(({ type, data }) =>
      /^(harness|phase):start$/.test(type) || ('taskId' in data && data.taskId === 'route') ? type : [],
    );
    expect(once).toEqual(['harness:start', 'phase:start', 'task:start', 'task:complete']);
    expect(kept.map(({ seq }) => seq)).toEqual(kept.map(({ seq }) => seq).toSorted((a, b) => a - b));
  });

  test('that was broken off in a write tells what follows from it once it goes on, and keeps that', async () => {
    const place = newPlace();
    const flow: TaskFlow = {
      flow: { name: 'chain' },
      nodes: {
        book: { type: 'test.book', input: { what: 1 } },
        label: { type: 'data.template', input: { template: 'booked {{ book.booked }}' } },
        look: { type: 'test.look', input: { value: 2 } },
      },
      edges: [
        { from: 'book', to: 'label' },
        { from: 'label', to: 'look' },
      ],
    };
    const broken = await place.run(flow, {}, (instance) => {
      if (place.ran.length === 1) instance.abort();
      return false;
    });
    expect(broken?.status).toBe('aborted');
    const result = await place.run(flow);
    const told = (events: readonly Event[] = []) =>
      events.flatMap(({ type, data }) =>
        type.startsWith('task:') && 'taskId' in data
          ? `${type} ${data.taskId}${'recovered' in data ? ' before' : ''}`
          : [],
      );
    const following = ['task:start label', 'task:complete label', 'task:start look', 'task:complete look'];
    expect(told(result?.events)).toEqual(['task:start book before', 'task:complete book before', ...following]);
    expect(told(await place.store.steps.listEvents(sessionId)).slice(-4)).toEqual(following);
  });

  test('that is over gives its result at once, for the same flow and input, and keeps nothing open', async () => {
    const place = newPlace();
    const first = await place.run(orders, given);
    const open = (await place.store.effects.list(sessionId)).filter(({ state }) => state === 'intended');
    expect(open).toEqual([]);
    place.ran.length = 0;
    const again = await place.run(orders, given);
    expect(place.ran).toEqual([]);
    expect(again).toMatchObject({ outputs: first?.outputs, status: 'complete', durationMs: first?.durationMs });
    expect(again?.events).toEqual(await place.store.steps.listEvents(sessionId));
    expect((await place.run(orders, { flows: { inner } }))?.outputs).toEqual(first?.outputs);

    await expectRefusal('input-changed', place.run(orders, { ...given, input: { kind: 'few' } }));
    const changed: TaskFlow = { ...orders, flow: { ...orders.flow, policy: { concurrency: 2 } } };
    expect((await place.run(changed, given))?.outputs).toEqual(first?.outputs);
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

  test('shares no key with a run whose id is its own and a node of it', async () => {
    const place = newPlace();
    const x: TaskFlow = { flow: { name: 'x' }, nodes: { x: { type: 'test.book', input: { what: 'own' } } } };
    const outer: TaskFlow = { flow: {}, nodes: { b: { type: 'control.subflow', input: { name: 'x' } } } };
    await place.run(outer, { sessionId: 'a', flows: { x } });
    const other = await place.run(x, { sessionId: 'a/b' });
    expect(other?.status).toBe('complete');
    expect([...place.written.keys()]).toEqual(['a/b/x', 'a%2Fb/x']);
  });

  test('goes on under the keys that it began with, as one that a call has begun', async () => {
    const place = newPlace();
    const called = { calledBy: { sessionId: 'a', key: 'a/b' } } as Partial<RunOptions>; // A conversation passes it like this.
    const x: TaskFlow = { flow: { name: 'x' }, nodes: { x: { type: 'test.book', input: { what: 'own' } } } };
    await place.run(x, { sessionId: 'a/b', ...called }, () => place.ran.length > 0);
    place.die();
    const ended = await place.run(x, { sessionId: 'a/b' });
    expect(ended?.status).toBe('complete');
    expect([...place.written.keys()]).toEqual(['a/b/x']);
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
    const effects = (await place.store.effects.list(sessionId)).map(({ key, state }) => [key, state]);
    expect(effects).toEqual([
      ['run/each', 'cancelled'],
      ['run/bad', 'failed'],
      ['run/each.0/look', 'cancelled'],
    ]);
  });

  test('goes on in the version of a flow inside of it that it began with', async () => {
    const place = newPlace();
    await place.run(orders, given, () => place.ran.includes('run/inner/pay'));
    place.die();
    const flows = { inner: inner.replaceAll('pay', 'charge') };
    expect((await place.run(orders, { ...given, flows }))?.status).toBe('complete');
    expect(place.ran.filter((key) => key.endsWith('/charge'))).toEqual([]);
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
    // A refused process may try again, and finds the result.
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
    expect(await place.store.leases.acquire({ sessionId, owner: 'another', ttlMs: 1 })).toMatchObject({
      owner: 'another',
    });
    await asleep.advance(500);
    await refused;
    expect(place.written.size).toBe(0);
    expect(asleep.pending).toBe(0);
  });

  test('ends where the store does not take a step, and says so in words that fit it', async () => {
    const place = newPlace();
    const full = {
      ...place.store,
      steps: { ...place.store.steps, create: () => Promise.reject(new Error('disk full')) },
    };
    const run = place.run(one('{ type: test.book, input: { what: 1 } }'), { store: full });
    await expect(run).rejects.toThrow(/^store-failed: the store did not accept a step\. The session stops/);
    expect(place.written.size).toBe(0);
  });

  test('whose id is that of a conversation is refused', async () => {
    const place = newPlace();
    const lease = await place.store.leases.acquire({ sessionId, owner: 'talk', ttlMs: 1 });
    if (lease === null) throw new Error('There is nobody else.');
    await place.store.steps.create({
      ...{ lease, baseSeq: 0, inputKeys: [], signals: [], effects: [], events: () => [], graphHash: 'g' },
      ...{ state: { stateVersion: 1, slots: {} }, stateVersion: 1 },
    });
    await expectRefusal('session-kind-wrong', place.run(one('{ type: control.noop }')));
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

describe('a run that is broken off by SIGTERM or Ctrl-C has not failed', () => {
  const chain: TaskFlow = {
    flow: { name: 'chain' },
    nodes: {
      a: { type: 'test.book', input: { what: 'a' } },
      b: { type: 'test.book', input: { what: 'b' } },
    },
    edges: [{ from: 'a', to: 'b' }],
  };

  test('where a write has still to begin: whoever goes on begins it', async () => {
    const place = newPlace();
    const first = place.make(chain);
    first.subscribe('task:start', ({ nodeId }) => {
      if (nodeId === 'b') queueMicrotask(() => first.abort());
    });
    const ended = first.run();
    await place.clock.advance(100);
    expect(await ended).toMatchObject({ status: 'aborted', failures: [], outputs: { a: { booked: 'a' } } });
    expect(await place.run(chain)).toMatchObject({ status: 'complete', outputs: { b: { booked: 'b' } } });
    expect(place.ran).toEqual(['run/a', 'run/b']);
  });

  test('where the write that is waited for fails, which whoever goes on tries again as its policy says', async () => {
    let isDown = true;
    const flaky = defineNodeType({
      name: 'test.flaky',
      description: 'Fails once.',
      input: z.object({}),
      output: z.object({}),
      capabilities: { writes: true },
      async run(_input, { clock }) {
        await new Promise<void>((resolve) => clock.schedule(50, resolve));
        if (isDown) throw new Error('down');
        return {};
      },
    });
    const place = newPlace(flaky);
    const flow: TaskFlow = { flow: {}, nodes: { a: { type: 'test.flaky', policy: { retry: { maxAttempts: 2 } } } } };
    const first = place.make(flow);
    const ended = first.run();
    await place.clock.advance(20);
    first.abort();
    await place.clock.advance(100);
    expect(await ended).toMatchObject({ status: 'aborted', failures: [{ taskId: 'a', code: 'task-error' }] });
    // Without a further attempt the run has failed, and reports that when it is resumed.
    isDown = false;
    expect(await place.run(flow)).toMatchObject({ status: 'complete' });
    isDown = true;
    const once = { flow: {}, nodes: { a: { type: 'test.flaky' } } };
    const last = place.make(once, { sessionId: 'other' });
    const over = last.run();
    await place.clock.advance(20);
    last.abort();
    await place.clock.advance(100);
    expect(await over).toMatchObject({ status: 'aborted' });
    expect(await place.run(once, { sessionId: 'other' })).toMatchObject({
      status: 'failed',
      failures: [{ code: 'task-error' }],
    });
  });
});
