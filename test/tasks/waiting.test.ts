import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/model/json.ts';
import type { OutsideSignal } from '../../src/model/inbox.ts';
import { findWait, mayStillCome } from '../../src/people/waits.ts';
import { createFlowRun } from '../../src/runner/create-flow-run.ts';
import { createVirtualClock } from '../../src/testing/virtual-clock.ts';
import { newPlace, type Place, sessionId } from './durable-rig.ts';

/** A refund that a person decides about. No part of it runs meanwhile. */
const refund = (more: JsonObject = {}) => ({
  flow: { name: 'refund', input: { amount: { type: 'number' as const } } },
  nodes: [
    {
      id: 'ask',
      type: 'interrupt.escalate',
      input: { to: 'refunds', question: 'Refund {{ flow.input.amount }}?', ...more },
    },
    { id: 'tell', type: 'data.template', input: { template: 'It is: {{ ask.decision }}.' } },
  ],
  edges: [{ from: 'ask', to: 'tell' }],
});

function waiting(more: JsonObject = {}) {
  const place = newPlace();
  const run = async (input?: JsonObject) => await place.run(refund(more), input === undefined ? {} : { input });
  const post = async (key: string, signal: OutsideSignal) =>
    await place.store.inbox.post([
      { key, sessionId, dueAt: place.clock.now(), signal, reach: 'wait', correlation: {}, actor: null },
    ]);
  return { place, run, post };
}

test('a run whose tasks all wait is let go of, and goes on in another process once somebody has decided', async () => {
  const { place, run, post } = waiting();
  const first = await run({ amount: 120 });
  expect([first?.status, first?.outputs]).toEqual(['waiting', {}]);
  const [open] = await place.store.effects.listOpen({ kind: 'wait', limit: 10 });
  expect(open?.effect).toMatchObject({
    payload: { to: 'refunds', question: 'Refund 120?', options: ['approve', 'reject'] },
  });
  expect(await place.store.effects.listOpen({ kind: 'message', limit: 10 })).toHaveLength(1);
  const key = open?.effect.key ?? '';
  // No answer has come yet.
  expect((await run())?.status).toBe('waiting');
  await post('link-1', { type: 'wait:resolved', key, resolution: { decision: 'approve' } });
  await post('sent-1', { type: 'effect:settled', key: `${key}/notify`, state: 'done' });
  const last = await run();
  expect([last?.status, last?.outputs]).toMatchObject([
    'complete',
    { ask: { decision: 'approve' }, tell: { text: 'It is: approve.' } },
  ]);
  expect(await place.store.inbox.list({ limit: 10 })).toEqual([]);
  expect((await place.store.effects.list(sessionId)).filter(({ state }) => state === 'intended')).toEqual([]);
});

test('the wait of a run is found by its key, also where the run has a name with a slash', async () => {
  const place = newPlace();
  await place.run(refund(), { sessionId: 'shop/7 %', input: { amount: 120 } });
  const [open] = await place.store.effects.listOpen({ kind: 'wait', limit: 10 });
  const key = open?.effect.key ?? '';
  expect(await findWait(place.store, key)).toMatchObject({ sessionId: 'shop/7 %', effect: { key } });
  expect(await mayStillCome(place.store, `${key}2`)).toBe(true);
  expect(await findWait(place.store, 'shop%/7')).toBeNull();
});

test('without a store nothing could go on with it, so the task fails and says so', async () => {
  const run = createFlowRun(refund(), { input: { amount: 120 } });
  expect(await run.run()).toMatchObject({ status: 'failed', failures: [{ taskId: 'ask', code: 'wait-not-stored' }] });
});

test('what does not fit is kept for a person to see, and the run waits on', async () => {
  const { place, run, post } = waiting();
  await run({ amount: 120 });
  const [open] = await place.store.effects.listOpen({ kind: 'wait', limit: 10 });
  await post('odd', { type: 'wait:resolved', key: open?.effect.key ?? '', resolution: { decision: 'maybe' } });
  expect((await run())?.status).toBe('waiting');
  expect(await place.store.inbox.list({ state: 'dead', limit: 10 })).toMatchObject([{ reason: 'unfit' }]);
});

test('where nobody answers in time a default is taken, or the task fails for good', async () => {
  // oxlint-disable unicorn/no-thenable -- keys of documents, not of a promise
  const steps = [
    { after: '1m', then: 'remind' },
    { after: '2m', then: 'answer', answer: 'reject' },
  ];
  const byDefault = waiting({ deadline: steps });
  const failing = waiting({ deadline: { after: '3m', then: 'end' } });
  // oxlint-enable unicorn/no-thenable
  for (const { place, run } of [byDefault, failing]) {
    await run({ amount: 120 });
    await place.clock.advance(179_000);
    expect((await run())?.status).toBe('waiting');
    await place.clock.advance(2_000);
  }
  expect((await byDefault.run())?.outputs).toMatchObject({ tell: { text: 'It is: reject.' } });
  expect(await failing.run()).toMatchObject({ status: 'failed', failures: [{ taskId: 'ask', code: 'wait-expired' }] });
});

