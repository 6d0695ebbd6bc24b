import { afterEach, describe, expect, test } from 'vitest';
import type { OpenedConfig } from '../../src/config/config.ts';
import { createMemoryStore } from '../../src/store/memory/store.ts';
import type { Event } from '../../src/model/events/event.ts';
import { OfflineBrain } from '../../src/offline/brain/offline-brain.ts';
import { createTextSender } from '../../src/people/channels/text-sender.ts';
import { startCampaign } from '../../src/people/campaigns/keep-campaigns.ts';
import { createMessenger } from '../../src/people/messages/messenger.ts';
import { receiveMessage } from '../../src/people/messages/receive-message.ts';
import { changeSchedule, listSchedules } from '../../src/people/schedules/keep-schedules.ts';
import { readSchedule } from '../../src/people/schedules/read-schedule.ts';
import type { SessionState } from '../../src/kernel/state/state.ts';
import type { Store } from '../../src/model/ports/store.ts';
import { planParts, syncPlans } from '../../src/runner/plans.ts';
import { replaySession } from '../../src/runner/replay-session.ts';
import { systemCivilTime as civil, systemClock, systemIds as ids } from '../../src/system.ts';
import type { BeforeLLMDecision } from '../../src/engine/policy/decisions.ts';
import type { ResponseMeta } from '../../src/engine/policy/hooks.ts';
import { until } from '../livekit/until.ts';
import { clerkOf } from './clerk-of.ts';

const hourMs = 3_600_000;
const contact = { contact: { channel: 'sms', to: '+49 170 1' } };

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

const other = `name: other
initial_node: only
languages: [en, es]
nodes: { only: { say: { en: "Another flow.", es: "Otro flujo." }, task_messages: [{ role: system, content: "Talk." }] } }
`;

const opened: Store[] = [];
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
});

