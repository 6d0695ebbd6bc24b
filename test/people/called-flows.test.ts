import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { createMemoryStore } from '../../src/store/memory/store.ts';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import type { TaskFlow } from '../../src/flow/document/task-document.ts';
import { createCatalog } from '../../src/flow/graph/nodes/catalog.ts';
import { defineNodeType } from '../../src/flow/graph/nodes/node-type.ts';
import { hitlOf } from '../../src/kernel/wait/hitl.ts';
import { readState } from '../../src/kernel/state/upgrade.ts';
import { createTextSession } from '../../src/livekit/agent/text-session.ts';
import { builtinCatalog } from '../../src/flow/nodes/builtin.ts';
import type { OutgoingCall } from '../../src/people/calls/call-out.ts';
import type { Store } from '../../src/model/ports/store.ts';
import type { Clock } from '../../src/model/ports/time.ts';
import { createRunner } from '../../src/runner/flow-runner.ts';
import { ScriptedModel, type ScriptedRequest } from '../../src/testing/scripted-model.ts';
import { createVirtualClock, type VirtualClock } from '../../src/testing/virtual-clock.ts';
import { type DyingPoint, dyingStore } from './dying-store.ts';
import { clerkOf, decideFirst } from './clerk-of.ts';

/** Longer than a lease and a claim. */
const gapMs = 61_000;

const approval: TaskFlow = {
  flow: { name: 'approval', description: 'Asks for a refund.', input: { order: 'number' } },
  nodes: [
    { id: 'look', type: 'control.noop', input: { value: 'order {{ flow.input.order }}' } },
    {
      id: 'ask',
      type: 'interrupt.escalate',
      input: {
        to: 'refunds',
        question: 'Refund {{ look.value }}?',
        reach: 'call',
        // oxlint-disable-next-line unicorn/no-thenable -- a key of documents, which are not promises
        deadline: { after: '2h', then: 'answer', answer: 'reject' },
      },
    },
    { id: 'pay', type: 'test.pay' },
  ],
  edges: [
    { from: 'look', to: 'ask' },
    { from: 'ask', to: 'pay', when: { equals: { var: 'ask.decision', value: 'approve' } } },
  ],
};

const desk: ConversationFlow = {
  initialNode: 'desk',
  nodes: {
    desk: {
      say: 'Hello.',
      taskMessages: [{ role: 'system', content: 'Help.' }],
      functions: [
        {
          name: 'refund',
          run: 'approval',
          saveAs: 'refunded',
          transitionTo: { field: 'ask.decision', cases: { approve: 'done' }, default: 'sorry' },
        },
        { name: 'hours', description: 'The opening hours.', transitionTo: 'hours' },
      ],
    },
    hours: { say: 'From nine to five.', taskMessages: [{ role: 'system', content: 'Help.' }], functions: [] },
    done: { say: 'It is paid.', end: 'refunded' },
    sorry: { say: 'It was refused.', end: 'refused' },
  },
};

/** The model calls for a refund on request, and reads the result to the caller. */
function script({ userText, afterTool, items }: ScriptedRequest) {
  if (afterTool === 'refund')
    return { text: items.at(-1)?.includes('not decided yet') ? 'They are asked.' : 'I know now.' };
  if (userText.includes('refund')) return { calls: [{ name: 'refund', arguments: { order: 7 } }] };
  if (userText.includes('hours')) return { calls: [{ name: 'hours' }] };
  return { text: 'I see.' };
}