/** Returns the open waits of a run, by the ids of its nodes. */
async function openIn(place: Place) {
  const open = await place.store.effects.listOpen({ kind: 'wait', limit: 10 });
  return new Map(open.map(({ effect }) => [effect.node, effect.key]));
}

test('in a body and in a flow that is called, too, a run is let go of, and goes on where it stood', async () => {
  const place = newPlace();
  const flows = {
    inner: {
      flow: { name: 'inner' },
      nodes: [
        { id: 'look', type: 'test.look', input: { value: 1 } },
        { id: 'ask', type: 'interrupt.escalate', input: { to: 'refunds', question: 'All of it?' } },
      ],
      edges: [{ from: 'look', to: 'ask' }],
    },
  };
  const flow = `flow: { name: outer }
nodes:
  each:
    type: control.foreach
    input: { list: [1, 2], concurrency: 2 }
    body:
      nodes:
        book: { type: test.book, input: { what: "{{ item }}" } }
        ask: { type: interrupt.confirm, input: { of: desk, question: "Number {{ item }}?" } }
      edges: [{ from: book, to: ask }]
  all: { type: control.subflow, input: { name: inner } }
`;
  const run = async () => await place.run(flow, { flows });
  const post = async (node: string, decision: string) => {
    const key = (await openIn(place)).get(node) ?? '';
    const signal = { type: 'wait:resolved', key, resolution: { decision } } as const;
    const rest = { reach: 'wait', correlation: {}, actor: null } as const;
    await place.store.inbox.post([{ key: `resolve/${key}`, sessionId, dueAt: place.clock.now(), signal, ...rest }]);
  };
  expect((await run())?.status).toBe('waiting');
  expect(place.clock.pending).toBe(0);
  expect([...(await openIn(place)).keys()].toSorted()).toEqual(['all.ask', 'each.0.ask', 'each.1.ask']);
  await post('each.1.ask', 'no');
  expect((await run())?.status).toBe('waiting');
  await post('all.ask', 'approve');
  await post('each.0.ask', 'yes');
  const last = await run();
  expect(last).toMatchObject({
    status: 'complete',
    outputs: {
      each: { iterations: [{ outputs: { ask: { decision: 'yes' } } }, { outputs: { ask: { decision: 'no' } } }] },
      all: { outputs: { ask: { decision: 'approve' } } },
    },
  });
  // Nothing was done twice.
  expect(place.ran.toSorted()).toEqual(['run/all/look', 'run/each.0/book', 'run/each.1/book']);
});

test('a time and a person who is named by a gate are waited for by nobody, and the person’s words are the answer', async () => {
  const place = newPlace();
  const flow = `flow: {}
nodes:
  tomorrow: { type: control.wait, input: { ms: 86400000 } }
  ask: { type: control.gate, input: { to: desk, prompt: "Send it?", choices: [Send, Keep], allow_text: true } }
  words: { type: control.gate, input: { to: desk, prompt: "Why?" } }
`;
  const post = async (node: string, resolution: JsonObject) => {
    const key = (await openIn(place)).get(node) ?? '';
    const signal = { type: 'wait:resolved', key, resolution } as const;
    const rest = { reach: 'wait', correlation: {}, actor: null } as const;
    await place.store.inbox.post([{ key: `resolve/${key}`, sessionId, dueAt: place.clock.now(), signal, ...rest }]);
  };
  // No channel is attached to ask.
  expect((await place.run(flow))?.status).toBe('waiting');
  await post('ask', { decision: 'Keep' });
  await post('words', { text: 'It is broken.' });
  await place.clock.advance(86_380_000);
  expect(await place.run(flow)).toMatchObject({
    status: 'waiting',
    outputs: { ask: { response: { choice: 'Keep' } } },
  });
  await place.clock.advance(20_000);
  expect(await place.run(flow)).toMatchObject({
    status: 'complete',
    outputs: {
      tomorrow: { waitedMs: 86_400_000 },
      ask: { response: { content: 'Keep', choice: 'Keep' } },
      words: { response: { content: 'It is broken.' } },
    },
  });
  const alone = createFlowRun(flow);
  expect((await alone.run()).failures).toMatchObject([{ code: 'wait-not-stored' }]);
});

