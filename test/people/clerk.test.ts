import { platform } from 'node:process';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createDurableStore } from '../../src/store/durable-store.ts';
import { createMemoryStore } from '../../src/store/memory/store.ts';
import { FlowError } from '../../src/model/errors.ts';
import { createWaitRegistry } from '../../src/store/wait-registry.ts';
import type { OutsideSignal } from '../../src/model/inbox.ts';
import { createTextSession } from '../../src/livekit/agent/text-session.ts';
import { flowTool } from '../../src/livekit/tools/flow-tool.ts';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import type { OutgoingCall } from '../../src/people/calls/call-out.ts';
import { type ClerkNote, createClerk } from '../../src/people/clerk.ts';
import { assertActAllowed } from '../../src/runner/conversation/assert-act-allowed.ts';
import { createRunner } from '../../src/runner/flow-runner.ts';
import { ScriptedModel } from '../../src/testing/scripted-model.ts';
import { createVirtualClock } from '../../src/testing/virtual-clock.ts';
import { ownerName } from '../../src/engine/session/process-owner.ts';
import { mortal } from '../durable/crash/mortal.ts';
import { expectRefusal } from '../durable/refusal.ts';
import { until } from '../livekit/until.ts';
import { clerkOf } from './clerk-of.ts';

// oxlint-disable-next-line unicorn/no-thenable -- a key of documents, which are not promises
const deadline = { after: '3m', then: 'go_to', node: 'call_you_back' };

/** A refund that a supervisor decides about, made once it is approved. */
const flow: ConversationFlow = {
  initialNode: 'approve',
  nodes: {
    approve: {
      type: 'interrupt.escalate',
      input: {
        ...{ to: 'refunds', question: 'Refund 120?', options: ['approve', 'reject'], say: 'One moment, please.' },
        ...{ reach: 'call', deadline },
      },
    },
    refund: {
      call: 'refund_order',
      functions: [{ name: 'refund_order', handler: 'refund_order', effect: 'write', transitionTo: 'done' }],
    },
    done: { say: 'It is approved.', end: 'refunded' },
    sorry: { say: 'It was refused.', end: 'refused' },
    call_you_back: { say: 'We will call you back.', end: 'called-back' },
  },
  edges: [
    { from: 'approve', to: 'refund', when: { equals: { var: 'approve.decision', value: 'approve' } } },
    { from: 'approve', to: 'sorry' },
  ],
};

/** A call whose caller hung up during a supervisor's wait, and a clerk on the same store. */
async function hungUp() {
  const clock = createVirtualClock();
  const store = createMemoryStore({ clock });
  const refunds: string[] = [];
  const called: OutgoingCall[] = [];
  const failed: ClerkNote[] = [];
  const tool = flowTool({
    name: 'refund_order',
    description: 'Refunds.',
    parameters: z.object({}),
    execute: () => {
      refunds.push('refunded');
      return { ok: true };
    },
  });
  const call = async () => {
    const heard: string[] = [];
    const session = createTextSession(new ScriptedModel(() => ({ text: 'Yes.' })));
    const runner = createRunner({ session, flow, tools: [tool], store, sessionId: 's', clock, timeZone: 'UTC' });
    runner.onSpeech((text) => heard.push(text));
    await runner.start();
    await runner.idle();
    return { runner, heard };
  };
  const clerk = clerkOf({
    ...{ config: { tools: [tool] }, flow, store, clock },
    placeCall: (outgoing) => Promise.resolve(void called.push(outgoing)),
    onFailed: (note) => failed.push(note),
  });
  const { runner } = await call();
  const key = (await store.effects.listOpen({ kind: 'wait', limit: 1 }))[0]?.effect.key ?? '';
  const approve = () => createWaitRegistry(store, 'ada').resolve(key, { decision: 'approve' });
  const post = (entryKey: string, signal: OutsideSignal) =>
    store.inbox.post([
      { key: entryKey, sessionId: 's', dueAt: clock.now(), signal, reach: 'wait', correlation: {}, actor: null },
    ]);
  return { clock, store, clerk, call, runner, key, approve, post, refunds, called, failed };
}

