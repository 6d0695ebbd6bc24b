import { expect, test } from 'vitest';
import { z } from 'zod';
import { createMemoryStore } from '../../src/store/memory/store.ts';
import type { JsonObject } from '../../src/model/json.ts';
import type { TaskFlow } from '../../src/flow/document/task-document.ts';
import { createCatalog } from '../../src/flow/graph/nodes/catalog.ts';
import { defineNodeType } from '../../src/flow/graph/nodes/node-type.ts';
import { builtinCatalog } from '../../src/flow/nodes/builtin.ts';
import type { ClerkNote } from '../../src/people/clerk.ts';
import type { Clock } from '../../src/model/ports/time.ts';
import { createFlowRun } from '../../src/runner/create-flow-run.ts';
import { taskRunState } from '../../src/runner/tasks/task-run-state.ts';
import { createVirtualClock, type VirtualClock } from '../../src/testing/virtual-clock.ts';
import { clerkOf, decideFirst } from './clerk-of.ts';

/** Longer than a lease. */
const gapMs = 61_000;

const first = { id: 'first', type: 'test.work', input: { ms: 1_000 } };
const refund: TaskFlow = {
  flow: { name: 'refund', input: { amount: { type: 'number' } } },
  nodes: [
    first,
    { id: 'ask', type: 'interrupt.escalate', input: { to: 'refunds', question: 'Refund {{ flow.input.amount }}?' } },
    { id: 'pay', type: 'test.work', input: { ms: 300_000 }, effect: 'write' },
  ],
  edges: [
    { from: 'first', to: 'ask' },
    { from: 'ask', to: 'pay' },
  ],
};

/** A store with consecutive processes. */
function office() {
  let clock: VirtualClock = createVirtualClock();
  const time: Clock = { now: () => clock.now(), schedule: (ms, task) => clock.schedule(ms, task) };
  const store = createMemoryStore({ clock: time });
  const worked: string[] = [];
  const failed: ClerkNote[] = [];
  const work = defineNodeType({
    name: 'test.work',
    description: 'Takes its time.',
    input: z.strictObject({ ms: z.number() }),
    output: z.strictObject({}),
    async run({ ms }, { key, clock: here }) {
      worked.push(key);
      await new Promise<void>((resolve) => void here.schedule(ms, resolve));
      return {};
    },
  });
  const catalog = createCatalog([...builtinCatalog.values(), work]);
  return {
    ...{ store, worked, failed },
    get clock() {
      return clock;
    },
    /** Ends all processes and their leases. */
    die: () => void (clock = createVirtualClock(clock.now() + gapMs)),
    run: (input?: JsonObject, flow: TaskFlow = refund) =>
      createFlowRun(flow, {
        ...{ sessionId: 'r-1', store, clock: time, catalog },
        ...(input === undefined ? {} : { input }),
      }),
    clerk: (flows: Readonly<Record<string, TaskFlow>> = { refund }) =>
      clerkOf({ config: { flows, catalog }, store, clock: time, onFailed: (note) => failed.push(note) }),
    async pass(seconds: number) {
      for (let second = 0; second < seconds; second += 1) await clock.advance(1_000);
    },
    decide: (decision: string) => decideFirst(store, time, decision),
    async status() {
      const kept = await store.sessions.get('r-1');
      return kept === null ? null : taskRunState(kept.state)?.status;
    },
  };
}

test('a clerk resumes a waiting run once a person has decided, whichever process began it', async () => {
  const place = office();
  const begun = place.run({ amount: 12 }).run();
  await place.pass(2);
  expect((await begun).status).toBe('waiting');
  const clerk = place.clerk();
  await clerk.start();
  await place.pass(60);
  expect(await place.status()).toBe('running');
  expect(await place.decide('approve')).toBe('posted');
  await place.pass(310);
  expect(await place.status()).toBe('complete');
  expect(place.worked).toEqual(['r-1/first', 'r-1/pay']);
  expect(await place.decide('reject')).toBe('none');
  expect(place.failed).toEqual([]);
  expect(await place.store.inbox.list({ limit: 9 })).toEqual([]);
  await clerk.stop();
});

