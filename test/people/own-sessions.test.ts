import { expect, test } from 'vitest';
import { createMemoryStore } from '../../src/store/memory/store.ts';
import { FlowError } from '../../src/model/errors.ts';
import type { InboxEntry } from '../../src/model/inbox.ts';
import type { JsonObject } from '../../src/model/json.ts';
import { keyOfMessage, receiveMessage } from '../../src/people/messages/receive-message.ts';
import { continueCampaign, countCall, haltCampaign, startCampaign } from '../../src/people/campaigns/keep-campaigns.ts';
import { changeSchedule, syncSchedules } from '../../src/people/schedules/keep-schedules.ts';
import { readSchedule } from '../../src/people/schedules/read-schedule.ts';
import { standIn } from '../../src/runner/conversation/kept-sessions.ts';
import { replaySession } from '../../src/runner/replay-session.ts';
import { systemCivilTime } from '../../src/system.ts';
import { createCountingIds } from '../../src/testing/counting-ids.ts';
import { createVirtualClock } from '../../src/testing/virtual-clock.ts';
import { clerkOf } from './clerk-of.ts';

const names = ['schedules', 'schedule/x', 'campaign/y'];

function placeOf() {
  const clock = createVirtualClock();
  const store = createMemoryStore({ clock });
  return { clock, store, parts: { store, clock, ids: createCountingIds(), civil: systemCivilTime } };
}

/** A message in the form of an older release. */
const message = (sessionId: string): InboxEntry => ({
  key: `message/${sessionId}/1`,
  ...{ sessionId, dueAt: 0, reach: 'message', correlation: {}, actor: null },
  signal: { type: 'user:turn', eventId: '1', text: 'Hello.', via: 'message' },
});

test.each(names)('a message to "%s" is refused, because no conversation can have this id', async (sessionId) => {
  const { parts } = placeOf();
  const posting = receiveMessage(parts, { sessionId, id: '1', text: 'Hello.', actor: null });
  await expect(posting).rejects.toThrow(FlowError);
  await expect(posting).rejects.toMatchObject({ code: 'session-kind-wrong' });
});

test.each(names)(
  'a posted message to "%s" does not stop a schedule, and every session stays readable',
  async (sessionId) => {
    const { clock, store, parts } = placeOf();
    await store.inbox.post([message(sessionId)]);
    const flow = { initialNode: 'a', nodes: { a: { say: 'Hello.', end: true } } };
    const clerk = clerkOf({ store, clock, flow });
    await clerk.start();
    for (let step = 0; step < 40; step += 1) await clock.advance(100);
    await clerk.stop();
    await syncSchedules(parts, [
      readSchedule('daily', { cron: '0 9 * * *', flow: 'a' }, { ...parts, zone: 'UTC', now: clock.now() }),
    ]);
    for (const { sessionId: id } of await store.sessions.list({ limit: 9 })) {
      const kept = await store.sessions.get(id);
      if (kept !== null) expect(await standIn(store, kept)).not.toContain('unreadable');
    }
  },
);

test('a session with an unreadable state does not hide others in a list', async () => {
  const { store } = placeOf();
  const snapshot = { sessionId: 's', seq: 0, stateVersion: 1, state: null, graphHash: 'g' };
  expect(await standIn(store, snapshot)).toBe('unreadable  state-unreadable');
});

test('the logs of schedules and campaigns contain their changes, and fold to the stored state', async () => {
  const { clock, store, parts } = placeOf();
  const schedule = readSchedule('daily', { cron: '0 9 * * *', flow: 'a' }, { ...parts, zone: 'UTC', now: clock.now() });
  await syncSchedules(parts, [schedule]);
  for (const type of ['pause', 'resume', 'run-now'] as const) await changeSchedule(parts, 'daily', { type });
  await syncSchedules(parts, []);
  const segment = async function* () {
    yield* [];
  };
  const campaigns = { recall: { flow: 'a', reach: 'message', segment } } as const;
  await startCampaign({ ...parts, zone: 'UTC', campaigns }, 'recall');
  await countCall(parts, 'recall', 'busy');
  await haltCampaign(parts, 'recall');
  await continueCampaign(parts, 'recall');

  const changes = async (id: string) =>
    (await store.steps.list(id)).flatMap(({ signal }) => (signal.type === 'plan:changed' ? [signal.change] : []));
  expect(await changes('schedule/daily')).toEqual(['put', 'pause', 'resume', 'run-now', 'remove']);
  expect(await changes('campaign/recall')).toEqual(['start', 'count-call', 'stop', 'resume']);
  expect((await store.steps.list('schedule/daily'))[1]?.signal).toMatchObject({
    ...{ at: clock.now(), entry: null, unset: [] },
    set: { status: 'paused', next: null },
  });
  for (const [id, signals] of [
    ['schedules', 2],
    ['schedule/daily', 5],
    ['campaign/recall', 4],
  ] as const)
    expect(await replaySession(store, id), id).toEqual({ isKept: true, signals });
});

test('a schedule of an older release begins its log with its next change', async () => {
  const { clock, store, parts } = placeOf();
  const schedule = readSchedule('daily', { cron: '0 9 * * *', flow: 'a' }, { ...parts, zone: 'UTC', now: clock.now() });
  const state = await changeSchedule({ ...parts, store: createMemoryStore({ clock }) }, 'daily', {
    ...{ type: 'put', origin: 'added', schedule },
  });
  const lease = await store.leases.acquire({ sessionId: 'schedule/daily', owner: 'older', ttlMs: 1_000 });
  if (lease === null) throw new Error('taken');
  const step = { lease, baseSeq: 0, inputKeys: [], signals: [], stateVersion: 1, graphHash: 'schedule/1', effects: [] };
  await store.steps.create({ ...step, state: { ...state } as unknown as JsonObject, events: () => [] }); // JSON, as in a store.
  await store.leases.release(lease);
  await expect(replaySession(store, 'schedule/daily')).rejects.toMatchObject({ code: 'session-kind-wrong' });
  await changeSchedule(parts, 'daily', { type: 'pause' });
  expect(await replaySession(store, 'schedule/daily')).toEqual({ isKept: true, signals: 1 });
});

test('ids with slashes never collide with the key of two other ids', () => {
  const keys = [
    { sessionId: 'a', id: 'b/c' },
    { sessionId: 'a/b', id: 'c' },
  ].map(keyOfMessage);
  expect(new Set(keys).size).toBe(2);
});
