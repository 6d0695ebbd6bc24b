import { expect, test } from 'vitest';
import { createMemoryStore } from '../../src/store/memory/store.ts';
import type { InboxEntry } from '../../src/model/inbox.ts';
import { pollInbox } from '../../src/people/poll-inbox.ts';
import type { Timekeeper } from '../../src/model/ports/timekeeper.ts';
import { createVirtualClock } from '../../src/testing/virtual-clock.ts';
import { clerkOf } from './clerk-of.ts';

const hourMs = 3_600_000;

test('a clerk wakes when an entry is posted and exactly when the next is due', async () => {
  const { clock, store, taken, waking } = setUp();
  const began = clock.now();
  await store.inbox.post([entry('in an hour', began + hourMs)]);
  await waking.start();
  await clock.advance(0);
  expect(taken).toEqual([]);

  await store.inbox.post([entry('now', clock.now()), entry('soon', began + 90_500)]);
  await clock.advance(0);
  expect(taken).toEqual([['now', 0]]);
  await clock.advance(hourMs);
  expect(taken.slice(1)).toEqual([
    ['soon', 90_500],
    ['in an hour', hourMs],
  ]);
  await waking.stop();
  await store.inbox.post([entry('late', clock.now())]);
  await clock.advance(hourMs);
  expect(taken).toHaveLength(3);
  expect(clock.pending).toBe(0);
});

test('an entry that falls due while others are processed, or behind blocked entries, is not forgotten', async () => {
  const { clock, store, taken, waking, takes } = setUp();
  const began = clock.now();
  takes.ms = 70;
  await store.inbox.post([entry('first', began), entry('second', began + 50)]);
  await waking.start();
  await clock.advance(100);
  expect(taken).toEqual([
    ['first', 0],
    ['second', 70],
  ]);

  await store.leases.acquire({ sessionId: 'owned', owner: 'a live call', ttlMs: hourMs });
  await store.inbox.post(Array.from({ length: 100 }, (_, index) => entry(`owned ${index}`, began, 'owned')));
  await store.inbox.post([entry('behind them', began + 10_400)]);
  await clock.advance(12_000);
  expect(taken.slice(2).map(([key]) => key)).toEqual(['behind them']);
  expect((taken[2]?.[1] ?? 0) - 10_400).toBeLessThanOrEqual(1_070);
  await waking.stop();
});

test('trouble is reported, and the next poll tries again', async () => {
  const { clock, store, taken, waking, takes, troubles } = setUp();
  takes.trouble = new Error('the database is away');
  await waking.start();
  await store.inbox.post([entry('a', clock.now())]);
  await clock.advance(900);
  expect(new Set(troubles)).toEqual(new Set(['the database is away']));
  takes.trouble = null;
  await clock.advance(200);
  expect(taken.map(([key]) => key)).toEqual(['a']);
  await waking.stop();
});

test('an engine that hangs or throws does not delay due entries', async () => {
  const engine = createEngine();
  const { clock, store, taken, waking, troubles } = setUp(engine);
  const began = clock.now();
  engine.start = () => Promise.reject(new Error('the engine does not start'));
  const hanging: (() => void)[] = [];
  engine.keep = () => new Promise((resolve) => hanging.push(() => resolve(undefined)));
  await store.inbox.post([entry('a', began + 1_000), entry('b', began + 9_000)]);
  await waking.start();
  await clock.advance(1_000);
  expect(taken).toEqual([['a', 1_000]]);

  engine.keep = () => Promise.reject(new Error('the engine is away'));
  for (const end of hanging) end();
  await clock.advance(8_000);
  expect(taken.slice(1)).toEqual([['b', 9_000]]);
  expect(troubles).toEqual(expect.arrayContaining(['the engine does not start', 'the engine is away']));
  await waking.stop();
});

test('an engine receives the open entries, keeps only those, and wakes', async () => {
  const engine = createEngine();
  const { clock, store, taken, waking } = setUp(engine);
  const began = clock.now();
  await store.inbox.post([entry('before', began + hourMs), entry('answered', began + 2 * hourMs)]);
  await waking.start();
  await store.inbox.post([entry('after', began + 3 * hourMs)]);
  await clock.advance(0);
  expect([...engine.timers]).toEqual([
    `before@${began + hourMs}`,
    `answered@${began + 2 * hourMs}`,
    `after@${began + 3 * hourMs}`,
  ]);
  await store.inbox.withdraw('answered');
  await clock.advance(hourMs);
  expect(taken).toEqual([['before', hourMs]]);
  expect([...engine.timers]).toEqual([`after@${began + 3 * hourMs}`]);

  // An entry whose session is still owned is seen by the next poll, or by the engine, which retries.
  const lease = await store.leases.acquire({ sessionId: 'owned', owner: 'a live call', ttlMs: hourMs });
  await store.inbox.post([entry('left', clock.now(), 'owned')]);
  await clock.advance(500);
  await store.leases.release(lease!);
  await engine.deliver('left');
  await clock.advance(0);
  expect(taken.slice(1)).toEqual([['left', hourMs + 500]]);
  await waking.stop();
  expect(engine.isStopped).toBe(true);
});

test('the engine of a configuration is that of its clerk', async () => {
  const engine = createEngine();
  const clock = createVirtualClock();
  const store = createMemoryStore({ clock });
  const clerk = clerkOf({ config: { timekeeper: () => engine }, store, clock });
  await clerk.start();
  await store.inbox.post([entry('later', clock.now() + hourMs)]);
  await clock.advance(0);
  expect([...engine.timers]).toEqual([`later@${clock.now() + hourMs}`]);
  await clerk.stop();
  expect(engine.isStopped).toBe(true);
});

function setUp(timekeeper?: Timekeeper) {
  const clock = createVirtualClock();
  const store = createMemoryStore({ clock });
  const began = clock.now();
  const taken: [string, number][] = [];
  const troubles: string[] = [];
  const takes: { ms: number; trouble: Error | null } = { ms: 0, trouble: null };
  const waking = pollInbox({
    ...{ store, clock, ...(timekeeper && { timekeeper }) },
    onError: (error) => troubles.push(error instanceof Error ? error.message : ''),
    async wake() {
      if (takes.trouble !== null) throw takes.trouble;
      for (const { entry } of await store.inbox.claim({ ttlMs: 1_000, limit: 10 })) {
        taken.push([entry.key, clock.now() - began]);
        await store.inbox.withdraw(entry.key);
      }
      if (takes.ms > 0) await new Promise<void>((resolve) => void clock.schedule(takes.ms, resolve));
    },
  });
  return { clock, store, taken, troubles, takes, waking };
}

function entry(key: string, dueAt: number, sessionId = key): InboxEntry {
  return {
    ...{ key, sessionId, dueAt, reach: 'wait', correlation: {}, actor: null },
    signal: { type: 'node:requested', to: 'next' },
  };
}

/** An engine that keeps its timers in a set and fires them when the test says so. */
function createEngine() {
  let start: Parameters<Timekeeper['start']>[0] = async () => undefined;
  const engine = {
    timers: new Set<string>(),
    isStopped: false,
    deliver: (key: string) => start(key),
    keep: async (key: string, dueAt: number) => void engine.timers.add(`${key}@${dueAt}`),
    forget: async (key: string, dueAt: number) => void engine.timers.delete(`${key}@${dueAt}`),
    start: async (deliver: (key: string) => Promise<void>) => void (start = deliver),
    stop: async () => void (engine.isStopped = true),
  };
  return engine;
}
