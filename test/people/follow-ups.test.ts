import { expect, test } from 'vitest';
import { createMemoryStore } from '../../src/durable/memory-store.ts';
import { createTextSession } from '../../src/livekit/agent/text-session.ts';
import { listSchedules, takeTick } from '../../src/people/schedules/keep-schedules.ts';
import { FlowRunner } from '../../src/runner/flow-runner.ts';
import { systemCivilTime as civil, systemClock, systemIds as ids } from '../../src/system.ts';
import { ScriptedModel } from '../../src/testing/scripted-model.ts';

test('schedule_followup comes back to the session that it runs in, whatever its arguments say', async () => {
  let passed = 0;
  const clock = { ...systemClock, now: () => systemClock.now() + passed };
  const store = createMemoryStore({ clock });
  const outputs: string[] = [];
  const model = new ScriptedModel(({ afterTool, userText, items }) => {
    if (afterTool !== '') {
      outputs.push(items.at(-1) ?? '');
      return { text: 'I will.' };
    }
    const when = userText.includes('yesterday') ? '2020-01-01T09:00' : '2h';
    const forged = { session: 'other', sessionId: 'other', session_id: 'other', user: 'eve' };
    return { calls: [{ name: 'schedule_followup', arguments: { when, about: 'Ask for the parcel.', ...forged } }] };
  });
  const session = createTextSession(model);
  const runner = new FlowRunner({
    ...{ session, store, clock, timeZone: 'UTC', sessionId: 'ada', onEnd: 'keep' },
    prompt: 'You help.',
    followUps: { reach: 'message' },
  });
  await runner.start();
  await runner.send('Ask me yesterday.');
  await runner.send('Ask me again in two hours.');
  await runner.leave();
  await session.close();

  expect(outputs[0]).toContain('That time is past.');
  const parts = { store, clock, ids, civil };
  const [followUp, ...more] = await listSchedules(parts);
  expect(more).toEqual([]);
  expect(followUp).toMatchObject({
    origin: 'followup',
    schedule: { run: { type: 'turn', sessionId: 'ada', text: 'Ask for the parcel.', reach: 'message' } },
  });
  passed += 2 * 3_600_000 + 1_000;
  const [due] = await store.claimEntries({ ttlMs: 1_000, limit: 1 });
  await takeTick(parts, due?.entry.sessionId ?? '', due?.entry.key ?? '');
  const entries = await store.listEntries({ limit: 9 });
  expect(entries.map(({ entry }) => entry)).toMatchObject([
    {
      sessionId: 'ada',
      signal: { type: 'user:turn', via: 'scheduled', text: 'Ask for the parcel.' },
      correlation: { scheduleId: followUp?.schedule.id, triggerType: 'followup', runAttempt: 1 },
    },
  ]);
  await store.close();
});
