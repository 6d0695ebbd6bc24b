import { expect, test } from 'vitest';
import { createMemoryStore } from '../../src/durable/memory-store.ts';
import type { StepCommit } from '../../src/ports/store.ts';
import { createVirtualClock } from '../../src/testing/virtual-clock.ts';
import { describeStore } from './conformance.ts';

describeStore('memory', async () => {
  const clock = createVirtualClock();
  return { clock, store: createMemoryStore({ clock }) };
});

test('a memory store counts the commits that it took', async () => {
  const store = createMemoryStore({ clock: createVirtualClock() });
  const lease = await store.acquireLease('s', 'me', 1_000);
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
  await store.commit(commit);
  await store.commit(commit);
  await expect(store.commit({ ...commit, baseSeq: 1 })).rejects.toMatchObject({ code: 'store-conflict' });
  expect(store.transactions).toBe(2);
});
