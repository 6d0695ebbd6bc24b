import { expect, test } from 'vitest';
import { z } from 'zod';
import { createMemoryStore } from '../../src/store/memory/store.ts';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import type { TaskFlow } from '../../src/flow/document/task-document.ts';
import { createTextSession } from '../../src/livekit/agent/text-session.ts';
import { flowTool } from '../../src/livekit/tools/flow-tool.ts';
import { createCatalog } from '../../src/flow/graph/nodes/catalog.ts';
import { defineNodeType } from '../../src/flow/graph/nodes/node-type.ts';
import { builtinCatalog } from '../../src/flow/nodes/builtin.ts';
import type { Store } from '../../src/model/ports/store.ts';
import type { Clock } from '../../src/model/ports/time.ts';
import { createRun } from '../../src/runner/create-flow-run.ts';
import { createRunner } from '../../src/runner/flow-runner.ts';
import { taskRunState } from '../../src/runner/tasks/task-run-state.ts';
import { ScriptedModel } from '../../src/testing/scripted-model.ts';
import { createVirtualClock, type VirtualClock } from '../../src/testing/virtual-clock.ts';
import { lateStore } from '../durable/late-store.ts';
import { type DyingPoint, dyingStore } from './dying-store.ts';
import { clerkOf, decideFirst } from './clerk-of.ts';

/** Longer than a lease and a claim. */
const gapMs = 61_000;

const call: ConversationFlow = {
  initialNode: 'approve',
  nodes: {
    approve: { type: 'interrupt.escalate', input: { to: 'refunds', question: 'Refund it?', say: 'One moment.' } },
    refund: {
      call: 'pay',
      functions: [{ name: 'pay', handler: 'pay', effect: 'write', transitionTo: 'done' }],
    },
    done: { say: 'It is approved.', end: 'refunded' },
    sorry: { say: 'It was refused.', end: 'refused' },
  },
  edges: [
    { from: 'approve', to: 'refund', when: { equals: { var: 'approve.decision', value: 'approve' } } },
    { from: 'approve', to: 'sorry' },
  ],
};

const tasks: TaskFlow = {
  flow: { name: 'tasks' },
  nodes: [
    { id: 'ask', type: 'interrupt.escalate', input: { to: 'refunds', question: 'Refund it?' } },
    { id: 'pay', type: 'test.pay' },
  ],
  edges: [{ from: 'ask', to: 'pay' }],
};

/** Consecutive processes on one store. Payments outlive them, by key. */
function place() {
  let clock: VirtualClock = createVirtualClock();
  const time: Clock = { now: () => clock.now(), schedule: (ms, task) => clock.schedule(ms, task) };
  const store = createMemoryStore({ clock: time });
  const paid = new Set<string>();
  const pay = flowTool({
    name: 'pay',
    description: 'Pays.',
    effect: 'write',
    parameters: z.object({}),
    execute: (_given, { key }) => {
      paid.add(key);
      return { ok: true };
    },
  });
  const payNode = defineNodeType({
    name: 'test.pay',
    description: 'Pays.',
    input: z.strictObject({}),
    output: z.strictObject({}),
    capabilities: { writes: true },
    run: (_input, { key }) => {
      paid.add(key);
      return Promise.resolve({});
    },
  });
  const catalog = createCatalog([...builtinCatalog.values(), payNode]);
  return {
    ...{ store, paid, pay, time },
    die: () => void (clock = createVirtualClock(clock.now() + gapMs)),
    pass: async (seconds: number, isEnough: () => boolean = () => false) => {
      for (let step = 0; step < seconds * 10 && !isEnough(); step += 1) await clock.advance(100);
    },
    async begin(kind: 'call' | 'run'): Promise<void> {
      if (kind === 'call') {
        const session = createTextSession(new ScriptedModel(() => ({ text: 'Yes.' })));
        const runner = createRunner({ session, flow: call, tools: [pay], store, sessionId: 's', clock: time });
        await runner.start();
        await runner.idle();
        await runner.leave();
      } else await createRun(tasks, { sessionId: 's', store, clock: time, catalog }).run();
    },
    clerk: (own: Store) =>
      clerkOf({
        ...{
          config: { tools: [pay], flows: { tasks }, catalog },
          flow: call,
          store: lateStore(own, time),
          clock: time,
        },
        onError: () => undefined,
      }),
    async decide(own: Store): Promise<void> {
      expect(['posted', 'same', 'none']).toContain(await decideFirst(own, time));
    },
    /** Whether all work that needs no listener is done. */
    async isDone(kind: 'call' | 'run'): Promise<boolean> {
      const kept = await store.sessions.get('s');
      if (kind === 'run') return kept !== null && taskRunState(kept.state)?.status === 'complete';
      const open = await store.effects.list('s');
      return open.some(({ kind: one, state }) => one === 'end' && state === 'intended');
    },
  };
}

test.each(['call', 'run'] as const)(
  'a decision for a %s that nobody has at hand is carried out once, wherever who posts it and who takes it are killed',
  async (kind) => {
    /** Decides and runs a clerk, in a process that dies at a point and then in another process. */
    const play = async (point: DyingPoint | null) => {
      const here = place();
      await here.begin(kind);
      let isDead = false;
      const doomed = dyingStore(here.store, point, () => (isDead = true));
      const first = here.clerk(doomed.store);
      void here.decide(doomed.store).then(() => first.start());
      await here.pass(3, () => isDead);
      if (point !== null) {
        expect(isDead).toBe(true);
        here.die();
        await here.decide(here.store);
        const next = here.clerk(here.store);
        await next.start();
        await here.pass(40);
      }
      const audit = await here.store.audit.list({ limit: 99 });
      return {
        count: doomed.count(),
        isDone: await here.isDone(kind),
        // Two payments under one key count once for a provider that checks keys.
        paid: here.paid.size,
        allowed: audit.filter(({ outcome }) => outcome === 'allowed').length,
        left: await here.store.inbox.list({ limit: 9 }),
      };
    };
    const { count, ...whole } = await play(null);
    expect(whole).toMatchObject({ isDone: true, allowed: 1, left: [], paid: 1 });
    expect(count).toBeGreaterThan(5);
    for (let nth = 1; nth <= count; nth += 1)
      for (const after of [false, true]) {
        const { count: _count, ...found } = await play({ nth, after });
        expect(found, `${after ? 'after' : 'before'} write ${nth} of ${count}`).toEqual(whole);
      }
  },
  60_000,
);
