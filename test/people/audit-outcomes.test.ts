import { expect, test } from 'vitest';
import { createMemoryStore } from '../../src/store/memory/store.ts';
import type { InboxEntry } from '../../src/model/inbox.ts';
import { type StrayDecision, strayDecisions } from '../../src/people/audit-outcomes.ts';
import { resolveWait } from '../../src/people/resolve-wait.ts';
import type { Store } from '../../src/model/ports/store.ts';
import { systemClock as clock } from '../../src/system.ts';
import { commitTalk, commitWait } from './waiting.ts';

const strays = async (store: Store): Promise<StrayDecision[]> => {
  const found: StrayDecision[] = [];
  for await (const stray of strayDecisions(store)) found.push(stray);
  return found;
};

test('the audit finds a decision that was changed or removed after it was recorded', async () => {
  const store = createMemoryStore({ clock });
  await commitWait(store, 's');
  const answer = { key: 's/5/1', resolution: { decision: 'approve' }, factsHash: 'f1', actor: { id: 'ada' } };
  expect(await resolveWait({ store, clock, authority: null }, answer)).toEqual({ outcome: 'posted' });
  expect(await strays(store)).toEqual([]);

  const [kept] = await store.inbox.list({ sessionId: 's', limit: 1 });
  await store.inbox.withdraw('resolve/s/5/1');
  expect(await strays(store)).toEqual([{ seq: 1, sessionId: 's', key: 's/5/1', fault: 'lost' }]);

  const signal = { type: 'wait:resolved', key: 's/5/1', resolution: { decision: 'reject' } } as const;
  await store.inbox.post([{ ...(kept?.entry as InboxEntry), signal }]); // It was listed.
  expect(await strays(store)).toEqual([{ seq: 1, sessionId: 's', key: 's/5/1', fault: 'other' }]);

  const lease = await store.leases.acquire({ sessionId: 's', owner: 'someone', ttlMs: 1_000 });
  if (lease !== null) await store.sessions.delete(lease);
  expect(await strays(store)).toEqual([]);
  await store.close();
});

test('the audit finds a decision whose signal was renamed in the log of its conversation', async () => {
  const store = createMemoryStore({ clock });
  await commitTalk(store, 's');
  await commitWait(store, 's');
  const answer = { key: 's/5/1', resolution: { decision: 'approve' }, factsHash: 'f1', actor: { id: 'ada' } };
  await resolveWait({ store, clock, authority: null }, answer);
  const lease = await store.leases.acquire({ sessionId: 's', owner: 'someone', ttlMs: 1_000 });
  const kept = await store.sessions.get('s');
  if (lease === null || kept === null) throw new Error('the session is there, and free');
  const resolution = { decision: 'approve' };
  const renamed = { type: 'wait:resolved', key: 's/9/9', resolution, actor: null, at: 1, eventId: 'e1' } as const;
  await store.steps.create({
    ...{ lease, baseSeq: kept.seq, inputKeys: ['resolve/s/5/1'], effects: [], events: () => [] },
    ...{ state: kept.state, stateVersion: 1, graphHash: kept.graphHash },
    signals: [{ seq: kept.seq + 1, signal: renamed }],
  });
  expect(await strays(store)).toEqual([{ seq: 1, sessionId: 's', key: 's/5/1', fault: 'lost' }]);
  await store.close();
});
