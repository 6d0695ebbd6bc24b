import { expect, test } from 'vitest';
import { createMemoryStore } from '../../src/durable/memory-store.ts';
import { FlowError } from '../../src/errors.ts';
import type { InboxEntry } from '../../src/events/inbox.ts';
import { keyOfMessage, receiveMessage } from '../../src/people/receive-message.ts';
import { syncSchedules } from '../../src/people/schedules/keep-schedules.ts';
import { readSchedule } from '../../src/people/schedules/read-schedule.ts';
import { standIn } from '../../src/runner/kept-sessions.ts';
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

/** A message as an older release has taken it. */
const message = (sessionId: string): InboxEntry => ({
  key: `message/${sessionId}/1`,
  ...{ sessionId, dueAt: 0, reach: 'message', correlation: {}, actor: null },
  signal: { type: 'user:turn', eventId: '1', text: 'Hello.', via: 'message' },
});

test.each(names)('a message to "%s" is refused, for no conversation has such an id', async (sessionId) => {
  const { parts } = placeOf();
  const posting = receiveMessage(parts, { sessionId, id: '1', text: 'Hello.', actor: null });
  await expect(posting).rejects.toThrow(FlowError);
  await expect(posting).rejects.toMatchObject({ code: 'session-unfit' });
});

test.each(names)(
  'a message to "%s" that was posted stops no schedule and leaves every session readable',
  async (sessionId) => {
    const { clock, store, parts } = placeOf();
    await store.post([message(sessionId)]);
    const flow = { initialNode: 'a', nodes: { a: { say: 'Hello.', end: true } } };
    const clerk = clerkOf({ store, clock, flow });
    await clerk.start();
    for (let step = 0; step < 40; step += 1) await clock.advance(100);
    await clerk.stop();
    await syncSchedules(parts, [
      readSchedule('daily', { cron: '0 9 * * *', flow: 'a' }, { ...parts, zone: 'UTC', now: clock.now() }),
    ]);
    for (const { sessionId: id } of await store.listSessions(9)) {
      const kept = await store.loadSnapshot(id);
      if (kept !== null) expect(await standIn(store, kept)).not.toContain('unreadable');
    }
  },
);

test('a session whose state cannot be read keeps no other out of a list', async () => {
  const { store } = placeOf();
  const snapshot = { sessionId: 's', seq: 0, stateVersion: 1, state: null, graphHash: 'g' };
  expect(await standIn(store, snapshot)).toBe('unreadable  state-unreadable');
});

test('ids with slashes make no key of two others', () => {
  const keys = [
    { sessionId: 'a', id: 'b/c' },
    { sessionId: 'a/b', id: 'c' },
  ].map(keyOfMessage);
  expect(new Set(keys).size).toBe(2);
});
