import { expect, test } from 'vitest';
import { createMemoryStore } from '../../src/store/memory/store.ts';
import { createRunner } from '../../src/runner/flow-runner.ts';
import { systemClock } from '../../src/system.ts';
import { createTextSession } from '../../src/livekit/agent/text-session.ts';
import { ScriptedModel } from '../../src/testing/scripted-model.ts';

const hour = 3_600_000;
const day = 24 * hour;

test('a repeated input is recognised for a month, and forgotten when a session is released after that', async () => {
  let now = Date.UTC(2026, 10, 21);
  const clock = { now: () => now, schedule: systemClock.schedule };
  const store = createMemoryStore({ clock });
  const talk = async (sessionId: string, eventId: string) => {
    const session = createTextSession(new ScriptedModel(() => ({ text: 'Gladly.' })));
    const runner = createRunner({ session, prompt: 'Talk.', store, sessionId, clock, timeZone: 'UTC' });
    await runner.start();
    const outcome = await runner.send('Hello.', { eventId });
    await runner.leave();
    return outcome;
  };

  expect(await talk('a', 'e1')).toBe('taken');
  now += 5 * hour;
  expect(await talk('a', 'e1')).toBe('duplicate');
  now += 29 * day;
  expect(await talk('b', 'e2')).toBe('taken');
  expect(await talk('a', 'e1')).toBe('duplicate');
  now += day;
  await talk('b', 'e3');
  expect(await store.inbox.isConsumed('a/e1')).toBe(false);
  expect(await store.inbox.isConsumed('b/e2')).toBe(true);
});
