import { describe, expect, test } from 'vitest';
import { createMemoryStore } from '../../src/store/memory/store.ts';
import type { InboxEntry } from '../../src/model/inbox.ts';
import type { CampaignOptions, Recipient } from '../../src/people/campaigns/campaign.ts';
import {
  type CampaignParts,
  checkRecipient,
  continueCampaign,
  haltCampaign,
  isCampaignSession,
  listCampaigns,
  startCampaign,
  takeCampaignEntry,
} from '../../src/people/campaigns/keep-campaigns.ts';
import { heldRecipients } from '../../src/people/campaigns/held-recipients.ts';
import { changeSchedule, isScheduleSession, takeTick } from '../../src/people/schedules/keep-schedules.ts';
import { replayPlan } from '../../src/people/schedules/replay-plan.ts';
import { readSchedule } from '../../src/people/schedules/read-schedule.ts';
import type { Store } from '../../src/model/ports/store.ts';
import type { ClerkNote } from '../../src/people/clerk.ts';
import { systemCivilTime as civil } from '../../src/system.ts';
import { createCountingIds } from '../../src/testing/counting-ids.ts';
import { createVirtualClock } from '../../src/testing/virtual-clock.ts';
import { clerkOf } from './clerk-of.ts';

const minuteMs = 60_000;
const nine = Date.UTC(2030, 0, 7, 9);