test('a clerk carries out a decision that comes after the caller has hung up, and its words wait for a listener', async () => {
  const { clock, store, clerk, call, runner, key, approve, refunds, called } = await hungUp();
  await runner.leave();
  await clerk.start();
  await approve();
  await until(() => refunds.length > 0, 'the refund to be made');
  await until(() => called.length > 0, 'the caller to be called');
  await clerk.stop();
  expect(refunds).toEqual(['refunded']);
  expect(called).toEqual([{ sessionId: 's', input: {}, flow: null, correlation: {} }]);
  expect((await store.effects.list('s')).find((effect) => effect.key === key)).toMatchObject({ state: 'done' });
  expect((await store.sessions.get('s'))?.state).toMatchObject({ position: { node: 'done' }, status: 'ending' });
  // A caller who writes instead of calling reads them.
  const asked = { type: 'user:turn', eventId: 'm1', text: 'Any news?', via: 'message' } as const;
  await assertActAllowed(store, { sessionId: 's', signal: asked });
  await expectRefusal('session-over', assertActAllowed(store, { sessionId: 's', signal: { ...asked, via: 'proxy' } }));
  await clock.advance(1_000);

  const { runner: next, heard } = await call();
  expect(heard.join(' ')).toContain('It is approved.');
  expect(await next.ended).toBe('refunded');
  expect(heard.join(' ')).toBe('Hello again. It is approved.');
  expect(refunds).toEqual(['refunded']);
});

test('H2: a deadline without a live call takes effect, and the caller is reached as the wait says', async () => {
  const { clock, store, clerk, runner, called } = await hungUp();
  await runner.leave();
  await clerk.start();
  await clock.advance(180_000);
  await until(() => called.length === 1, 'the person to be called');
  await clerk.stop();
  expect((await store.sessions.get('s'))?.state).toMatchObject({ position: { node: 'call_you_back' } });
});

test('a clerk leaves an owned session to its owner', async () => {
  const { clock, clerk, runner, approve, refunds, failed } = await hungUp();
  await clerk.start();
  await approve();
  await until(() => refunds.length > 0, 'the refund to be made');
  await clock.advance(5_000);
  expect(await runner.ended).toBe('refunded');
  await clerk.stop();
  expect([refunds, failed]).toEqual([['refunded'], []]);
});

test('a session with slow work does not delay others', async () => {
  const clock = createVirtualClock();
  const store = createMemoryStore({ clock });
  const taken: string[] = [];
  let letGo = (): void => undefined;
  const slow = new Promise<void>((resolve) => (letGo = resolve));
  const clerk = createClerk({
    ...{ store, clock, onFailed: () => undefined, onError: () => undefined },
    async take({ entry }) {
      if (entry.sessionId === 'slow') await slow;
      taken.push(entry.sessionId);
      await store.inbox.withdraw(entry.key);
    },
  });
  const signal = { type: 'node:requested', to: 'done' } as const;
  const rest = { dueAt: clock.now(), signal, reach: 'wait', correlation: {}, actor: null } as const;
  await store.inbox.post([{ key: 'a', sessionId: 'slow', ...rest }]);
  await clerk.start();
  await store.inbox.post([{ key: 'b', sessionId: 'quick', ...rest }]);
  await until(() => taken.length > 0, 'the other session to be worked on');
  letGo();
  await clerk.stop();
  expect(taken).toEqual(['quick', 'slow']);
});

test('an entry that kills every clerk becomes a dead letter, without other entries', async () => {
  const clock = createVirtualClock();
  const store = createMemoryStore({ clock });
  const signal = { type: 'node:requested', to: 'done' } as const;
  const rest = { dueAt: clock.now(), signal, reach: 'wait', correlation: {}, actor: null } as const;
  const innocent = Array.from({ length: 9 }, (_, index) => `innocent ${index}`);
  await store.inbox.post(['poison', ...innocent].map((key) => ({ key, sessionId: key, ...rest })));
  const taken: string[] = [];
  const failed: ClerkNote[] = [];
  let deaths = 0;
  /** Works until it dies with everything it has claimed. */
  const work = async (): Promise<void> => {
    const { store: own, die } = mortal(store, null, () => (deaths += 1));
    const before = deaths;
    const clerk = createClerk({
      ...{ store: own, clock, onFailed: (note) => failed.push(note), onError: () => undefined },
      async take({ entry }) {
        if (entry.key === 'poison') void die();
        await own.inbox.withdraw(entry.key);
        taken.push(entry.key);
      },
    });
    await clerk.start();
    await clock.advance(3_000);
    if (deaths === before) await clerk.stop();
    // Longer than a claim lasts.
    await clock.advance(31_000);
  };
  for (let process = 0; process < 5; process += 1) await work();
  expect(deaths).toBe(3);
  expect(taken.toSorted()).toEqual(innocent);
  expect(await store.inbox.list({ limit: 20 })).toMatchObject([
    { entry: { key: 'poison' }, state: 'dead', reason: 'entry-abandoned' },
  ]);
  expect(failed.map(({ key, reason }) => [key, reason])).toEqual([['poison', 'entry-abandoned']]);
});

