import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createDurableStore } from '../../src/store/durable-store.ts';
import { openStore } from '../../src/store/open-store.ts';
import { createOutboxDispatcher } from '../../src/store/outbox-dispatcher.ts';
import { createWaitRegistry } from '../../src/store/wait-registry.ts';
import type { Effect } from '../../src/model/effect.ts';
import type { OutboxIntent, WaitRecord } from '../../src/store/durable-contracts.ts';
import type { Lease, SessionSnapshot, Store } from '../../src/model/ports/store.ts';
import { createVirtualClock, type VirtualClock } from '../../src/testing/virtual-clock.ts';
import { createTextSession } from '../../src/livekit/agent/text-session.ts';
import { createRunner } from '../../src/runner/flow-runner.ts';
import { systemClock } from '../../src/system.ts';
import { ScriptedModel } from '../../src/testing/scripted-model.ts';
import { expectRefusal } from './refusal.ts';
import { whyNoSqlite } from './sqlite-here.ts';
import { action, event, step } from '../../src/testing/store/steps.ts';

const noSqlite = whyNoSqlite();

describe.each(['memory', 'sqlite'])('the contracts of a durable runtime on %s', (kind) => {
  describe.skipIf(kind === 'sqlite' && noSqlite !== null)(noSqlite ?? 'here', () => {
    let folder: string;
    let store: Store;
    let clock: VirtualClock;
    beforeEach(async () => {
      folder = mkdtempSync(join(tmpdir(), 'roomflow-views-'));
      clock = createVirtualClock();
      store = await openStore(kind === 'memory' ? 'memory' : `sqlite:${join(folder, 'a.db')}`, { clock });
    });
    afterEach(async () => {
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    });

    const own = async (owner = 'me'): Promise<Lease> => {
      const lease = await store.leases.acquire({ sessionId: 's', owner, ttlMs: 1_000 });
      if (lease === null) throw new Error('the lease was not to be had');
      return lease;
    };
    const checkpoint: SessionSnapshot = {
      sessionId: 's',
      seq: 0,
      stateVersion: 1,
      state: { node: 'a' },
      graphHash: 'g',
    };
    const wait: WaitRecord = {
      waitId: 's/1/0',
      type: 'admin_resolution',
      sessionId: 's',
      escalationId: 'e1',
      deadline: 50,
      resumeVersion: 2,
    };
    const intent: OutboxIntent = { intentId: 's/1/1', sessionId: 's', kind: 'action', payload: { action: 'sms' } };

    test('an input whose turn could not be committed may be claimed again', async () => {
      const durable = createDurableStore(store);
      expect(await durable.claimInbound('k')).toBe('claimed');
      const turn = await durable.beginTurn({ sessionId: 's', inputKey: 'k', lease: await own() });
      await turn.upsertCheckpoint(checkpoint);
      await clock.advance(2_000);
      await own('another');
      await expectRefusal('lease-lost', turn.complete({}));
      expect(await durable.claimInbound('k')).toBe('claimed');
    });

    test("a wait that is registered again stays answered, and the session's own question cannot be answered here", async () => {
      const asked: Effect = {
        ...{ key: 's/1/9', kind: 'wait', state: 'intended', node: 'a', visit: 1 },
        payload: { wait: 'confirm', say: 'Shall I?', subject: { kind: 'slot', slot: 'day', value: 'friday' } },
      };
      const lease = await own();
      await store.steps.create(step(lease, { effects: [asked] }));
      await store.leases.release(lease);
      const registry = createWaitRegistry(store, 'host');
      await registry.register(wait);
      await registry.resolve(wait.waitId, { ok: true });
      await registry.register(wait);
      expect((await registry.timeoutDue(new Date(1_000), 10)).map(({ waitId }) => waitId)).toEqual([]);
      await expectRefusal('wait-of-session', registry.resolve('s/1/9', 'yes'));
    });

    test('a turn is claimed once, and its checkpoint, wait, intent and event come with its completion', async () => {
      const durable = createDurableStore(store);
      expect(await durable.claimInbound('k')).toBe('claimed');
      expect(await durable.claimInbound('k')).toBe('duplicate');
      const turn = await durable.beginTurn({ sessionId: 's', inputKey: 'k', lease: await own() });
      await turn.upsertCheckpoint(checkpoint);
      await turn.upsertWait(wait);
      await turn.enqueueOutbox(intent);
      await turn.appendEvent(event(1));
      expect(await durable.loadSessionSnapshot('s')).toBeNull();
      expect(await store.effects.list('s')).toEqual([]);

      await turn.complete({});
      expect(await durable.loadSessionSnapshot('s')).toEqual(checkpoint);
      expect(await store.steps.listEvents('s')).toEqual([event(1)]);
      expect((await store.effects.list('s')).map(({ key }) => key)).toEqual(['s/1/0', 's/1/1']);
      expect(await createDurableStore(store).claimInbound('k')).toBe('duplicate');
      await expectRefusal('turn-over', turn.appendEvent(event(2)));
    });

    test('the result of a turn is stored with it, and the reason of a failure in the audit', async () => {
      const durable = createDurableStore(store);
      await durable.claimInbound('k');
      const turn = await durable.beginTurn({ sessionId: 's', inputKey: 'k', lease: await own() });
      await turn.upsertCheckpoint(checkpoint);
      await turn.complete({ reply: 'Booked.' });
      expect(await store.effects.list('s')).toMatchObject([
        { key: 'k/turn', kind: 'task', state: 'done', result: { reply: 'Booked.' } },
      ]);
      const failing = await durable.beginTurn({ sessionId: 's', inputKey: 'k2', lease: await own() });
      await failing.enqueueOutbox(intent);
      await failing.fail({ code: 'model-away', message: 'It did not answer.' });
      expect((await store.effects.list('s')).map(({ key }) => key)).toEqual(['k/turn']);
      expect(await store.audit.list({ sessionId: 's', limit: 9 })).toMatchObject([
        {
          ...{ action: 'turn:fail', outcome: 'denied' },
          details: { inputKey: 'k2', code: 'model-away', message: 'It did not answer.' },
        },
      ]);
      expect(await store.effects.claim({ kind: 'task', ttlMs: 1_000, limit: 9 })).toEqual([]);
    });

    test('a failed turn leaves no trace, and its input may come again', async () => {
      const durable = createDurableStore(store);
      await durable.claimInbound('k');
      const turn = await durable.beginTurn({ sessionId: 's', inputKey: 'k', lease: await own() });
      await turn.upsertCheckpoint(checkpoint);
      await turn.enqueueOutbox(intent);
      await turn.fail({ code: 'x', message: 'It failed.' });
      expect(await store.sessions.get('s')).toBeNull();
      expect(await durable.claimInbound('k')).toBe('claimed');
      const next = await durable.beginTurn({ sessionId: 's', inputKey: 'k', lease: await own() });
      await expectRefusal('checkpoint-missing', next.complete({}));
    });

    test('a wait is due at its deadline, resumes once, and keeps what it belongs to', async () => {
      const waits = createWaitRegistry(store, 'registry');
      await expectRefusal('session-unknown', waits.register(wait));
      const lease = await own();
      await store.steps.create(step(lease));
      await expectRefusal('session-taken', waits.register(wait));
      await store.leases.release(lease);

      await waits.register(wait);
      expect(await waits.timeoutDue(new Date(49), 9)).toEqual([]);
      expect(await waits.timeoutDue(new Date(50), 9)).toEqual([wait]);
      await waits.resolve(wait.waitId, { approved: true });
      await waits.resolve(wait.waitId, { approved: false });
      await waits.resolve('unknown', {});
      expect(await waits.timeoutDue(new Date(50), 9)).toEqual([]);
      expect(await store.audit.list({ limit: 9 })).toMatchObject([
        { actor: { id: 'registry' }, action: 'wait:resolve', outcome: 'allowed', details: { key: wait.waitId } },
      ]);
      // Only the session settles it. The first answer is pending, regardless of the owner.
      expect((await store.effects.list('s')).at(-1)).toMatchObject({ state: 'intended' });
      expect(await store.inbox.listDue({ sessionId: 's', dueBy: clock.now(), limit: 9 })).toMatchObject([
        { entry: { signal: { type: 'wait:resolved', key: wait.waitId, resolution: { approved: true } } } },
        { entry: { signal: { type: 'wait:expired', key: wait.waitId } } },
      ]);
    });

    test('over a host’s own checkpoint a resolution and a delivery settle in separate commits', async () => {
      const durable = createDurableStore(store);
      const lease = await own();
      const turn = await durable.beginTurn({ sessionId: 's', inputKey: 'k', lease });
      await turn.upsertCheckpoint(checkpoint);
      await turn.upsertWait(wait);
      await turn.enqueueOutbox(intent);
      await turn.enqueueOutbox({ ...intent, intentId: 's/1/2' });
      await turn.complete({});
      await store.leases.release(lease);
      const outbox = createOutboxDispatcher(store, 'action', clock);
      expect(await outbox.claim(9)).toHaveLength(2);
      await outbox.markSent('s/1/1', { id: 'sms-7' });
      await createWaitRegistry(store, 'desk').resolve(wait.waitId, { approved: true });
      const settled = [
        { key: 's/1/0', state: 'done', result: { approved: true } },
        { key: 's/1/1', state: 'done', result: { id: 'sms-7' } },
      ];
      expect(await store.effects.list('s')).toMatchObject([...settled, { key: 's/1/2', state: 'intended' }]);
      expect(await store.sessions.get('s')).toEqual(checkpoint);

      // Entries that arrive while the host owns the session are settled with its next turn.
      const second = await own('host');
      await outbox.markFailed('s/1/2', 'no such number');
      expect((await store.effects.list('s')).at(-1)).toMatchObject({ state: 'intended' });
      const next = await durable.beginTurn({ sessionId: 's', inputKey: 'k2', lease: second });
      await next.complete({});
      const failed = { key: 's/1/2', state: 'failed', error: 'no such number' };
      expect(await store.effects.list('s')).toMatchObject([...settled, failed]);
      // No entry remains that a clerk would retry in vain.
      const left = await store.inbox.listDue({ sessionId: 's', dueBy: 1_000_000, limit: 9 });
      expect(left.map(({ entry }) => entry.signal.type).filter((type) => type !== 'wait:expired')).toEqual([]);
    });

    test('a wait is resolved only by values of its schema', async () => {
      const waits = createWaitRegistry(store, 'registry');
      const lease = await own();
      await store.steps.create(step(lease));
      await store.leases.release(lease);
      const resumeSchema = { type: 'object', properties: { approved: { type: 'boolean' } }, required: ['approved'] };
      await waits.register({ ...wait, resumeSchema });
      expect(await waits.timeoutDue(new Date(50), 9)).toEqual([{ ...wait, resumeSchema }]);
      const unfit = await expectRefusal('resolution-mismatch', waits.resolve(wait.waitId, { approved: 'sk-12' }));
      expect(unfit).toContain('resolution.approved');
      expect(unfit).not.toContain('sk-12');
      await expectRefusal('resolution-mismatch', waits.resolve(wait.waitId, 'yes'));
      await waits.resolve(wait.waitId, { approved: true });
      expect(await waits.timeoutDue(new Date(50), 9)).toEqual([]);
    });

    test('a wait that is registered while a call owns its session is opened by that call, and held to its schema', async () => {
      const address = kind === 'memory' ? 'memory' : `sqlite:${join(folder, 'b.db')}`;
      const live = await openStore(address, { clock: systemClock });
      const nodes = {
        desk: { say: 'Hello.', functions: [{ name: 'bye', transitionTo: 'over' }] },
        over: { end: 'bye' },
      };
      const session = createTextSession(new ScriptedModel(() => ({ text: 'Yes.' })));
      const runner = createRunner({ session, flow: { initialNode: 'desk', nodes }, store: live, sessionId: 's' });
      await runner.start();
      const waits = createWaitRegistry(live, 'desk', systemClock);
      const resumeSchema = { type: 'object', properties: { approved: { type: 'boolean' } }, required: ['approved'] };
      const deadline = systemClock.now() + 60_000;
      const mine: WaitRecord = { ...wait, waitId: 'mine', resumeSchema, deadline, escalationId: 'e-1' };
      await waits.register(mine);
      await waits.register(mine);
      expect(await waits.timeoutDue(new Date(deadline), 9)).toEqual([mine]);
      await expectRefusal('resolution-mismatch', waits.resolve('mine', { approved: 'perhaps' }));
      await waits.resolve('mine', { approved: true });
      const settled = async () => (await live.effects.list('s')).find(({ key }) => key === 'mine');
      let answered = await settled();
      for (let looks = 0; looks < 3_000 && answered?.state !== 'done'; looks += 1) {
        await new Promise((resolve) => setTimeout(resolve, 5));
        answered = await settled();
      }
      expect(answered).toMatchObject({ state: 'done', result: { approved: true } });
      expect((await live.steps.listEvents('s')).filter(({ type }) => type === 'wait:opened')).toMatchObject([
        { escalationId: 'e-1', data: { key: 'mine', wait: 'admin_resolution' } },
      ]);
      await runner.leave();
      await live.close();
    });

    test("a flow's call is left to the process that resumes its session, and a host's call is handed out", async () => {
      const call: Effect = {
        ...{ key: 's/1/0.0', kind: 'tool', state: 'intended', node: 'a', visit: 1 },
        payload: {
          ...{ name: 'pay', node: 'a', visit: 1, handler: 'pay', callId: 'c1' },
          ...{ arguments: {}, write: true, confirmed: false },
        },
      };
      const lease = await own();
      await store.steps.create(step(lease, { effects: [call] }));
      const durable = createDurableStore(store);
      const turn = await durable.beginTurn({ sessionId: 's', inputKey: 'k', lease });
      await turn.enqueueOutbox({ ...intent, kind: 'tool', payload: { tool: 'mail' } });
      await turn.complete({});
      await store.leases.release(lease);
      const dispatcher = createOutboxDispatcher(store, 'tool', clock);
      expect((await dispatcher.claim(1)).map(({ intentId }) => intentId)).toEqual(['s/1/1']);
      expect(await dispatcher.claim(9)).toEqual([]);
      await expectRefusal('call-of-session', dispatcher.markSent('s/1/0.0', {}));
      await expectRefusal('call-of-session', dispatcher.markFailed('s/1/0.0', 'no', new Date(0)));
      await dispatcher.markSent('s/1/1', {});
      const posted = (await store.inbox.list({ limit: 9 })).map(({ entry }) => entry.key);
      expect(posted).toEqual(['s/1/1/settled']);
      const waits = 'wait' as unknown as 'tool';
      expect(() => createOutboxDispatcher(store, waits, clock)).toThrow(/^option-invalid: .*createWaitRegistry/);
    });

    test('an intent is claimed by one dispatcher, again after a failure, and never once it was sent', async () => {
      const lease = await own();
      await store.steps.create(step(lease, { effects: [action('s/1/0'), action('s/1/1')] }));
      await store.leases.release(lease);
      const [first, second] = [
        createOutboxDispatcher(store, 'action', clock),
        createOutboxDispatcher(store, 'action', clock),
      ];
      const { payload } = action('s/1/0');
      expect(await first.claim(1)).toEqual([{ intentId: 's/1/0', sessionId: 's', kind: 'action', payload }]);
      expect(await second.claim(5)).toHaveLength(1);
      await expectRefusal('option-invalid', first.markFailed('s/1/0', 'busy', new Date(Number.NaN)));
      await second.markFailed('s/1/1', 'no such number');
      expect(await second.claim(5)).toEqual([]);
      await first.markFailed('s/1/0', 'busy', new Date(clock.now() + 100));
      await clock.advance(99);
      expect(await second.claim(5)).toEqual([]);
      await clock.advance(1);
      expect(await store.effects.listOpen({ kind: 'action', limit: 1 })).toMatchObject([
        { failed: { times: 1, reason: 'busy' } },
      ]);
      expect(await second.claim(5)).toHaveLength(1);
      await second.markSent('s/1/0', { id: 'sms-7' });
      await second.markSent('s/1/0');
      await clock.advance(10_000_000);
      expect(await first.claim(5)).toEqual([]);
      const settled = { type: 'effect:settled', key: 's/1/0', state: 'done', result: { id: 'sms-7' } };
      const failed = { type: 'effect:settled', key: 's/1/1', state: 'failed', error: 'no such number' };
      expect((await store.inbox.list({ sessionId: 's', limit: 9 })).map(({ entry }) => entry.signal)).toEqual([
        failed,
        settled,
      ]);
    });
  });
});