test('a clerk takes over a run whose process has died, with the same keys', async () => {
  const place = office();
  void place.run({ amount: 12 }).run();
  await place.pass(2);
  await place.decide('approve');
  const again = place.run().run();
  again.catch(() => undefined);
  await place.pass(10);
  expect(place.worked).toEqual(['r-1/first', 'r-1/pay']);
  place.die();
  const clerk = place.clerk();
  await clerk.start();
  await place.pass(310);
  expect(await place.status()).toBe('complete');
  expect(place.worked).toEqual(['r-1/first', 'r-1/pay', 'r-1/pay']);
  await clerk.stop();
});

test('an aborted run stays unchanged, and a run that was handed over is resumed', async () => {
  const place = office();
  for (const handOver of [false, true]) {
    const instance = place.run(handOver ? undefined : { amount: 12 });
    const ended = instance.run();
    await place.clock.advance(500);
    instance.abort({ handOver });
    await place.pass(2);
    expect((await ended).status).toBe('aborted');
    const clerk = place.clerk();
    await clerk.start();
    await place.pass(120);
    const open = await place.store.effects.listOpen({ kind: 'wait', limit: 9 });
    expect(open).toHaveLength(handOver ? 1 : 0);
    await clerk.stop();
  }
});

test('the leftovers of a run are removed once any process has completed it', async () => {
  const place = office();
  const short: TaskFlow = { ...refund, nodes: [first], edges: [] };
  const left = place.run({ amount: 12 }, short);
  const ended = left.run();
  await place.clock.advance(500);
  left.abort({ handOver: true });
  await place.pass(2);
  expect((await ended).status).toBe('aborted');
  expect(await place.store.inbox.list({ limit: 9 })).toMatchObject([{ entry: { signal: { type: 'session:left' } } }]);
  const again = place.run(undefined, short).run();
  await place.pass(2);
  expect((await again).status).toBe('complete');
  expect(await place.store.inbox.list({ limit: 9 })).toEqual([]);
});

test('a clerk that stops hands its runs over, and a run that kills its clerks is not tried a fourth time', async () => {
  const place = office();
  void place.run({ amount: 12 }).run();
  await place.pass(2);
  await place.decide('approve');
  const stopped = place.clerk();
  await stopped.start();
  await place.pass(10);
  expect(place.worked.at(-1)).toBe('r-1/pay');
  // `stop` waits for the write.
  const stopping = stopped.stop();
  await place.pass(300);
  await stopping;
  const next = place.clerk();
  await next.start();
  await place.pass(2);
  expect(await place.status()).toBe('complete');
  expect(await place.store.inbox.list({ limit: 9 })).toEqual([]);
  expect(place.worked).toEqual(['r-1/first', 'r-1/pay']);
  await next.stop();

  const deadly = office();
  void deadly.run({ amount: 12 }).run();
  await deadly.clock.advance(500);
  for (let tries = 0; tries < 5; tries += 1) {
    deadly.die();
    await deadly.clerk().start();
    await deadly.clock.advance(500);
  }
  expect(deadly.worked).toHaveLength(4);
  expect(deadly.failed).toMatchObject([{ sessionId: 'r-1', reason: 'session-abandoned' }]);
  // The next process resumes the run.
  deadly.die();
  const ended = deadly.run().run();
  await deadly.pass(2);
  expect((await ended).status).toBe('waiting');
});

test('a run of a flow outside the configuration is left to the code that started it', async () => {
  const place = office();
  void place.run({ amount: 12 }).run();
  await place.pass(2);
  await place.decide('approve');
  const clerk = place.clerk({});
  await clerk.start();
  await place.pass(400);
  await clerk.stop();
  expect(place.failed).toEqual([]);
  expect(await place.store.inbox.listDue({ sessionId: 'r-1', dueBy: place.clock.now(), limit: 9 })).toMatchObject([
    { entry: { signal: { type: 'wait:resolved' } }, attempts: 0 },
  ]);
});