test('what is past comes at once: nobody waits for such a time, and who would be asked too late is told of', async () => {
  const place = newPlace();
  const flow = `flow: {}
nodes:
  until: { type: interrupt.wait, input: { until: "2020-01-01T09:00" } }
  next: { type: data.template, input: { template: "It is time." } }
  late: { type: interrupt.escalate, input: { to: desk, question: "Well?", deadline: { at: "2020-01-01T09:00", then: answer, answer: reject } } }
  never: { type: interrupt.confirm, input: { of: desk, question: "Well?", deadline: { at: "2020-01-01T09:00", then: end } } }
edges: [{ from: until, to: next }]
`;
  const instance = place.make(flow);
  const told: string[] = [];
  instance.subscribe('wait:expired', ({ data }) => told.push('act' in data ? data.act : ''));
  let result: Awaited<ReturnType<typeof instance.run>> | undefined;
  void instance.run().then((ended) => (result = ended));
  await place.clock.runUntil(() => result !== undefined, 1_000);
  expect(result).toMatchObject({
    status: 'failed',
    outputs: { next: { text: 'It is time.' }, late: { decision: 'reject' } },
    failures: [{ taskId: 'never', code: 'wait-expired' }],
  });
  expect(told.toSorted()).toEqual(['answer', 'end', 'go_on']);
  expect(await place.store.inbox.list({ limit: 9 })).toEqual([]);
});

test('while something else of the run works, what comes for a wait is taken at once', async () => {
  const place = newPlace();
  const flow = `flow: {}
nodes:
  ask: { type: interrupt.confirm, input: { of: desk, question: "Well?" } }
  then: { type: test.look, input: { value: "{{ ask.decision }}", ms: 10 } }
  long: { type: test.look, input: { value: 2, ms: 60000 } }
edges: [{ from: ask, to: then }]
`;
  const instance = place.make(flow);
  const told: string[] = [];
  instance.subscribe('wait:*', ({ type, escalationId }) => told.push(`${type} ${escalationId}`));
  let isThere = false;
  instance.subscribe('task:complete', ({ data }) => (isThere ||= 'taskId' in data && data.taskId === 'then'));
  const ended = instance.run();
  await place.clock.advance(1_000);
  const key = (await openIn(place)).get('ask') ?? '';
  const signal = { type: 'wait:resolved', key, resolution: { decision: 'yes' } } as const;
  const rest = { reach: 'wait', correlation: {}, actor: null } as const;
  await place.store.inbox.post([{ key: 'yes', sessionId, dueAt: place.clock.now(), signal, ...rest }]);
  await place.clock.advance(50);
  expect(isThere).toBe(true);
  await place.clock.advance(60_000);
  expect((await ended).status).toBe('complete');
  expect(told).toEqual([`wait:opened ${key}`, `wait:resolved ${key}`]);
});

test('whoever is asked is told once more, then another one, and a task that is tried again asks anew', async () => {
  // oxlint-disable unicorn/no-thenable -- keys of documents, not of a promise
  const deadline = [
    { after: '1m', then: 'remind' },
    { after: '1m', then: 'escalate', to: 'boss' },
    { after: '1m', then: 'end' },
  ];
  // oxlint-enable unicorn/no-thenable
  const { place, run } = waiting({ deadline });
  const flow = refund({ deadline });
  const told = async () =>
    (await place.store.effects.list(sessionId)).flatMap(({ kind, payload }) => (kind === 'message' ? payload.to : []));
  await run({ amount: 1 });
  for (const minute of [1, 2]) {
    expect(await told()).toHaveLength(minute);
    await place.clock.advance(60_000);
    expect((await run())?.status).toBe('waiting');
  }
  expect(await told()).toEqual(['refunds', 'refunds', 'boss']);
  await place.clock.advance(60_000);
  expect(await run()).toMatchObject({ failures: [{ code: 'wait-expired' }] });
  expect((await place.run(flow, { retry: true }))?.status).toBe('waiting');
  expect(await told()).toEqual(['refunds', 'refunds', 'boss', 'refunds']);
  await place.clock.advance(60_000);
  expect((await run())?.status).toBe('waiting');
  expect(await told()).toHaveLength(5);
});

test('a run that waits while its store is closed ends, for nothing can come any more', async () => {
  const { store, clock, make } = newPlace();
  const flow = { flow: {}, nodes: { w: { type: 'control.wait', input: { ms: 500 }, policy: { timeoutMs: 900 } } } };
  const outcome = make(flow)
    .run()
    .catch((error: unknown) => error);
  await clock.advance(100);
  await store.close();
  await clock.advance(1_000);
  await expect(outcome).resolves.toMatchObject({ code: 'store-closed' });
});

test('a clock that is put back makes no time negative', async () => {
  const time = createVirtualClock(10_000_000);
  let back = 0;
  const clock = { now: () => time.now() - back, schedule: time.schedule };
  const flow = { flow: {}, nodes: { w: { type: 'control.wait', input: { ms: 500 } } } };
  const run = createFlowRun(flow, { clock }).run();
  await time.advance(100);
  back = 3_600_000;
  await time.advance(500);
  expect(await run).toMatchObject({ durationMs: 0, outputs: { w: { waitedMs: 0 } } });
});
