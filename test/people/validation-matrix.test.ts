import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { createMemoryStore } from '../../src/store/memory/store.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Event } from '../../src/model/events/event.ts';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import { createTextSession } from '../../src/livekit/agent/text-session.ts';
import { createAuthority } from '../../src/people/authority.ts';
import { postAct } from '../../src/people/post-act.ts';
import { resolveWait } from '../../src/people/resolve-wait.ts';
import { listSchedules } from '../../src/people/schedules/keep-schedules.ts';
import type { Store } from '../../src/model/ports/store.ts';
import { readableState } from '../../src/kernel/state/upgrade.ts';
import type { Clock } from '../../src/model/ports/time.ts';
import { createRunner } from '../../src/runner/flow-runner.ts';
import { systemClock } from '../../src/system.ts';
import { ScriptedModel } from '../../src/testing/scripted-model.ts';
import { clockAt } from '../durable/crash/sweep.ts';
import { whyNoSqlite } from '../durable/sqlite-here.ts';
import { until } from '../livekit/until.ts';
import { clerkOf } from './clerk-of.ts';

const noon = Date.UTC(2026, 10, 21, 12);
const minuteMs = 60_000;

/** A refund that an authorized person must decide within three minutes. */
const flow: ConversationFlow = {
  initialNode: 'approve',
  nodes: {
    approve: {
      type: 'interrupt.escalate',
      input: {
        ...{ to: 'refunds', question: 'Refund 120?', options: ['approve', 'reject'], say: 'One moment, please.' },
        // oxlint-disable-next-line unicorn/no-thenable -- a key of documents, which are not promises
        deadline: { after: '3m', then: 'go_to', node: 'call_you_back' },
      },
    },
    refund: { say: 'It is approved.', end: 'refunded' },
    sorry: { say: 'It was refused.', end: 'refused' },
    call_you_back: { say: 'We will call you back.', end: 'called-back' },
  },
  edges: [
    { from: 'approve', to: 'refund', when: { equals: { var: 'approve.decision', value: 'approve' } } },
    { from: 'approve', to: 'sorry' },
  ],
};

/** The call up to the question. */
async function asked(store: Store, clock: Clock) {
  const session = createTextSession(new ScriptedModel(() => ({ text: 'Yes.' })));
  const runner = createRunner({ session, flow, store, clock, sessionId: 's', timeZone: 'UTC' });
  await runner.start();
  await runner.idle();
  const [wait] = await store.effects.listOpen({ kind: 'wait', limit: 1 });
  if (wait === undefined) throw new Error('nobody is asked');
  return { runner, key: wait.effect.key };
}

const folder = mkdtempSync(join(tmpdir(), 'roomflow-matrix-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const missing = whyNoSqlite();
describe.skipIf(missing !== null)(missing ?? '13.3 Reliability', () => {
  /** Results of a timeout may differ only in their times. */
  const withoutTimes = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value, (key, one: unknown) => (/^(at|civil|dueAt)$/.test(key) ? null : one)));

  test('timeout resume paths are deterministic under same snapshot', async () => {
    const kept = join(folder, 'kept.db');
    const first = await openStore(`sqlite:${kept}`, { clock: clockAt(noon) });
    const { runner } = await asked(first, clockAt(noon));
    await runner.leave();
    await first.close();
    const ends: unknown[] = [];
    // The first process after the deadline acts on it, at once or days later.
    for (const [index, lateMs] of [0, 1, 3 * 24 * 60 * minuteMs].entries()) {
      const copy = join(folder, `${index}.db`);
      copyFileSync(kept, copy);
      const clock = clockAt(noon + 3 * minuteMs + lateMs);
      const store = await openStore(`sqlite:${copy}`, { clock });
      const clerk = clerkOf({ flow, store, clock, placeCall: () => Promise.resolve() });
      await clerk.start();
      const node = async () => readableState((await store.sessions.get('s'))?.state)?.position.node;
      let now: string | undefined;
      await until(() => {
        void node().then((found) => (now = found));
        return now === 'call_you_back';
      }, 'the deadline to be acted on');
      await clerk.stop();
      const log = await store.steps.list('s');
      expect((await store.steps.listEvents('s')).map(({ type }) => type)).toContain('wait:expired');
      ends.push(withoutTimes([log, (await store.sessions.get('s'))?.state, await store.effects.list('s')]));
      await store.close();
    }
    expect(ends[1]).toEqual(ends[0]);
    expect(ends[2]).toEqual(ends[0]);
  });
});

