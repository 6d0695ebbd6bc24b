import { expect, it } from 'vitest';
import { createMemoryStore } from '../../src/store/memory/store.ts';
import { createRunner } from '../../src/runner/flow-runner.ts';
import { createTextSession } from '../../src/livekit/agent/text-session.ts';
import { ScriptedModel } from '../../src/testing/scripted-model.ts';
import { createVirtualClock } from '../../src/testing/virtual-clock.ts';

it('an owner that was let go of in its name, and lives after all, does not stand in the way of the next one', async () => {
  const clock = createVirtualClock();
  const store = createMemoryStore({ clock });
  const runner = createRunner({
    session: createTextSession(new ScriptedModel(() => ({ text: 'Well.' }))),
    flow: {
      initialNode: 'a',
      nodes: { a: { say: 'Hello.', functions: [{ name: 'leave', transitionTo: 'b' }] }, b: { end: true } },
    },
    store,
    sessionId: 's',
    owner: 'AJ_1',
    clock,
  });
  const starting = runner.start();
  await clock.advance(1_000);
  await starting;
  expect(await store.leases.acquire({ sessionId: 's', owner: 'AJ_2', ttlMs: 1 })).toBeNull();

  const lease = await store.leases.acquire({ sessionId: 's', owner: 'AJ_1', ttlMs: 1_000 });
  if (lease !== null) await store.leases.release(lease);
  // Its next heartbeat.
  await clock.advance(3_000);
  expect(await store.leases.acquire({ sessionId: 's', owner: 'AJ_2', ttlMs: 60_000 })).not.toBeNull();
  await runner.leave();
});