/** Consecutive processes on one store. Payments outlive them. */
function place() {
  let clock: VirtualClock = createVirtualClock();
  const time: Clock = { now: () => clock.now(), schedule: (ms, task) => clock.schedule(ms, task) };
  const store = createMemoryStore({ clock: time });
  const paid: string[] = [];
  const placed: OutgoingCall[] = [];
  const pay = defineNodeType({
    name: 'test.pay',
    description: 'Pays.',
    input: z.strictObject({}),
    output: z.strictObject({ paid: z.boolean() }),
    capabilities: { writes: true },
    run: (_input, { key }) => {
      paid.push(key);
      return Promise.resolve({ paid: true });
    },
  });
  const catalog = createCatalog([...builtinCatalog.values(), pay]);
  const flows = { approval };
  return {
    ...{ store, paid, placed, time },
    die: () => void (clock = createVirtualClock(clock.now() + gapMs)),
    pass: async (seconds: number, isEnough: () => boolean = () => false) => {
      for (let step = 0; step < seconds * 10 && !isEnough(); step += 1) await clock.advance(100);
    },
    /** Moves the clock at the speed of this machine until a condition holds. */
    until: async (isSo: () => boolean | Promise<boolean>, what: string) => {
      const before = Date.now();
      while (!(await isSo())) {
        if (Date.now() - before > 20_000) throw new Error(`Waited in vain for ${what}.`);
        await clock.advance(20);
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
    },
    /** A call of the session, in a separate process. */
    async call(own: Store = store, flow: ConversationFlow = desk) {
      const heard: string[] = [];
      const model = new ScriptedModel(script);
      const session = createTextSession(model);
      const runner = createRunner({
        ...{ session, flow, flows, catalog, store: own, sessionId: 's', clock: time, timeZone: 'UTC' },
      });
      runner.onSpeech((text) => heard.push(text));
      onTestFinished(() => void session.close());
      return { runner, heard, model };
    },
    clerk: (own: Store = store) =>
      clerkOf({
        ...{ config: { flows, catalog, calls: { attempts: 2, every: '5m' } }, flow: desk, store: own, clock: time },
        placeCall: (call) => Promise.resolve(void placed.push(call)),
        onError: () => undefined,
      }),
    decide: (decision: string, own: Store = store) => decideFirst(own, time, decision),
    state: async () => readState((await store.sessions.get('s'))?.state ?? {}),
  };
}

test('a function whose task flow asks people does not block the caller, and its outcome moves the flow once they have decided', async () => {
  const here = place();
  const { runner, heard, model } = await here.call();
  await runner.start();
  await runner.idle();
  await runner.send('A refund, please.');
  expect(heard.at(-1)).toBe('They are asked.');
  const [open] = await here.store.effects.listOpen({ kind: 'wait', limit: 9 });
  expect(open).toMatchObject({ sessionId: 's/2/0.1', effect: { payload: { question: 'Refund order 7?' } } });
  expect(hitlOf(runner.state)).toEqual({ hitlState: 'pending_admin_resolution', escalationId: open?.effect.key });
  await runner.send('Nice weather.');
  expect(heard.at(-1)).toBe('I see.');
  // A second run does not start while the first runs.
  await runner.send('The refund, once more!');
  expect(await here.store.effects.listOpen({ kind: 'wait', limit: 9 })).toHaveLength(1);
  expect(await here.decide('approve')).toBe('posted');
  await here.pass(2);
  expect(await runner.ended).toBe('refunded');
  expect(heard.at(-1)).toBe('It is paid.');
  expect(here.paid).toEqual(['s/2/0.1/pay']);
  expect(model.requests.at(-1)?.items.filter((item) => item.startsWith('call: refund'))).toHaveLength(2);
  expect(await here.store.inbox.list({ limit: 9 })).toEqual([]);
});

test('a node runs such a flow on entry through its own function, and follows the decision', async () => {
  const here = place();
  const { runner, heard } = await here.call(here.store, {
    initialNode: 'ask',
    state: { order: 7 },
    nodes: {
      ask: {
        call: 'refund',
        input: { order: '{{ order }}' },
        taskMessages: [{ role: 'system', content: 'Help.' }],
        functions: [
          {
            name: 'refund',
            run: 'approval',
            transitionTo: { field: 'ask.decision', cases: { approve: 'done' }, default: 'sorry' },
          },
        ],
      },
      done: { say: 'It is paid.', end: 'refunded' },
      sorry: { say: 'It was refused.', end: 'refused' },
    },
  });
  await runner.start();
  await runner.idle();
  expect(heard.at(-1)).toBe('They are asked.');
  expect(hitlOf(runner.state).hitlState).toBe('pending_admin_resolution');
  await runner.send('Nice weather.');
  expect(heard.at(-1)).toBe('I see.');
  expect(await here.decide('approve')).toBe('posted');
  await here.pass(2);
  expect(await runner.ended).toBe('refunded');
  expect(here.paid).toHaveLength(1);
});

test('a caller who has moved on hears the outcome at the new node, and stays there', async () => {
  const here = place();
  const { runner, heard, model } = await here.call();
  await runner.start();
  await runner.idle();
  await runner.send('A refund, please.');
  await runner.send('Your hours?');
  expect(runner.currentNode).toBe('hours');
  await here.decide('approve');
  await here.pass(2);
  await runner.idle();
  expect(heard.at(-1)).toBe('I know now.');
  expect(runner.currentNode).toBe('hours');
  expect(runner.state.knowledge.variables['refunded']).toMatchObject({
    ask: { decision: 'approve' },
    pay: { paid: true },
  });
  expect(model.requests.at(-1)?.items.at(-1)).toContain('"paid":true');
  await runner.stop();
});

test('a caller who has hung up is called back with the outcome, after a clerk has carried it out', async () => {
  const here = place();
  const { runner } = await here.call();
  await runner.start();
  await runner.idle();
  await runner.send('A refund, please.');
  await runner.stop('caller-left');
  const clerk = here.clerk();
  await clerk.start();
  await here.pass(1);
  expect(await here.decide('approve')).toBe('posted');
  await here.pass(10);
  expect(here.paid).toEqual(['s/2/0.1/pay']);
  expect(here.placed).toHaveLength(1);
  const next = await here.call();
  await next.runner.start();
  expect(await next.runner.ended).toBe('refunded');
  expect(next.heard.join(' ')).toContain('It is paid.');
  await here.pass(400);
  expect(here.placed).toHaveLength(1);
  await clerk.stop();
  expect(await here.store.inbox.list({ limit: 9 })).toEqual([]);
});

test('the deadline of a wait in such a flow takes effect, whichever process owns the conversation', async () => {
  for (const isOnTheLine of [true, false]) {
    const here = place();
    const { runner, heard } = await here.call();
    await runner.start();
    await runner.idle();
    await runner.send('A refund, please.');
    if (!isOnTheLine) await runner.stop('caller-left');
    const clerk = here.clerk();
    await clerk.start();
    await here.pass(7_190);
    expect((await here.state()).status).toBe('active');
    await here.pass(30);
    if (isOnTheLine) {
      expect(await runner.ended).toBe('refused');
      expect(heard.at(-1)).toBe('It was refused.');
    } else {
      const next = await here.call();
      await next.runner.start();
      expect(await next.runner.ended).toBe('refused');
    }
    expect(here.paid).toEqual([]);
    await clerk.stop();
  }
}, 60_000);

test('a conversation that has ended gets no result, but the requested work is done', async () => {
  const here = place();
  const { runner } = await here.call();
  await runner.start();
  await runner.idle();
  await runner.send('A refund, please.');
  await runner.stop('stopped');
  expect((await here.state()).status).toBe('ended');
  const clerk = here.clerk();
  await clerk.start();
  await here.decide('approve');
  await here.pass(10);
  expect(here.paid).toEqual(['s/2/0.1/pay']);
  expect(here.placed).toEqual([]);
  await clerk.stop();
});

test('a run whose process died between its lease and its first commit still begins, because the caller was told so', async () => {
  const here = place();
  let isDead = false;
  const never = new Promise<never>(() => undefined);
  const doomed = dyingStore(here.store, null, () => undefined).store;
  const first = await here.call({
    ...doomed,
    leases: {
      ...doomed.leases,
      async acquire(request) {
        const lease = await doomed.leases.acquire(request);
        isDead ||= request.sessionId === 's/2/0.1';
        return isDead ? await never : lease;
      },
      renew: (...given) => (isDead ? never : doomed.leases.renew(...given)),
    },
  });
  await first.runner.start();
  await first.runner.idle();
  // The call owns its session a moment longer than the conversation.
  await here.pass(1);
  void first.runner.send('A refund, please.');
  await here.until(() => isDead, 'the lease of the run');
  const leaseEnd = async (): Promise<number> =>
    (await here.store.sessions.list({ limit: 1, id: 's' }))[0]?.lease?.expiresAt ?? Infinity;
  const until = await leaseEnd();
  while (here.time.now() < until) await here.pass(0.1);
  expect(await here.store.leases.acquire({ sessionId: 's/2/0.1', owner: 'another', ttlMs: 1 })).toBeNull();

  const { runner } = await here.call();
  await runner.start();
  const isAsked = async (): Promise<boolean> =>
    (await here.store.effects.listOpen({ kind: 'wait', limit: 1 })).length > 0;
  await here.until(isAsked, 'the question of the run');
  expect(await here.decide('approve')).toBe('posted');
  await here.until(() => here.paid.length > 0, 'the payment');
  await runner.stop();
});

test('if the processes of the call, the decision or the clerk are killed at any point, the refund is paid once and the caller hears the outcome', async () => {
  /** One call, in a process that dies at a point, and then in others that do not. */
  const play = async (point: DyingPoint | null) => {
    const here = place();
    let isDead = false;
    const doomed = dyingStore(here.store, point, () => (isDead = true));
    const first = await here.call(doomed.store);
    const clerk = here.clerk(doomed.store);
    const talk = async (): Promise<void> => {
      await first.runner.start();
      await first.runner.idle();
      await first.runner.send('A refund, please.');
      await here.decide('approve', doomed.store);
      await first.runner.ended;
      await clerk.start();
    };
    let isOver = false;
    void talk().then(() => (isOver = true));
    await here.until(() => isDead || isOver, 'the first process to be done');
    const told = [...first.heard];
    if (point !== null) {
      here.die();
      const next = here.clerk();
      await next.start();
      await here.pass(5);
      const isOpen = async (): Promise<boolean> =>
        (await here.store.sessions.get('s')) === null || (await here.state()).status !== 'ended';
      for (let calls = 0; (await isOpen()) && calls < 3; calls += 1) {
        const more = await here.call();
        await more.runner.start();
        await more.runner.idle();
        const isAsked = async (): Promise<boolean> =>
          (await here.store.effects.listOpen({ kind: 'wait', limit: 1 })).length > 0;
        const isDecided = (await here.store.audit.list({ limit: 9 })).length > 0;
        if ((await isOpen()) && !isDecided && !(await isAsked())) await more.runner.send('A refund, please.');
        await here.decide('approve');
        await here.until(async () => !(await isOpen()), 'the outcome to be told');
        told.push(...more.heard);
      }
      // A caller who heard the result is not called back.
      const isLeft = async (): Promise<boolean> => (await here.store.inbox.list({ limit: 1 })).length > 0;
      for (let minute = 0; minute < 7 && (await isLeft()); minute += 1) await here.pass(60);
      await next.stop();
    }
    return {
      count: doomed.count(),
      // Two payments under one key count once for a provider that checks keys.
      paid: new Set(here.paid).size,
      outcomes: (await here.store.steps.list('s')).filter(
        ({ signal }) =>
          signal.type === 'batch:settled' &&
          signal.calls.some(({ name, state }) => name === 'refund' && state === 'done'),
      ).length,
      // If a process died while it spoke, it is unknown whether the words were heard, so they are said again.
      isTold: told.some((text) => text.includes('It is paid.')),
      status: (await here.state()).status,
      left: (await here.store.inbox.list({ limit: 9 })).map(({ entry }) => entry.signal.type),
    };
  };
  const { count, ...whole } = await play(null);
  expect(whole).toEqual({ paid: 1, outcomes: 1, isTold: true, status: 'ended', left: [] });
  expect(count).toBeGreaterThan(10);
  for (let nth = 1; nth <= count; nth += 1)
    for (const after of [false, true]) {
      const { count: _count, ...found } = await play({ nth, after });
      expect(found, `${after ? 'after' : 'before'} write ${nth} of ${count}`).toEqual(whole);
    }
}, 120_000);