describe('a round of a campaign', () => {
  test('reaches each recipient once, page by page, even if the segment yields them twice', async () => {
    const read: (string | null)[] = [];
    const place = campaignOf({
      pageSize: 3,
      input: { offer: 'check-up' },
      async *segment(after) {
        read.push(after);
        yield* people(7, after);
        if (after === '6') yield { id: 'p2', cursor: '8' };
      },
    });
    await startCampaign(place.parts, 'recall');
    await place.pass(minuteMs);
    expect(place.reached.map(({ correlation }) => correlation.recipientUserExternalId)).toEqual([
      'p1',
      'p2',
      'p3',
      'p4',
      'p5',
      'p6',
      'p7',
    ]);
    expect(read).toEqual([null, '3', '6']);
    expect(place.reached[0]).toMatchObject({
      key: `campaign/recall/-/p1/${nine}`,
      signal: { type: 'session:started', flow: 'remind', input: { offer: 'check-up', name: 'Person 1' } },
      correlation: {
        campaignId: 'recall',
        segmentId: 'recall',
        triggerType: 'campaign',
        scheduledFor: nine,
        runAttempt: 1,
      },
    });
    expect(await listCampaigns(place.parts)).toMatchObject([{ id: 'recall', status: 'done' }]);
  });

  test('a crash before or after any write neither loses nor doubles a recipient', async () => {
    for (let broken = 0; broken < 14; broken += 1)
      for (const moment of ['before', 'after'] as const) {
        const place = campaignOf({ pageSize: 2, segment: (after) => people(7, after) }, { broken, moment });
        await place.pass(10 * minuteMs);
        await startCampaign(place.parts, 'recall').catch(() => undefined);
        await place.pass(10 * minuteMs);
        const [state] = await listCampaigns(place.parts);
        if (state === undefined) continue; // The session never began, and its starter was notified.
        expect(
          place.reached.map(({ sessionId }) => sessionId),
          `${moment} write ${broken}`,
        ).toHaveLength(7);
        expect(new Set(place.reached.map(({ sessionId }) => sessionId)).size).toBe(7);
        expect(state.status).toBe('done');
      }
  });

  test('keeps its pace, and spreads recipients held by quiet hours over the morning', async () => {
    const place = campaignOf({
      pageSize: 4,
      pace: { perSecond: 2 },
      quiet: { from: '08:30', to: '09:30' },
      zone: 'UTC',
      async *segment(after) {
        for await (const person of people(12, after))
          yield Number(person.cursor) % 2 === 0 ? { ...person, zone: 'Asia/Tokyo' } : person;
      },
    });
    await startCampaign(place.parts, 'recall');
    await place.pass(60 * minuteMs);
    const at = (number: number): number => (place.at.get(`p${number}`) ?? 0) - nine;
    // It is 18:00 in Tokyo, and 09:30 in the zones that are half an hour ahead.
    expect([2, 4, 6].map(at)).toEqual([0, 500, 1_000]);
    expect([1, 3, 5].map(at)).toEqual([30 * minuteMs, 30 * minuteMs + 500, 30 * minuteMs + 1_000]);
    expect([8, 10, 12].map(at)).toEqual([1_500, 2_000, 2_500]);
  });

  test('respects its concurrency limit, and continues when a conversation has ended', async () => {
    const place = campaignOf({ reach: 'call', pace: { atOnce: 2 }, segment: (after) => people(5, after) });
    await startCampaign(place.parts, 'recall');
    await place.pass(minuteMs);
    expect(place.reached).toHaveLength(2);
    await place.end('p1');
    await place.pass(minuteMs);
    expect(place.reached.map(({ correlation }) => correlation.recipientUserExternalId)).toEqual(['p1', 'p2', 'p3']);
  });

  test('recipients in quiet hours take no place from others, and the concurrency limit holds in the morning', async () => {
    const place = campaignOf({
      reach: 'call',
      pace: { atOnce: 2 },
      quiet: { from: '08:30', to: '09:30' },
      zone: 'UTC',
      async *segment(after) {
        // Five recipients whose hour has not come precede three who can be reached.
        for await (const person of people(8, after))
          yield Number(person.cursor) > 5 ? { ...person, zone: 'Asia/Tokyo' } : person;
      },
    });
    const reached = (): unknown[] => place.reached.map(({ correlation }) => correlation.recipientUserExternalId);
    await startCampaign(place.parts, 'recall');
    await place.pass(minuteMs);
    expect(reached()).toEqual(['p6', 'p7']);
    const half = nine + 30 * minuteMs;
    expect((await heldRecipients(place.parts)).get('recall')).toEqual({
      recipients: 5,
      first: half,
      last: half + 2 * minuteMs,
    });
    await place.end('p6');
    await place.pass(minuteMs);
    expect(reached()).toEqual(['p6', 'p7', 'p8']);
    await place.end('p7');
    await place.pass(40 * minuteMs);
    // One place is free. The recipient who waits longest gets it, and each reached recipient passes it on.
    expect(reached()).toEqual(['p6', 'p7', 'p8', 'p1']);
    for (const next of ['p8', 'p1', 'p2', 'p3']) {
      await place.end(next);
      await place.pass(10 * minuteMs);
    }
    expect(reached().slice(3)).toEqual(['p1', 'p2', 'p3', 'p4', 'p5']);
  });

  test('recipients who wait for a place at the same time read the active ones once for all', async () => {
    const quiet = { from: '08:30', to: '09:30' };
    const segment = (after: string | null) => people(9, after);
    const place = campaignOf({ reach: 'call', pace: { atOnce: 3 }, quiet, zone: 'UTC', segment });
    await startCampaign(place.parts, 'recall');
    await place.pass(40 * minuteMs);
    expect(place.reached).toHaveLength(3);
    let loads = 0;
    const store: Store = {
      ...place.store,
      sessions: { ...place.store.sessions, get: (id) => ((loads += 1), place.store.sessions.get(id)) },
    };
    const waiting = (await store.inbox.list({ state: 'open', limit: 99 })).filter(
      ({ entry }) => entry.reach === 'call',
    );
    const checks = waiting.map((stored) => checkRecipient({ ...place.parts, store }, stored));
    expect(new Set(await Promise.all(checks))).toEqual(new Set(['held']));
    expect([checks.length, loads]).toEqual([6, 4]);
  });

  test('a segment that throws, hangs or yields an invalid recipient loses no recipient, and is retried with growing delays', async () => {
    const faults: (() => AsyncIterable<Recipient>)[] = [
      async function* () {
        yield* people(2, null);
        throw new RangeError('the database is away');
      },
      async function* () {
        await new Promise(() => undefined);
        yield* people(0, null);
      },
      async function* () {
        yield { id: '', cursor: '9' };
      },
    ];
    const cursors: (string | null)[] = [];
    const place = campaignOf({
      segment: (after) => {
        cursors.push(after);
        return faults.shift()?.() ?? people(4, after);
      },
    });
    await startCampaign(place.parts, 'recall');
    await place.pass(minuteMs);
    expect(place.failures).toEqual(['RangeError', 'segment-late', 'segment-invalid', null]);
    expect(cursors).toEqual([null, '2', '2', '2']);
    expect(place.reached).toHaveLength(4);
  });

  test('recipients without consent are skipped, even if the answer comes later', async () => {
    let isKnown = false;
    const place = campaignOf({
      segment: (after) => people(3, after),
      mayContact({ id }) {
        if (id === 'p2' && !isKnown) throw new Error('the list is away');
        return id !== 'p3';
      },
    });
    await startCampaign(place.parts, 'recall');
    await place.pass(500);
    expect(place.names()).toEqual(['p1']);
    isKnown = true;
    await place.pass(minuteMs);
    expect(place.names()).toEqual(['p1', 'p2']);
    expect(await listCampaigns(place.parts)).toMatchObject([{ posted: 3, passedOver: 1 }]);
    expect(await place.store.inbox.list({ limit: 9 })).toEqual([]);
  });

  test('no recipient is reached between stop and resume, and each one once after it', async () => {
    const place = campaignOf({ pageSize: 4, pace: { perSecond: 1 }, segment: (after) => people(10, after) });
    await startCampaign(place.parts, 'recall');
    await place.pass(1_500);
    await haltCampaign(place.parts, 'recall');
    await place.pass(10 * minuteMs);
    expect(place.names()).toEqual(['p1', 'p2']);
    await expect(startCampaign(place.parts, 'recall')).rejects.toThrow('campaign-running');
    await continueCampaign(place.parts, 'recall');
    await place.pass(minuteMs);
    expect(place.names().toSorted()).toEqual(['p1', 'p10', 'p2', 'p3', 'p4', 'p5', 'p6', 'p7', 'p8', 'p9']);
  });

  test('held recipients are posted again by a few commits, not by one each', async () => {
    const place = campaignOf({ pageSize: 600, segment: (after) => people(600, after) });
    await startCampaign(place.parts, 'recall');
    const store = place.store;
    for (const { entry } of await store.inbox.list({ limit: 9 })) await takeCampaignEntry(place.parts, entry);
    const turns = await store.inbox.list({ state: 'open', limit: 900 });
    await haltCampaign(place.parts, 'recall');
    for (const { entry } of turns) await store.inbox.defer(entry.key, { until: null, reason: 'campaign-stopped' });
    const commits = store.transactions;
    await continueCampaign(place.parts, 'recall');
    expect(store.transactions - commits).toBeLessThan(5);
    expect(await store.inbox.list({ state: 'dead', limit: 9 })).toEqual([]);
    // Plus the next page.
    expect(await store.inbox.list({ state: 'open', limit: 900 })).toHaveLength(601);
  });

  test('a stop also applies to a round whose pages are all read: recipients held by quiet hours are not reached', async () => {
    const quiet = { from: '08:30', to: '09:30' };
    const place = campaignOf({ quiet, zone: 'UTC', segment: (after) => people(3, after) });
    await startCampaign(place.parts, 'recall');
    await place.pass(minuteMs);
    expect(await listCampaigns(place.parts)).toMatchObject([{ status: 'done', posted: 3 }]);
    expect(await haltCampaign(place.parts, 'recall')).toMatchObject({ status: 'stopped' });
    await place.pass(60 * minuteMs);
    expect(place.names()).toEqual([]);
    await continueCampaign(place.parts, 'recall');
    await place.pass(minuteMs);
    expect(place.names().toSorted()).toEqual(['p1', 'p2', 'p3']);
    expect(await listCampaigns(place.parts)).toMatchObject([{ status: 'done', posted: 3 }]);
  });
});

