import { expect, test } from 'vitest';
import { createMemoryStore } from '../../src/store/memory/store.ts';
import { createTextSession } from '../../src/livekit/agent/text-session.ts';
import { listSchedules, takeTick } from '../../src/people/schedules/keep-schedules.ts';
import type { Store } from '../../src/model/ports/store.ts';
import { followUpName } from '../../src/runner/follow-up-name.ts';
import { isFollowUpDue } from '../../src/runner/follow-ups.ts';
import { createRunner } from '../../src/runner/flow-runner.ts';
import { systemCivilTime as civil, systemClock, systemIds as ids } from '../../src/system.ts';
import { ScriptedModel } from '../../src/testing/scripted-model.ts';
import { type DyingPoint, dyingStore } from './dying-store.ts';

test('schedule_followup returns to its own session, whatever its arguments say', async () => {
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
  const runner = createRunner({
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
  const [due] = await store.inbox.claim({ ttlMs: 1_000, limit: 1 });
  await takeTick(parts, due?.entry.sessionId ?? '', due?.entry.key ?? '');
  const entries = await store.inbox.list({ limit: 9 });
  expect(entries.map(({ entry }) => entry)).toMatchObject([
    {
      sessionId: 'ada',
      signal: { type: 'user:turn', via: 'scheduled', text: 'Ask for the parcel.' },
      correlation: { scheduleId: followUp?.schedule.id, triggerType: 'followup', runAttempt: 1 },
    },
  ]);
  await store.close();
});

test('after a hang-up, a conversation stays open until its scheduled follow-ups have come, and then ends', async () => {
  let passed = 0;
  const clock = { ...systemClock, now: () => systemClock.now() + passed };
  const store = createMemoryStore({ clock });
  const model = new ScriptedModel(({ afterTool, userText }) =>
    afterTool === '' && userText.includes('later')
      ? { calls: [{ name: 'schedule_followup', arguments: { when: '2h', about: 'Did it come?' } }] }
      : { text: 'Very well.' },
  );
  /** A caller calls, says a sentence and leaves, after the follow-up if `hears` it. Returns the status afterwards. */
  const call = async (sessionId: string, words: string, reason: string, hears = false): Promise<string | undefined> => {
    const session = createTextSession(model);
    const given = { session, store, clock, timeZone: 'UTC', sessionId, onEnd: 'keep' } as const;
    const runner = createRunner({ ...given, prompt: 'You help.', followUps: { reach: 'wait' } });
    const followUp = new Promise<void>((resolve) =>
      runner.on('turn:started', ({ data }) => void (data.via === 'scheduled' && resolve())),
    );
    await runner.start();
    await runner.send(words);
    if (hears) await followUp;
    await runner.stop(reason);
    await session.close();
    return ((await store.sessions.get(sessionId))?.state as { readonly status?: string } | undefined)?.status;
  };
  const parts = { store, clock, ids, civil };

  expect(await call('bob', 'Hello.', 'caller-left')).toBe('ended');
  expect(await call('eve', 'Ask me later.', 'quit')).toBe('ended');
  expect(await call('ada', 'Ask me later.', 'caller-left')).toBe('active');
  expect(await call('ada', 'It is me.', 'caller-left')).toBe('active');

  passed += 2 * 3_600_000 + 1_000;
  // The run is posted but not taken yet, so a caller who is on the line hears it in this call.
  for (const { entry } of await store.inbox.claim({ ttlMs: 1_000, limit: 9 }))
    await takeTick(parts, entry.sessionId, entry.key);
  const due = (await store.inbox.list({ sessionId: 'ada', limit: 9 })).map(({ entry }) => entry.signal);
  expect(due).toMatchObject([{ type: 'user:turn', via: 'scheduled' }]);
  expect(await isFollowUpDue(store, 'ada')).toBe(true);

  expect(await call('ada', 'Hello again.', 'caller-left', true)).toBe('ended');
  expect(await store.inbox.list({ sessionId: 'ada', limit: 9 })).toEqual([]);
  await store.close();
});

test('a follow-up that is scheduled while the process dies is scheduled once, for the time that the agent reports', async () => {
  const sessions: ReturnType<typeof createTextSession>[] = [];
  /** A conversation whose process dies at a write, or never, and resumes in another. */
  const play = async (point: DyingPoint | null) => {
    let passed = 0;
    const clock = { ...systemClock, now: () => systemClock.now() + passed };
    const store = createMemoryStore({ clock });
    const told: string[] = [];
    let asked = 0;
    const talk = async (on: Store): Promise<'over'> => {
      const model = new ScriptedModel(({ items }) => {
        const output = items.findLast((item) => item.startsWith(`output: ${followUpName}`));
        if (output !== undefined) {
          told.push(output);
          return { text: 'I will.' };
        }
        // The repeated request gets different words.
        return { calls: [{ name: followUpName, arguments: { when: `${(asked += 1)}h`, about: 'The parcel.' } }] };
      });
      const session = createTextSession(model);
      const given = { session, store: on, clock, timeZone: 'UTC', sessionId: 'ada', onEnd: 'keep' } as const;
      const runner = createRunner({ ...given, prompt: 'You help.', followUps: {} });
      await runner.start();
      await runner.send('Ask me again.', { eventId: 'turn-1' });
      await runner.idle();
      await runner.leave();
      sessions.push(session);
      return 'over';
    };
    let writes = 0;
    const end = await new Promise<'over' | 'dead'>((resolve, reject) => {
      const dying = dyingStore(store, point, () => resolve('dead'));
      talk(dying.store).then((over) => {
        writes = dying.count();
        resolve(over);
      }, reject);
    });
    if (end === 'dead') {
      // Its lease has expired.
      passed += 61_000;
      await talk(store);
    }
    const times = (await listSchedules({ store })).map(({ schedule: { when } }) =>
      when.type === 'at' ? civil(when.at, 'UTC') : when.type,
    );
    await store.close();
    return { times, told, writes };
  };

  const { writes } = await play(null);
  for (let nth = 1; nth <= writes; nth += 1)
    for (const after of [false, true]) {
      const { times, told } = await play({ nth, after });
      expect(times.length, `${after ? 'after' : 'before'} write ${nth}`).toBe(1);
      for (const output of told) expect(output).toContain(times[0]);
    }
  await Promise.all(sessions.map(async (session) => await session.close()));
});
