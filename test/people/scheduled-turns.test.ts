import { afterEach, describe, expect, test } from 'vitest';
import type { OpenedConfig } from '../../src/config.ts';
import { createMemoryStore } from '../../src/durable/memory-store.ts';
import type { Event } from '../../src/events/event.ts';
import { OfflineBrain } from '../../src/offline/brain/offline-brain.ts';
import { createTextSender } from '../../src/people/channels/text-sender.ts';
import { startCampaign } from '../../src/people/campaigns/keep-campaigns.ts';
import { createMessenger } from '../../src/people/messenger.ts';
import { receiveMessage } from '../../src/people/receive-message.ts';
import { changeSchedule, listSchedules } from '../../src/people/schedules/keep-schedules.ts';
import { readSchedule } from '../../src/people/schedules/read-schedule.ts';
import type { Store } from '../../src/ports/store.ts';
import { planParts, syncPlans } from '../../src/runner/plans.ts';
import { systemCivilTime as civil, systemClock, systemIds as ids } from '../../src/system.ts';
import type { ResponseMeta } from '../../src/turn/policy/hooks.ts';
import { until } from '../livekit/until.ts';
import { clerkOf } from './clerk-of.ts';

const hourMs = 3_600_000;

const parcel = `name: parcel
initial_node: ask
slots:
  came: { type: boolean, ask: "Has your parcel come?" }
nodes:
  ask: { collect: [came], default_transition: more }
  more: { say: "Thank you.", default_transition: more2 }
  more2: { task_messages: [{ role: system, content: "Talk." }], functions: [{ name: leave, transition_to: bye }] }
  bye: { say: "Bye.", end: done }
`;

const opened: Store[] = [];
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
});

describe('a turn that a schedule makes', () => {
  test('begins a session that hooks, events and the log see as a run of that schedule, and goes on as the caller’s', async () => {
    const place = placeOf({
      schedules: { mondays: { every: '2h', flow: 'parcel', input: contact, reach: 'message' } },
    });
    await syncPlans(place.config, place.parts);
    const [kept] = await listSchedules(place.parts);
    place.pass(2 * hourMs + 5);
    await place.work(() => place.sent.length === 1);
    const run = {
      scheduleId: 'mondays',
      triggerType: 'every',
      scheduledFor: kept?.next?.tick ?? 0,
      runAttempt: 1,
    } as const;
    expect(place.seen).toEqual([
      ['beforeResponse', 'scheduled'],
      ['onResponse', 'Has your parcel come?', { source: 'scheduled', ...run }],
    ]);
    const sessionId = `run/mondays/${new Date(run.scheduledFor).toISOString()}`;
    expect((await place.store.readLog(sessionId))[0]?.signal).toMatchObject({ correlation: run });
    for (const type of ['flow:started', 'node:entered', 'response:prepared'] as const)
      expect(await place.firstEvent(sessionId, type)).toMatchObject(run);

    place.seen.length = 0;
    await receiveMessage(place.parts, { sessionId, id: 'SM1', text: 'Yes.', actor: null });
    await place.work(() => place.sent.length === 2);
    // The schedule has begun the conversation; the turn is the caller's.
    expect(place.seen).toEqual([
      ['beforeLLM', 'Yes.', 'message'],
      ['beforeResponse', 'flow'],
      ['onResponse', expect.stringContaining('Thank you.'), { source: 'flow', scheduleId: 'mondays' }],
    ]);
  });

  test('of a session that is kept passes the same hooks in the same order as the caller’s', async () => {
    const place = placeOf({ schedules: {} });
    await place.begin('ada');
    await place.work(() => place.sent.length === 1);
    const at = new Date(place.clock.now() + hourMs).toISOString();
    const given = { at, session: 'ada', say: 'Yes.', reach: 'message' } as const;
    const schedule = readSchedule('s', given, { zone: 'UTC', civil, now: place.clock.now() });
    await changeSchedule(place.parts, 's', { type: 'put', schedule, origin: 'added' });
    place.pass(hourMs + 5);
    place.seen.length = 0;
    await place.work(() => place.sent.length === 2);
    const run = { scheduleId: 's', triggerType: 'at', scheduledFor: Date.parse(at), runAttempt: 1 };
    expect(place.seen).toEqual([
      ['beforeLLM', 'Yes.', 'scheduled'],
      ['beforeResponse', 'scheduled'],
      ['onResponse', expect.stringContaining('Thank you.'), { source: 'scheduled', ...run }],
    ]);
    expect(await place.firstEvent('ada', 'turn:started')).toMatchObject({ ...run, data: { via: 'scheduled' } });
  });

  test('counts how often it was tried', async () => {
    const place = placeOf({ schedules: { once: { every: '1h', flow: 'parcel', input: contact, reach: 'message' } } });
    await syncPlans(place.config, place.parts);
    place.trouble = 2;
    place.pass(hourMs + 5);
    await place.work(() => place.trouble === 1);
    place.pass(60_000);
    await place.work(() => place.trouble === 0);
    place.pass(60_000);
    await place.work(() => place.sent.length === 1);
    expect(place.seen.at(-1)).toMatchObject(['onResponse', 'Has your parcel come?', { runAttempt: 3 }]);
  });
});