test('observers of a clerk get each error of a segment, with its reason and without its content', async () => {
  const clock = createVirtualClock(nine);
  const store = createMemoryStore({ clock });
  const notes: ClerkNote[] = [];
  const segment = (): AsyncIterable<Recipient> => {
    throw new RangeError('Mrs Delgado is away');
  };
  const campaigns = { recall: { flow: 'reminder', reach: 'wait' as const, segment } };
  const clerk = clerkOf({ config: { campaigns }, store, clock, onFailed: (note) => void notes.push(note) });
  await startCampaign({ store, clock, ids: createCountingIds(), civil, zone: 'UTC', campaigns }, 'recall');
  await clerk.start();
  for (let second = 0; second < 5; second += 1) await clock.advance(1_000);
  await clerk.stop();
  expect(notes.map(({ sessionId, reason, attempt }) => [sessionId, reason, attempt])).toEqual([
    ['campaign/recall', 'RangeError', 1],
    ['campaign/recall', 'RangeError', 2],
    ['campaign/recall', 'RangeError', 3],
  ]);
});

test('a schedule begins a round at each tick, and posts it in one transaction with the next tick', async () => {
  const place = campaignOf({ segment: (after) => people(2, after) });
  const schedule = readSchedule(
    'mondays',
    { cron: '0 10 * * MON', campaign: 'recall' },
    { zone: 'UTC', civil, now: nine },
  );
  await changeSchedule(place.parts, 'mondays', { type: 'put', schedule, origin: 'config' });
  const before = place.store.transactions;
  await place.pass(61 * minuteMs);
  // The tick with the run, the start of the round, its page, and one for each recipient.
  expect(place.store.transactions - before).toBe(5);
  await place.pass(7 * 24 * 60 * minuteMs);
  const [first, , second] = place.reached.map(({ correlation }) => correlation);
  expect(first).toMatchObject({ scheduleId: 'mondays', scheduledFor: nine + 60 * minuteMs });
  expect(second).toMatchObject({ scheduleId: 'mondays', scheduledFor: nine + 60 * minuteMs + 7 * 24 * 60 * minuteMs });
  expect(place.reached).toHaveLength(4);
});