describe('13.3 Reliability, of words in a caller’s stead', () => {
  test('duplicate inbound ids do not double-advance proxy states', async () => {
    const clock = clockAt(noon);
    const store = createMemoryStore({ clock });
    const nodes = {
      words: {
        type: 'interrupt.wait',
        input: { proxy: 'desk', question: 'What shall I say?' },
        defaultTransition: 'on',
      },
      on: { type: 'interrupt.wait', input: { proxy: 'desk', question: 'And now?' }, defaultTransition: 'done' },
      done: { say: 'Thank you.', end: 'done' },
    };
    const session = createTextSession(new ScriptedModel(() => ({ text: 'Yes.' })));
    const flow = { initialNode: 'words', nodes };
    const runner = createRunner({ session, flow, store, clock, sessionId: 's', timeZone: 'UTC' });
    await runner.start();
    const first = (await store.effects.listOpen({ kind: 'wait', limit: 1 }))[0]?.effect.key ?? '';
    const opened = async (sessionId: string) =>
      (await store.steps.listEvents(sessionId)).flatMap(({ type, proxyId }) =>
        type === 'wait:opened' ? [proxyId] : [],
      );
    const say = (id: string, proxyId?: string) => {
      const signal = { type: 'user:turn', eventId: `proxy/s/${id}`, text: 'Go on.', via: 'proxy' } as const;
      return postAct(
        { store, clock },
        { sessionId: 's', id, actor: { id: 'ada' }, action: 'proxy:say', signal, proxyId },
      );
    };
    const statuses = await Promise.all([say('p1', first), say('p1', first), say('p1', first)]);
    expect(statuses.map(({ status }) => status).toSorted()).toEqual(['duplicate', 'duplicate', 'posted']);
    await until(() => runner.currentNode === 'on', 'the words to be taken');
    expect((await say('p1', first)).status).toBe('duplicate');
    await runner.idle();
    expect(runner.currentNode).toBe('on');
    expect((await store.steps.list('s')).filter(({ signal }) => signal.type === 'user:turn')).toHaveLength(1);
    await say('p2');
    expect(await runner.ended).toBe('done');
    const told = (await store.steps.listEvents('s')).filter(({ type }) => type === 'wait:resolved');
    expect(told.map(({ data }) => 'key' in data && data.key)).toEqual([first, expect.not.stringContaining(first)]);
    expect(await opened('s')).toEqual([first, expect.not.stringContaining(first)]);
  });
});

describe('13.4 Security', () => {
  test('unauthorized resolver actions are denied and auditable', async () => {
    const clock = clockAt(noon);
    const store = createMemoryStore({ clock });
    const { runner, key } = await asked(store, clock);
    const can = ({ id }: { readonly id: string }, action: string) => id === 'ada' && action === 'wait:resolve';
    const parts = { store, clock, authority: createAuthority({ can, clock }) };
    const before = [runner.state, await store.inbox.list({ limit: 9 })];
    const answer = { key, resolution: { decision: 'approve' } };
    expect(await resolveWait(parts, { ...answer, actor: { id: 'eve' } })).toEqual({ outcome: 'denied' });
    expect([runner.state, await store.inbox.list({ limit: 9 })]).toEqual(before);
    expect(await resolveWait(parts, { ...answer, actor: { id: 'ada' } })).toEqual({ outcome: 'posted' });
    expect(await runner.ended).toBe('refunded');
    const told = (await store.audit.list({ limit: 9 })).map(({ actor, action, outcome, sessionId, details }) => ({
      ...{ actor: actor?.id, action, outcome, sessionId },
      ...('reason' in details ? { reason: details['reason'] } : {}),
    }));
    expect(told).toEqual([
      { actor: 'eve', action: 'wait:resolve', outcome: 'denied', sessionId: 's', reason: 'not-allowed' },
      { actor: 'ada', action: 'wait:resolve', outcome: 'allowed', sessionId: 's' },
    ]);
  });

  test('scheduler tool cannot escape current-session user scope', async () => {
    const store = createMemoryStore({ clock: systemClock });
    const forged = { session: 'eve', sessionId: 'eve', session_id: 'eve', user: 'eve', recipient: 'eve', to: 'eve' };
    const model = new ScriptedModel(({ afterTool }) =>
      afterTool === ''
        ? { calls: [{ name: 'schedule_followup', arguments: { when: '2h', about: 'Ask again.', ...forged } }] }
        : { text: 'I will.' },
    );
    const session = createTextSession(model);
    const runner = createRunner({
      ...{ session, store, timeZone: 'UTC', sessionId: 'ada', onEnd: 'keep', prompt: 'You help.' },
      followUps: { reach: 'message' },
    });
    await runner.start();
    await runner.send('Ask Eve in two hours.');
    await runner.leave();
    await session.close();
    const schedules = await listSchedules({ store });
    expect(schedules.map(({ schedule }) => 'sessionId' in schedule.run && schedule.run.sessionId)).toEqual(['ada']);
    expect(JSON.stringify(await store.inbox.list({ limit: 9 }))).not.toContain('eve');
  });
});

describe('13.5 Observability', () => {
  test('the effects of an escalation carry its id and their progress', async () => {
    const clock = clockAt(noon);
    const store = createMemoryStore({ clock });
    const { runner, key } = await asked(store, clock);
    await resolveWait(
      { store, clock, authority: null },
      { key, resolution: { decision: 'reject' }, actor: { id: 'ada' } },
    );
    expect(await runner.ended).toBe('refused');
    const events = await store.steps.listEvents('s');
    const of = (type: Event['type']) => events.filter((event) => event.type === type);
    for (const event of [...of('wait:opened'), ...of('wait:resolved'), ...of('transition:taken')])
      expect(event).toMatchObject({ sessionId: 's', requestId: expect.stringMatching(/^req_/), escalationId: key });
    expect(of('response:persisted').map(({ data }) => 'hitlState' in data && data.hitlState)).toEqual([
      'pending_admin_resolution',
      'resolved',
    ]);
  });
});
