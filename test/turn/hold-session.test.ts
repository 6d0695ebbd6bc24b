import { expect, test } from 'vitest';
import { createMemoryStore } from '../../src/store/memory/store.ts';
import { holdSession } from '../../src/engine/session/session-lease.ts';
import { ownerName } from '../../src/engine/session/process-owner.ts';
import { createVirtualClock } from '../../src/testing/virtual-clock.ts';

/** The name of a process of this machine that is gone: another process has its id now. */
const gone = ownerName('job').replace(/:\d+:job$/, ':1:job');

test.runIf(gone.startsWith('process:'))(
  'a session whose owner died before its first commit is free at once',
  async () => {
    const clock = createVirtualClock();
    const store = createMemoryStore({ clock });
    expect(await store.leases.acquire({ sessionId: 's', owner: gone, ttlMs: 15_000 })).not.toBeNull();
    const held = await holdSession(store, 's', ownerName('next'), clock);
    expect(held.lease.owner).toBe(ownerName('next'));
    held.stopRenewal();
  },
);
