import { describe, expect, test } from 'vitest';
import { speakSentence } from '../../src/session/offline-speech/flite.ts';
import { toSpeakable } from '../../src/session/offline-speech/speakable.ts';
import { goThrough } from './intake.ts';
import { ledgerVariables, readLedger } from './ledger.ts';
import { hasEars, noEars, openStage, roomflowWorker } from './stage.ts';

const stage = openStage(
  'clinic',
  roomflowWorker('agent.config.ts', (its) => ({
    ...ledgerVariables(its),
    ...(hasEars ? { TEST_EARS: 'offline' } : {}),
  })),
);

const lastWords = /You are booked for Tuesday.* at 11 AM\. Please come fifteen minutes early.*Goodbye/s;

describe.concurrent('roomflow worker in a room', () => {
  test('a whole intake is spoken by a caller, understood, and answered by voice', async (context) => {
    context.skip(!hasEars, noEars);
    const caller = await stage.call(context, 'spoken');
    await goThrough(caller, async (words) => caller.speak(await speakSentence(toSpeakable(words), 'rms')), /goodbye/i);
    expect(caller.heard()).toMatch(/Robert Miller, is that right\?.*4 1 5, 5 5 5, 0 1 2 3\. Is that right\?/s);
    expect(caller.heard()).toMatch(lastWords);
    // Of some 40 seconds of speech.
    expect(caller.sound().loudSeconds).toBeGreaterThan(20);
    expect(visitsOf('spoken')).toEqual([visit]);
    await caller.until(() => !caller.isAgentThere(), 'the agent to leave');
  }, 280_000);

  test('the same intake is typed, answered by voice, and ends the call', async (context) => {
    const caller = await stage.call(context, 'typed');
    await goThrough(caller, (words) => caller.type(words), /goodbye/i);
    expect(caller.heard()).toMatch(lastWords);
    expect(caller.sound().loudSeconds).toBeGreaterThan(20);
    expect(visitsOf('typed')).toEqual([visit]);
    await caller.until(() => !caller.isAgentThere(), 'the agent to leave');
  }, 280_000);

  test('a second participant is not listened to; a caller who comes back is where the call was', async (context) => {
    const caller = await stage.call(context, 'rejoin');
    await caller.until(() => /shall we start/i.test(caller.heard()), 'the greeting', 90_000);
    const other = await stage.join(context, 'rejoin', 'other');
    await other.type('Goodbye, end the call.');
    await caller.type('Yes, please.');
    await caller.until(() => /full name\?/i.test(caller.heard()), 'the first question');
    await other.leave();
    await caller.leave();

    const back = await stage.join(context, 'rejoin');
    await back.until(() => /full name\?/i.test(back.heard()), 'the question once more');
    expect(back.agentAttributes()['flow.node']).toBe('details');
  }, 150_000);
});

test('a room that is deleted ends the call and leaves a worker for the next one', async (context) => {
  const caller = await stage.call(context, 'deleted');
  await caller.until(() => caller.isAgentThere(), 'the agent', 60_000);
  await stage.rooms.deleteRoom('deleted');
  const next = await stage.call(context, 'next', { flow: 'restaurant-booking' });
  await next.until(() => next.heard() !== '', 'the greeting of another flow', 60_000);
  expect(next.heard()).not.toMatch(/clinic/i);
}, 150_000);

/** What the answers of `intake.ts` come to. */
const visit = {
  full_name: 'Robert Miller',
  birth_date: '1984-03-04',
  reason: 'checkup',
  phone: '+14155550123',
  day: nextTuesday(),
  visit_time: '11:00',
};

function visitsOf(session: string): readonly object[] {
  const booked = readLedger(stage.folder).filter((entry) => entry.did === 'book_visit' && entry['session'] === session);
  return booked.map(({ did: _did, session: _session, ...facts }) => facts);
}

function nextTuesday(): string {
  const dayMs = 86_400_000;
  const today = Math.floor(Date.now() / dayMs);
  // The first day of 1970 was a Thursday; a Tuesday is meant that is still to come.
  const ahead = (5 - (today % 7) + 7) % 7 || 7;
  return new Date((today + ahead) * dayMs).toISOString().slice(0, 10);
}
