import { expect, test } from 'vitest';
import { createMemoryStore } from '../../src/store/memory/store.ts';
import { writtenDown } from '../../src/people/audit.ts';
import { changeSchedule } from '../../src/people/schedules/keep-schedules.ts';
import { systemCivilTime, systemClock as clock } from '../../src/system.ts';
import { createCountingIds } from '../../src/testing/counting-ids.ts';

const record = { actor: { id: 'ada' }, action: 'schedule:change', sessionId: null, details: { schedule: 'x' } };

test('an action is recorded before it is executed, so that a crash leaves the record', async () => {
  const store = createMemoryStore({ clock });
  const seen = await writtenDown(store, record, async () => await store.audit.list({ limit: 9 }));
  expect(seen).toMatchObject([{ ...record, outcome: 'allowed' }]);
  expect(await store.audit.list({ limit: 9 })).toHaveLength(1);
});

test('a failed action is recorded again with its error code, and the failure is reported', async () => {
  const store = createMemoryStore({ clock });
  const parts = { store, clock, ids: createCountingIds(), civil: systemCivilTime };
  const act = () => changeSchedule(parts, 'x', { type: 'pause' });
  await expect(writtenDown(store, record, act)).rejects.toThrow(/^schedule-unknown/);
  expect(await store.audit.list({ limit: 9 })).toMatchObject([
    { outcome: 'allowed' },
    { outcome: 'denied', details: { schedule: 'x', reason: 'schedule-unknown' } },
  ]);
});