test('an entry whose session is not available does not count as an attempt', async () => {
  const clock = createVirtualClock();
  const store = createMemoryStore({ clock });
  const signal = { type: 'node:requested', to: 'done' } as const;
  await store.inbox.post([
    { key: 'a', sessionId: 's', dueAt: clock.now(), signal, reach: 'wait', correlation: {}, actor: null },
  ]);
  const clerk = createClerk({
    ...{ store, clock, onFailed: () => undefined, onError: () => undefined },
    take: () => Promise.reject(new FlowError('session-taken', 'it is left to another.')),
  });
  await clerk.start();
  await clock.advance(120_000);
  await clerk.stop();
  expect(await store.inbox.list({ limit: 9 })).toMatchObject([{ state: 'open', attempts: 0, claims: 0, reason: null }]);
});

test.skipIf(platform !== 'linux')('what a clerk of this machine has at hand as it dies is free at once', async () => {
  const clock = createVirtualClock();
  const store = createMemoryStore({ clock });
  // A process with this id never existed.
  const gone = ownerName('clerk').replace(/:(\d+):(\d+):clerk$/, ':4194305:1:clerk');
  const signal = { type: 'node:requested', to: 'done' } as const;
  const rest = { dueAt: clock.now(), signal, reach: 'wait', correlation: {}, actor: null } as const;
  await store.inbox.post([
    { key: 'claimed', sessionId: 'claimed', ...rest },
    { key: 'owned', sessionId: 'owned', ...rest },
  ]);
  await store.inbox.claim({ ttlMs: 30_000, limit: 1, owner: gone });
  const lease = await store.leases.acquire({ sessionId: 'owned', owner: gone, ttlMs: 15_000 });
  const step = { baseSeq: 0, inputKeys: [], signals: [], state: {}, stateVersion: 1, graphHash: 'g', effects: [] };
  if (lease !== null) await store.steps.create({ lease, ...step, events: () => [] });
  // The first step was not stored.
  await store.leases.acquire({ sessionId: 'claimed', owner: gone, ttlMs: 15_000 });
  const taken: string[] = [];
  const clerk = createClerk({
    ...{ store, clock, onFailed: () => undefined, onError: () => undefined },
    async take({ entry }) {
      await store.inbox.withdraw(entry.key);
      taken.push(entry.key);
    },
  });
  await clerk.start();
  await clock.advance(1_500);
  await clerk.stop();
  expect(taken.toSorted()).toEqual(['claimed', 'owned']);
});

test('M2: an entry that cannot be taken is retried with growing delays, and becomes a dead letter in the end', async () => {
  const { clock, store, clerk, failed, runner } = await hungUp();
  await runner.leave();
  const signal = { type: 'node:requested', to: 'done' } as const;
  const rest = { dueAt: clock.now(), signal, reach: 'wait', correlation: {}, actor: null } as const;
  await store.inbox.post([{ key: 'x', sessionId: 'never begun', ...rest }]);
  await clerk.start();
  for (let second = 0; second < 400; second += 1) await clock.advance(1_000);
  await clerk.stop();
  expect(failed.map(({ reason, attempt }) => [reason, attempt])).toEqual(
    [1, 2, 3, 4, 5, 6].map((attempt) => ['session-unknown', attempt]),
  );
  expect(await store.inbox.list({ state: 'dead', limit: 9 })).toMatchObject([
    { entry: { key: 'x' }, attempts: 6, reason: 'session-unknown' },
  ]);
  // No trace of the session remains.
  expect(await store.sessions.get('never begun')).toBeNull();
});

test('the deadline of a wait over a host’s own checkpoint settles it, without attempts in vain', async () => {
  const clock = createVirtualClock();
  const store = createMemoryStore({ clock });
  const lease = await store.leases.acquire({ sessionId: 'own', owner: 'host', ttlMs: 1_000 });
  if (lease === null) throw new Error('the lease was not to be had');
  const turn = await createDurableStore(store).beginTurn({ sessionId: 'own', inputKey: 'k', lease });
  await turn.upsertCheckpoint({ sessionId: 'own', seq: 0, stateVersion: 1, state: { step: 1 }, graphHash: 'mine' });
  await turn.upsertWait({ waitId: 'own/1', type: 'timeout', sessionId: 'own', deadline: 50, resumeVersion: 1 });
  await turn.complete({});
  await store.leases.release(lease);
  const failed: ClerkNote[] = [];
  const clerk = clerkOf({ store, clock, onFailed: (note) => void failed.push(note) });
  await clock.advance(60);
  await clerk.start();
  let settled = '';
  await until(() => {
    void store.effects.list('own').then(([effect]) => (settled = effect?.state ?? ''));
    return settled === 'failed' || failed.length > 0;
  }, 'the deadline');
  await clerk.stop();
  expect([settled, failed]).toEqual(['failed', []]);
  await store.close();
});