/** Yields this many recipients, after the one with a number. */
async function* people(count: number, after: string | null): AsyncIterable<Recipient> {
  for (let number = Number(after ?? 0) + 1; number <= count; number += 1)
    yield { id: `p${number}`, cursor: String(number), input: { name: `Person ${number}` } };
}

/** A store with one campaign and a clerk that takes due entries. A write that fails simulates the death of its process. */
function campaignOf(
  options: Partial<CampaignOptions>,
  crash: { broken: number; moment: 'before' | 'after' } = { broken: -1, moment: 'before' },
) {
  const clock = createVirtualClock(nine);
  const memory = createMemoryStore({ clock });
  let writes = 0;
  const store: Store & { readonly transactions: number } = {
    ...memory,
    get transactions() {
      return memory.transactions;
    },
    steps: {
      ...memory.steps,
      async create(commit) {
        const isBroken = writes === crash.broken;
        writes += 1;
        if (isBroken && crash.moment === 'before') throw new Error('died');
        await memory.steps.create(commit);
        if (isBroken) throw new Error('died');
      },
    },
  };
  const recall = {
    flow: 'remind',
    reach: 'message',
    segment: () => people(0, null),
    ...options,
  } satisfies CampaignOptions;
  const parts: CampaignParts = { store, clock, ids: createCountingIds(), civil, zone: 'UTC', campaigns: { recall } };
  const reached: InboxEntry[] = [];
  const at = new Map<string, number>();
  const failures: (string | null)[] = [];

  const commitTo = async (sessionId: string, inputKeys: readonly string[], status: string): Promise<void> => {
    const lease = await store.leases.acquire({ sessionId, owner: 'clerk', ttlMs: minuteMs });
    if (lease === null) throw new Error('owned');
    const step = { lease, baseSeq: 0, inputKeys, signals: [], state: { status }, stateVersion: 1, graphHash: 'g' };
    try {
      await store.steps.create({ ...step, effects: [], events: () => [] });
    } finally {
      await store.leases.release(lease);
    }
  };
  const take = async (): Promise<boolean> => {
    const claimed = await store.inbox.claim({ ttlMs: 1_000, limit: 100 });
    for (const stored of claimed) {
      const { entry } = stored;
      try {
        if (isScheduleSession(entry.sessionId)) await takeTick(parts, entry.sessionId, entry.key);
        else if (isCampaignSession(entry.sessionId))
          failures.push((await takeCampaignEntry(parts, entry))?.failure ?? null);
        else if ((await checkRecipient(parts, stored)) === 'go') {
          await commitTo(entry.sessionId, [entry.key], 'active');
          reached.push(entry);
          at.set(entry.correlation.recipientUserExternalId ?? '', clock.now());
        }
      } catch {
        // A process that died at it had reached the recipient if the entry was consumed.
        if (await store.inbox.isConsumed(entry.key)) if (entry.signal.type === 'session:started') reached.push(entry);
      }
    }
    return claimed.length > 0;
  };
  return {
    clock,
    store,
    parts,
    reached,
    at,
    failures,
    names: () => reached.map(({ correlation }) => correlation.recipientUserExternalId ?? ''),
    end: (id: string) => commitTo(`recipient/recall/-/${id}/${nine}`, [], 'ended'),
    /** Moves the clock from one due entry to the next. */
    async pass(ms: number) {
      const until = clock.now() + ms;
      for (;;) {
        const working = take();
        let isOver = false;
        void working.then(() => (isOver = true));
        for (let rounds = 0; rounds < 50 && !isOver; rounds += 1) await clock.advance(0);
        // The clock's timeout ends a hanging call.
        if (!isOver) await clock.advanceToNext();
        if (await working) continue;
        const [next] = (await store.inbox.list({ state: 'open', limit: 999 }))
          .map(({ notBefore }) => notBefore)
          .toSorted((a, b) => a - b);
        if (next === undefined || next > until) break;
        // After a process's death its claim expires, and another process takes the entry.
        await clock.advance(Math.max(next - clock.now(), 1));
      }
      if (clock.now() < until) await clock.advance(until - clock.now());
      // Its log folds to the stored state, after crashes too.
      const kept = await store.sessions.get('campaign/recall');
      if (kept !== null && kept.seq > 0) expect((await replayPlan(store, kept)).isKept).toBe(true);
    },
  };
}
