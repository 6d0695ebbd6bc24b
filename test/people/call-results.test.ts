import { expect, test } from 'vitest';
import { FlowError } from '../../src/model/errors.ts';
import type { InboxEntry } from '../../src/model/inbox.ts';
import { createMemoryStore } from '../../src/store/memory/store.ts';
import { type CallNote, createCallOut, type PlaceCall } from '../../src/people/calls/call-out.ts';
import type { CallResult } from '../../src/people/calls/call-result.ts';
import { callRulesOf, type CallSettings } from '../../src/people/calls/call-settings.ts';
import { createVirtualClock } from '../../src/testing/virtual-clock.ts';

/** A recipient of a campaign by telephone. The test decides the result of each call. */
function callee(settings: CallSettings) {
  const clock = createVirtualClock();
  const store = createMemoryStore({ clock });
  const notes: CallNote[] = [];
  const counted: string[] = [];
  const answers: ((result: CallResult | Error) => void)[] = [];
  const place: PlaceCall = () =>
    Promise.resolve({
      result: new Promise((resolve, reject) => {
        answers.push((result) => (result instanceof Error ? reject(result) : resolve(result)));
      }),
    });
  const callOut = createCallOut({
    ...{ store, clock, place, rules: callRulesOf(settings), tell: (note) => notes.push(note) },
    count: (campaign, result) => Promise.resolve(void counted.push(`${campaign} ${result}`)),
    onError: (error) => {
      throw error;
    },
  });
  const entry: InboxEntry = {
    ...{ key: 'recall/ada', sessionId: 'ada', dueAt: clock.now(), reach: 'call', actor: null },
    signal: { type: 'session:started', flow: 'recall', input: {} },
    correlation: { campaignId: 'recall', recipientUserExternalId: 'ada' },
  };
  const find = async () => (await store.inbox.list({ limit: 1 }))[0];
  return {
    ...{ clock, store, notes, counted, find },
    begin: () => store.inbox.post([entry]),
    /** Calls like a clerk, and reports the result of the call. */
    async call(result: CallResult | Error) {
      const [due] = await store.inbox.claim({ ttlMs: 30_000, limit: 1 });
      if (due === undefined) return false;
      await callOut(due);
      answers.pop()?.(result);
      await clock.advance(0);
      return true;
    },
  };
}

const busy: CallResult = { result: 'busy', sipStatus: 486 };

test('a busy line is called again as often as configured, and each result is reported and counted', async () => {
  const ada = callee({ attempts: 3, every: '5m' });
  await ada.begin();
  expect(await ada.call(busy)).toBe(true);
  expect(await ada.find()).toMatchObject({ state: 'open', reason: 'busy', attempts: 1 });
  await ada.clock.advance(299_000);
  expect(await ada.call(busy)).toBe(false);
  await ada.clock.advance(1_000);
  expect(await ada.call({ result: 'no-answer', sipStatus: 480 })).toBe(true);
  await ada.clock.advance(300_000);
  expect(await ada.call({ result: 'rang-out' })).toBe(true);
  expect(await ada.find()).toMatchObject({ state: 'dead', reason: 'rang-out' });
  const told = ada.notes.map(({ event, attempt, result, again }) => [event, attempt, result, again]);
  expect(told.filter(([event]) => event !== 'call:placed')).toEqual([
    ['call:missed', 1, 'busy', true],
    ['call:missed', 2, 'no-answer', true],
    ['call:missed', 3, 'rang-out', false],
  ]);
  expect(ada.counted).toEqual(['recall busy', 'recall no-answer', 'recall rang-out']);
  const audit = await ada.store.audit.list({ limit: 9 });
  expect(audit.find(({ action }) => action === 'call:missed')).toMatchObject({
    outcome: 'denied',
    details: { key: 'recall/ada', attempt: 1, result: 'busy', sipStatus: 486, again: true },
  });
});

test('declined calls and invalid numbers are called again only if the configuration says so', async () => {
  for (const result of ['declined', 'unknown-number', 'not-reached'] as const) {
    const once = callee({ attempts: 3 });
    await once.begin();
    await once.call({ result });
    expect(await once.find()).toMatchObject({ state: 'dead', reason: result });
    const again = callee({ attempts: 3, retry: [result] });
    await again.begin();
    await again.call({ result });
    expect(await again.find()).toMatchObject({ state: 'open', reason: result });
  }
  const never = callee({ attempts: 3, retry: [] });
  await never.begin();
  await never.call(busy);
  expect(await never.find()).toMatchObject({ state: 'dead', reason: 'busy' });
});

test('no other call starts while a telephone rings, and an answered call is reported', async () => {
  const ada = callee({ attempts: 3, every: '1s', ringFor: '40s' });
  await ada.begin();
  await ada.call({ result: 'answered' });
  expect(ada.notes.map(({ event }) => event)).toEqual(['call:placed', 'call:answered']);
  await ada.clock.advance(39_000);
  expect(await ada.call(busy)).toBe(false);
});

test("a line that fails while it rings is not the person's result, and is tried again", async () => {
  const ada = callee({ attempts: 2, every: '5m' });
  await ada.begin();
  await ada.call(new FlowError('call-failed', 'SIP 503.'));
  expect(ada.counted).toEqual([]);
  expect(ada.notes.at(-1)).toMatchObject({ event: 'call:not-placed', reason: 'call-failed' });
  expect(await ada.find()).toMatchObject({ state: 'open', reason: 'call-failed' });
});
