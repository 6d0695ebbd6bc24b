import { expect, test } from 'vitest';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import { createTextSession } from '../../src/livekit/agent/text-session.ts';
import type { Store } from '../../src/model/ports/store.ts';
import { createRunner } from '../../src/runner/flow-runner.ts';
import { oldSessions } from '../../src/runner/forgetting/old-sessions.ts';
import { createMemoryStore } from '../../src/store/memory/store.ts';
import { ScriptedModel } from '../../src/testing/scripted-model.ts';
import { createVirtualClock, type VirtualClock } from '../../src/testing/virtual-clock.ts';
import { clerkOf } from './clerk-of.ts';

const day = 86_400_000;
const talk: ConversationFlow = {
  initialNode: 'talk',
  nodes: { talk: { say: 'Hello.', functions: [{ name: 'leave', transitionTo: 'bye' }] }, bye: { end: true } },
};
const waits: ConversationFlow = {
  initialNode: 'approve',
  nodes: {
    approve: { type: 'interrupt.escalate', input: { to: 'desk', question: 'May they?', say: 'One moment.' } },
    done: { end: true },
  },
  edges: [{ from: 'approve', to: 'done' }],
};

/** A conversation that was left or ended at this time. */
async function past(store: Store, clock: VirtualClock, sessionId: string, flow: ConversationFlow, end: boolean) {
  const session = createTextSession(new ScriptedModel(() => ({ text: 'Yes.' })));
  const runner = createRunner({ session, flow, store, sessionId, clock, onEnd: 'keep' });
  await runner.start();
  await runner.idle();
  await (end ? runner.stop('caller-left') : runner.detach());
}

async function afterAWeek() {
  const clock = createVirtualClock();
  const store = createMemoryStore({ clock });
  await past(store, clock, 'ended', talk, true);
  await past(store, clock, 'left', talk, false);
  await past(store, clock, 'waits', waits, false);
  await past(store, clock, 'undelivered', talk, true);
  await past(store, clock, 'owned', talk, false);
  const signal = { type: 'outcome:ready', id: 'o', body: '{}' } as const;
  const entry = { key: 'o', sessionId: 'undelivered', dueAt: clock.now(), signal, reach: 'wait', actor: null } as const;
  await store.inbox.post([{ ...entry, correlation: {} }]);
  await store.inbox.defer('o', { until: null, reason: 'http-500' });
  await clock.advance(7 * day);
  await past(store, clock, 'new', talk, true);
  await store.leases.acquire({ sessionId: 'owned', owner: 'me', ttlMs: 30 * day });
  const left = async () => (await store.sessions.list({ limit: 99 })).map(({ sessionId }) => sessionId).toSorted();
  return { clock, store, left };
}

test('old sessions are those that no process, no wait and no entry of the inbox needs', async () => {
  const { clock, store } = await afterAWeek();
  const { forgettable, needed } = await oldSessions({ store, clock }, clock.now() - day, 9);
  expect(forgettable.toSorted()).toEqual(['ended', 'left']);
  expect(needed).toBe(3);
  expect((await oldSessions({ store, clock }, clock.now() - day, 1)).forgettable).toHaveLength(1);
});

test('a clerk deletes sessions at the end of their retention, and the audit has a record of each', async () => {
  const { clock, store, left } = await afterAWeek();
  const clerk = clerkOf({ store, clock, lookEveryMs: 600_000, config: { retention: '6d' } });
  await clerk.start();
  await clock.advance(5_000);
  expect(await left()).toEqual(['new', 'owned', 'undelivered', 'waits']);
  await clock.advance(7 * day);
  await clerk.stop();
  expect(await left()).toEqual(['owned', 'undelivered', 'waits']);
  const audit = await store.audit.list({ limit: 9 });
  expect(audit.map(({ action, details }) => [action, details])).toEqual(
    Array.from({ length: 3 }, () => ['session:forget', { by: 'retention' }]),
  );
});
