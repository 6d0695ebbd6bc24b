import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createMemoryStore } from '../../src/store/memory/store.ts';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import type { JsonObject } from '../../src/model/json.ts';
import type { InboxEntry } from '../../src/model/inbox.ts';
import { createTextSession } from '../../src/livekit/agent/text-session.ts';
import { flowTool } from '../../src/livekit/tools/flow-tool.ts';
import type { Store } from '../../src/model/ports/store.ts';
import type { Clock } from '../../src/model/ports/time.ts';
import { createRunner } from '../../src/runner/flow-runner.ts';
import { ScriptedModel } from '../../src/testing/scripted-model.ts';
import { createVirtualClock } from '../../src/testing/virtual-clock.ts';
import { lateStore } from '../durable/late-store.ts';
import { clerkOf, decideFirst } from './clerk-of.ts';

const call = {
  call: 'pay',
  functions: [{ name: 'pay', handler: 'pay', effect: 'write' as const, transitionTo: 'done' }],
};

type FlowNode = Extract<ConversationFlow['nodes'], Readonly<Record<string, unknown>>>[string];

/** The flow's next step after the answer. */
const ways: Record<string, FlowNode> = {
  'a call': call,
  'a line and a call': { say: 'Now it is paid.', ...call },
};

/** A refund that a person decides about. */
function refund(reach: 'message' | 'wait', then: FlowNode, more: JsonObject = {}) {
  const input = { to: 'refunds', question: 'Refund it?', say: 'One moment.', reach, ...more };
  const flow: ConversationFlow = {
    initialNode: 'approve',
    nodes: {
      approve: { type: 'interrupt.escalate', input },
      refund: then,
      done: { say: 'It is paid.', end: 'refunded' },
    },
    edges: [{ from: 'approve', to: 'refund' }],
  };
  return flow;
}

function placeOf(flow: ConversationFlow) {
  const clock = createVirtualClock();
  const store = createMemoryStore({ clock });
  const paid: string[] = [];
  const failed: string[] = [];
  const pay = flowTool({
    name: 'pay',
    description: 'Pays.',
    effect: 'write',
    parameters: z.object({}),
    execute: (_given, { key }) => {
      paid.push(key);
      return { ok: true };
    },
  });
  const time: Clock = clock;
  const config = { tools: [pay], flows: { refund: flow }, channels: { sms: { send: () => Promise.resolve() } } };
  const clerk = clerkOf({
    ...{ store: lateStore(store, time), clock: time, config, flow },
    openModel: () => Promise.resolve(new ScriptedModel(() => ({ text: 'Yes.' }))),
    onFailed: ({ reason }) => failed.push(reason),
  });
  return {
    ...{ clock, store, clerk, paid, failed, pay },
    async pass(seconds: number, isEnough: () => boolean) {
      for (let step = 0; step < seconds * 50 && !isEnough(); step += 1) await clock.advance(20);
    },
    runner: (on: Store, conversation: ConversationFlow) =>
      createRunner({
        session: createTextSession(new ScriptedModel(() => ({ text: 'Yes.' }))),
        ...{ flow: conversation, tools: [pay], store: on, sessionId: 'ada', clock },
      }),
    openWaits: async () => (await store.effects.listOpen({ kind: 'wait', limit: 9 })).length,
  };
}

function begun(sessionId: string, reach: InboxEntry['reach']): InboxEntry {
  const input = { contact: { channel: 'sms', to: '+49 170 1' } };
  return {
    key: `begin/${sessionId}`,
    ...{ sessionId, dueAt: 0, reach, correlation: {}, actor: null },
    signal: { type: 'session:started', flow: 'refund', input },
  };
}

describe('a store answers each commit 60 ms late', () => {
  for (const reach of ['message', 'wait'] as const)
    for (const [name, then] of Object.entries(ways))
      test(`a decision that leads to ${name} is carried out at once with reach ${reach}`, async () => {
        const here = placeOf(refund(reach, then));
        await here.store.inbox.post([begun('ada', reach)]);
        await here.clerk.start();
        let waits = 0;
        await here.pass(3, () => {
          void here.openWaits().then((found) => (waits = found));
          return waits > 0;
        });
        await here.pass(1, () => false);
        expect(await decideFirst(here.store, here.clock)).toBe('posted');
        await here.pass(3, () => here.paid.length > 0);
        expect(here.paid).toHaveLength(1);
        await here.pass(1, () => false);
        expect(here.failed).toEqual([]);
        expect(await here.store.inbox.list({ limit: 9 })).toEqual([]);
        await here.clerk.stop();
      });

  test('a deadline that leads to a call is carried out at once', async () => {
    // oxlint-disable-next-line unicorn/no-thenable -- a key of documents, which is not a promise
    const here = placeOf(refund('message', call, { deadline: { after: '10m', then: 'go_to', node: 'refund' } }));
    await here.store.inbox.post([begun('ada', 'message')]);
    await here.clerk.start();
    await here.pass(1, () => false);
    await here.clock.advance(600_000);
    await here.pass(3, () => here.paid.length > 0);
    expect(here.paid).toHaveLength(1);
    await here.clerk.stop();
  });
});

describe('a session with a call that is intended but not made', () => {
  const flow: ConversationFlow = {
    initialNode: 'refund',
    nodes: { refund: call, done: { say: 'It is paid.', end: 'refunded' } },
  };

  test('is found by a clerk once its process has died, without an inbox entry', async () => {
    const here = placeOf(flow);
    let isDead = false;
    const doomed: Store = {
      ...here.store,
      steps: {
        ...here.store.steps,
        async create(commit) {
          await here.store.steps.create(commit);
          isDead ||= commit.effects.some(({ kind }) => kind === 'tool');
          if (isDead) await new Promise<never>(() => undefined);
        },
      },
      leases: {
        ...here.store.leases,
        renew: (lease, ttlMs) => (isDead ? Promise.resolve(lease) : here.store.leases.renew(lease, ttlMs)),
      },
    };
    const runner = here.runner(doomed, flow);
    await runner.start();
    expect(isDead).toBe(true);
    expect(await here.store.inbox.list({ limit: 9 })).toEqual([]);
    await here.clerk.start();
    await here.pass(120, () => here.paid.length > 0);
    expect(here.paid).toHaveLength(1);
    await here.pass(5, () => false);
    expect(here.paid).toHaveLength(1);
    expect(here.failed).toEqual([]);
    expect(await here.store.inbox.list({ limit: 9 })).toEqual([]);
    await here.clerk.stop();
  });

  test('gets its call even if the caller hangs up before the store has answered', async () => {
    const approved = refund('wait', call);
    const here = placeOf(approved);
    let hasDecided = false;
    const slow = lateStore(here.store, here.clock);
    const watched: Store = {
      ...slow,
      steps: {
        ...slow.steps,
        async create(commit) {
          hasDecided ||= commit.signals.some(({ signal }) => signal.type === 'wait:resolved');
          await slow.steps.create(commit);
        },
      },
    };
    const runner = here.runner(watched, approved);
    const started = runner.start();
    await here.pass(2, () => false);
    await started;
    expect(await decideFirst(here.store, here.clock)).toBe('posted');
    await here.pass(2, () => hasDecided);
    const stopped = runner.stop('caller-left');
    await here.pass(2, () => false);
    await stopped;
    expect(here.paid).toHaveLength(1);
    expect((await here.store.sessions.get('ada'))?.state).toMatchObject({ status: 'ended', effects: {} });
  });
});
