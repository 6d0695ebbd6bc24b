import { expect, test } from 'vitest';
import { createMemoryStore } from '../../src/store/memory/store.ts';
import { writtenDown } from '../../src/people/audit.ts';
import { changeSchedule } from '../../src/people/schedules/keep-schedules.ts';
import { systemCivilTime, systemClock as clock } from '../../src/system.ts';
import { createCountingIds } from '../../src/testing/counting-ids.ts';

const record = { actor: { id: 'ada' }, action: 'schedule:change', sessionId: null, details: { schedule: 'x' } };

test('an act is written down before it is done, so that whoever dies in it leaves the record', async () => {
  const store = createMemoryStore({ clock });
  const seen = await writtenDown(store, record, async () => await store.readAudit({ limit: 9 }));
  expect(seen).toMatchObject([{ ...record, outcome: 'allowed' }]);
  expect(await store.readAudit({ limit: 9 })).toHaveLength(1);
});

test('an act that fails is written down once more, with the code of its failure, and the failure is told', async () => {
  const store = createMemoryStore({ clock });
  const parts = { store, clock, ids: createCountingIds(), civil: systemCivilTime };
  const act = () => changeSchedule(parts, 'x', { type: 'pause' });
  await expect(writtenDown(store, record, act)).rejects.toThrow(/^schedule-unknown/);
  expect(await store.readAudit({ limit: 9 })).toMatchObject([
    { outcome: 'allowed' },
    { outcome: 'denied', details: { schedule: 'x', reason: 'schedule-unknown' } },
  ]);
});