test('the turn of a recipient tells its campaign, segment and recipient for as long as the conversation lasts', async () => {
  const place = placeOf({
    campaigns: {
      recall: {
        ...{ flow: 'parcel', reach: 'message', channel: 'sms', segmentId: 'of-march' },
        async *segment(after) {
          if (after === null) yield { id: 'p-17', cursor: '1', to: '+49 170 1' };
        },
      },
    },
  });
  const { round } = await startCampaign(place.parts, 'recall');
  await place.work(() => place.sent.length === 1);
  const ids = { campaignId: 'recall', segmentId: 'of-march', recipientUserExternalId: 'p-17' };
  const run = { ...ids, triggerType: 'campaign', scheduledFor: round.tick, runAttempt: 1 };
  expect(place.seen.at(-1)).toEqual(['onResponse', 'Has your parcel come?', { source: 'scheduled', ...run }]);
  const sessionId = `recipient/recall/-/p-17/${round.tick}`;
  await receiveMessage(place.parts, { sessionId, id: 'SM1', text: 'Yes.', actor: null });
  await place.work(() => place.sent.length === 2);
  expect(place.seen.at(-1)).toEqual(['onResponse', expect.stringContaining('Thank you.'), { source: 'flow', ...ids }]);
  expect(await place.firstEvent(sessionId, 'transition:taken')).toMatchObject(ids);
});

const contact = { contact: { channel: 'sms', to: '+49 170 1' } };

/** A clerk and a messenger of a configuration, and what its hooks have seen. */
function placeOf(plans: Pick<OpenedConfig, 'schedules' | 'campaigns'>) {
  let passed = 0;
  const clock = { ...systemClock, now: () => systemClock.now() + passed };
  const store = createMemoryStore({ clock });
  opened.push(store);
  const seen: unknown[][] = [];
  const sent: string[] = [];
  const told = ({ flowId: _flow, policy: _policy, hitlState: _hitl, ...meta }: ResponseMeta) => meta;
  const config: OpenedConfig = {
    ...plans,
    flows: { parcel },
    timeZone: 'UTC',
    hooks: {
      beforeLLM: async ({ text }, { inbound }) => void seen.push(['beforeLLM', text, inbound?.via]),
      beforeResponse: async ({ source }) => void seen.push(['beforeResponse', source]),
      onResponse: async ({ reply }, _context, meta) => void seen.push(['onResponse', reply, meta && told(meta)]),
    },
    channels: { sms: { send: (text) => void sent.push(text) } },
  };
  const parts = planParts(config, { store, clock, ids });
  const messenger = createMessenger({
    ...{ store, clock, senderOf: createTextSender({ store, clock, channels: config.channels ?? {} }) },
    onFailed: () => undefined,
    onError: () => undefined,
  });
  const place = {
    ...{ config, parts, store, clock, seen, sent, trouble: 0 },
    pass: (ms: number) => void (passed += ms),
    begin: (sessionId: string) =>
      store.post([
        {
          ...{ key: 'begin', sessionId, dueAt: clock.now(), reach: 'message', correlation: {}, actor: null },
          signal: { type: 'session:started', flow: 'parcel', input: contact },
        },
      ]),
    async firstEvent(sessionId: string, type: Event['type']) {
      return (await store.readEvents(sessionId)).find((event) => event.type === type && event.seq > 0);
    },
    /** Lets a clerk take what is due until something is so. */
    async work(isDone: () => boolean) {
      const clerk = clerkOf({
        ...{ config, store, clock },
        flowOf: async () => {
          if (place.trouble > 0) {
            place.trouble -= 1;
            throw new Error('the flow is away');
          }
          return parcel;
        },
        openModel: () => Promise.resolve(new OfflineBrain()),
        onError: (error) => void seen.push(['error', error]),
      });
      await clerk.start();
      await until(() => {
        void messenger.look();
        return isDone();
      }, 'the clerk to have taken it');
      await clerk.stop();
    },
  };
  return place;
}