describe('a scheduled turn', () => {
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
      ['beforeLLM', '', undefined],
      ['beforeResponse', 'scheduled'],
      ['onResponse', 'Has your parcel come?', { source: 'scheduled', ...run }],
    ]);
    const sessionId = `run/mondays/${new Date(run.scheduledFor).toISOString()}`;
    expect((await place.store.steps.list(sessionId))[0]?.signal).toMatchObject({ correlation: run });
    for (const type of ['flow:started', 'node:entered', 'response:prepared', 'turn:completed'] as const)
      expect(await place.firstEvent(sessionId, type)).toMatchObject(run);

    place.seen.length = 0;
    await receiveMessage(place.parts, { sessionId, id: 'SM1', text: 'Yes.', actor: null });
    await place.work(() => place.sent.length === 2);
    // The schedule started the conversation, but the turn is the caller's.
    expect(place.seen).toEqual([
      ['beforeLLM', 'Yes.', 'message'],
      ['beforeResponse', 'flow'],
      ['onResponse', expect.stringContaining('Thank you.'), { source: 'flow', scheduleId: 'mondays' }],
    ]);
  });

  test('of a stored session passes the same hooks in the same order as the caller’s', async () => {
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

  test('counts its attempts', async () => {
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

describe('`beforeLLM` decides about the first turn of a run before its first word', () => {
  const plans = { schedules: { once: { every: '1h', flow: 'parcel', input: contact, reach: 'message' } } } as const;
  const runOf = async (beforeRun: BeforeLLMDecision, flow = 'parcel') => {
    const place = placeOf({ schedules: { once: { ...plans.schedules.once, flow } } }, beforeRun);
    await syncPlans(place.config, place.parts);
    const [kept] = await listSchedules(place.parts);
    place.pass(hourMs + 5);
    const sessionId = `run/once/${new Date(kept?.next?.tick ?? 0).toISOString()}`;
    // `work` ends once the clerk has finished its entries.
    await place.work(() => place.seen.some(([hook]) => hook === 'beforeLLM'));
    const state = async () => (await place.store.sessions.get(sessionId))?.state as unknown as SessionState | undefined;
    return { place, sessionId, state };
  };

  test('`skip_llm` stops it: nothing is said, and the flow begins with the words of the person', async () => {
    const { place, sessionId, state } = await runOf({ action: 'skip_llm', reason: 'opted-out' });
    expect(place.sent).toEqual([]);
    expect(await state()).toMatchObject({ status: 'active', position: { visit: 0 } });
    expect((await place.firstEvent(sessionId, 'turn:decided'))?.data).toMatchObject({ policyReason: 'opted-out' });
    await receiveMessage(place.parts, { sessionId, id: 'SM1', text: 'Hello?', actor: null });
    const question = 'Has your parcel come?';
    await place.work(() => place.sent.includes(question));
    expect(place.sent.at(-1)).toBe(question);
    const log = (await place.store.steps.list(sessionId)).map(({ signal }) => signal);
    expect(log[0]).toMatchObject({ type: 'session:started', policy: { action: 'hold', by: 'hook' } });
  });

  test('`skip_llm` with a line says that line', async () => {
    const { place } = await runOf({ action: 'skip_llm', draftReply: 'We write again tomorrow.' });
    await place.work(() => place.sent.length === 1);
    expect(place.sent).toEqual(['We write again tomorrow.']);
  });

  test('its `language` is that of the first words, in a replay too', async () => {
    const { place, sessionId, state } = await runOf({ action: 'continue', language: 'es' }, 'other');
    await place.work(() => place.sent.length === 1);
    expect(place.sent).toEqual(['Otro flujo.']);
    expect(await state()).toMatchObject({ dialogue: { language: 'es' } });
    expect(await replaySession(place.store, sessionId)).toMatchObject({ isKept: true });
  });

  test('`end` ends the session, and `route_flow` begins another flow', async () => {
    const ended = await runOf({ action: 'end', reason: 'quota' });
    expect(ended.place.sent).toEqual([]);
    expect(await ended.state()).toMatchObject({ status: 'ended' });
    const routed = await runOf({ action: 'route_flow', flowId: 'other' });
    await routed.place.work(() => routed.place.sent.length === 1);
    expect(routed.place.sent).toEqual(['Another flow.']);
    expect(await routed.state()).toMatchObject({ position: { flow: { id: 'other' } } });
  });
});

/** A clerk and a messenger for a configuration, with the inputs of its hooks. */
function placeOf(plans: Pick<OpenedConfig, 'schedules' | 'campaigns'>, beforeRun?: BeforeLLMDecision) {
  let passed = 0;
  const clock = { ...systemClock, now: () => systemClock.now() + passed };
  const store = createMemoryStore({ clock });
  opened.push(store);
  const seen: unknown[][] = [];
  const sent: string[] = [];
  const told = ({ flowId: _flow, policy: _policy, hitlState: _hitl, ...meta }: ResponseMeta) => meta;
  const config: OpenedConfig = {
    ...plans,
    flows: { parcel, other },
    timeZone: 'UTC',
    hooks: {
      beforeLLM: async ({ text }, { inbound }) => {
        seen.push(['beforeLLM', text, inbound?.via]);
        return inbound === null ? beforeRun : undefined;
      },
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
      store.inbox.post([
        {
          ...{ key: 'begin', sessionId, dueAt: clock.now(), reach: 'message', correlation: {}, actor: null },
          signal: { type: 'session:started', flow: 'parcel', input: contact },
        },
      ]),
    async firstEvent(sessionId: string, type: Event['type']) {
      return (await store.steps.listEvents(sessionId)).find((event) => event.type === type && event.seq > 0);
    },
    /** Runs a clerk until a condition holds. */
    async work(isDone: () => boolean) {
      const clerk = clerkOf({
        ...{ config, store, clock },
        flowOf: async (name) => {
          if (place.trouble > 0) {
            place.trouble -= 1;
            throw new Error('the flow is away');
          }
          return name === 'other' ? other : parcel;
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
