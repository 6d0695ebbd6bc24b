import { expect, test } from 'vitest';
import { createMemoryStore } from '../../src/store/memory/store.ts';
import type { StepCommit } from '../../src/model/ports/store.ts';
import { createVirtualClock } from '../../src/testing/virtual-clock.ts';
import { describeStore } from './conformance.ts';
import { event, heard, step } from '../../src/testing/store/steps.ts';

describeStore('memory', async (clock) => createMemoryStore({ clock }));

test('a memory store counts its commits', async () => {
  const store = createMemoryStore({ clock: createVirtualClock() });
  const lease = await store.leases.acquire({ sessionId: 's', owner: 'me', ttlMs: 1_000 });
  if (lease === null) throw new Error('the lease was not to be had');
  const rest = {
    lease,
    inputKeys: [],
    signals: [],
    state: {},
    stateVersion: 1,
    graphHash: 'g',
    effects: [],
    events: () => [],
  };
  const commit: StepCommit = { ...rest, baseSeq: 0 };

  expect(store.transactions).toBe(0);
  await store.steps.create(commit);
  await store.steps.create(commit);
  await expect(store.steps.create({ ...commit, baseSeq: 1 })).rejects.toMatchObject({ code: 'store-conflict' });
  expect(store.transactions).toBe(2);
});

test('all events of a long session are stored in order', async () => {
  const store = createMemoryStore({ clock: createVirtualClock() });
  const lease = await store.leases.acquire({ sessionId: 's', owner: 'me', ttlMs: 1_000 });
  if (lease === null) throw new Error('the lease was not to be had');
  const commits = Array.from({ length: 250 }, (_, index) => index + 1);

  for (const seq of commits)
    await store.steps.create(step(lease, { baseSeq: seq - 1, signals: [heard(seq)], events: () => [event(seq)] }));

  expect((await store.steps.listEvents('s')).map(({ seq }) => seq)).toEqual(commits);
});
