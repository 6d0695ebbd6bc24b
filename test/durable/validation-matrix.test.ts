import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { voice } from '@livekit/agents';
import { afterAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { openStore } from '../../src/store/open-store.ts';
import { createMemoryStore } from '../../src/store/memory/store.ts';
import { createOutboxDispatcher } from '../../src/store/outbox-dispatcher.ts';
import { createWaitRegistry } from '../../src/store/wait-registry.ts';
import type { Effect } from '../../src/model/effect.ts';
import type { Event } from '../../src/model/events/event.ts';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import type { Store } from '../../src/model/ports/store.ts';
import type { Clock } from '../../src/model/ports/time.ts';
import { createRunner } from '../../src/runner/flow-runner.ts';
import { flowTool } from '../../src/livekit/tools/flow-tool.ts';
import { createTextSession } from '../../src/livekit/agent/text-session.ts';
import { systemClock } from '../../src/system.ts';
import { type ModelScript, ScriptedModel } from '../../src/testing/scripted-model.ts';
import { live } from '../livekit/live.ts';
import { mortal } from './crash/mortal.ts';
import { clockAt, gapMs } from './crash/sweep.ts';
import { expectRefusal } from './refusal.ts';
import { whyNoSqlite } from './sqlite-here.ts';
import { step } from '../../src/testing/store/steps.ts';

// Cases with people, deadlines and schedules are in test/people/validation-matrix.test.ts.

const folder = mkdtempSync(join(tmpdir(), 'roomflow-matrix-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;

/** Opens the same place repeatedly, like one process after the other, each at its time. */
function place(): (now?: number) => Promise<Store> {
  const address = `sqlite:${join(folder, `${(files += 1)}.db`)}`;
  return (now = noon) => openStore(address, { clock: clockAt(now) });
}

const noon = Date.UTC(2026, 10, 21, 12);

const desk: ConversationFlow = {
  initialNode: 'desk',
  nodes: {
    desk: {
      say: 'Hello.',
      taskMessages: [{ role: 'system', content: 'Help.' }],
      functions: [
        {
          name: 'book',
          effect: 'write',
          confirm: 'Shall I book it?',
          saveAs: 'visit',
          transitionTo: 'booked',
        },
      ],
    },
    booked: { say: 'It is booked. Anything else?', functions: [{ name: 'leave', transitionTo: 'bye' }] },
    bye: { say: 'Bye.', end: 'done' },
  },
};
const script = {
  desk: [{ when: 'book it', calls: [{ name: 'book' }] }],
  booked: [{ when: 'no', calls: [{ name: 'leave' }] }, { text: 'Sorry?' }],
};

/** A desk on a store that records its bookings with their idempotency keys. After its death it does nothing. */
function deskOptions(store: Store, now: number, booked: string[], died?: AbortSignal) {
  const { schedule } = systemClock;
  const book = flowTool({
    name: 'book',
    description: 'Book.',
    parameters: z.object({}),
    execute: (_args, { key }) => {
      booked.push(key);
      return { id: 7 };
    },
  });
  const clock = {
    now: () => now,
    schedule: (delayMs, task) => schedule(delayMs, () => died?.aborted === true || task()),
  } satisfies Clock;
  return { store, clock, tools: [book], sessionId: 's', timeZone: 'UTC' };
}

const openDesk = (store: Store, now: number, booked: string[]) => live(desk, script, deskOptions(store, now, booked));

const missing = whyNoSqlite();
describe.skipIf(missing !== null)(missing ?? 'what a durable runtime is held to', () => {
  describe('13.1 Compatibility', () => {
    test('agents without flows/HITL/schedules behave unchanged', async () => {
      const answers = { '*': [{ when: 'Hello', text: 'Good day.' }, { text: 'Gladly.' }] };
      const plainModel = new ScriptedModel(answers);
      const plain = createTextSession(plainModel);
      await plain.start({ agent: new voice.Agent({ instructions: 'Talk.' }) });
      const store = await place()();
      const { runner, model, heard } = await live(null, answers, { prompt: 'Talk.', store });
      for (const words of ['Hello', 'Tell me more.']) {
        await plain.generateReply({ userInput: words }).waitForPlayout();
        await runner.send(words);
      }
      expect(heard).toEqual(['Good day.', 'Gladly.']);
      expect(model.requests.map(({ items, tools }) => ({ items, tools }))).toEqual(
        plainModel.requests.map(({ items, tools }) => ({ items, tools })),
      );
      await plain.close();
      await runner.stop();
      await store.close();
    });

    test('existing two-arg onResponse remains valid', async () => {
      const told: unknown[] = [];
      const onResponse = async (
        reply: { readonly reply: string },
        ctx: { readonly session: { readonly id: string } },
      ) => void told.push([reply.reply, ctx.session.id]);
      const store = await place()();
      const { runner } = await live(
        null,
        { '*': [{ text: 'Gladly.' }] },
        {
          prompt: 'Talk.',
          store,
          sessionId: 's',
          hooks: { onResponse },
        },
      );
      await runner.send('Hello');
      await runner.stop();
      expect(told).toEqual([['Gladly.', 's']]);
      await store.close();
    });
  });

  describe('13.2 Durability correctness', () => {
    test('crash between commit and send does not lose or duplicate outbox intent', async () => {
      const open = place();
      const intent: Effect = {
        key: 's/1/0',
        kind: 'action',
        state: 'intended',
        node: 'a',
        visit: 1,
        payload: { action: 'sms', handler: 'sms', when: 'post', data: {} },
      };
      const first = await open();
      const lease = await first.leases.acquire({ sessionId: 's', owner: 'first', ttlMs: 1_000 });
      if (lease === null) throw new Error('the lease was not to be had');
      await first.steps.create(step(lease, { effects: [intent] }));
      // It dies here, before sending. The next process dies after sending, before reporting it.
      const second = await open(noon + gapMs);
      const sent = await createOutboxDispatcher(second, 'action', clockAt(noon + gapMs)).claim(9);
      expect(sent.map(({ intentId }) => intentId)).toEqual(['s/1/0']);
      const third = await open(noon + 2 * gapMs);
      const dispatcher = createOutboxDispatcher(third, 'action', clockAt(noon + 2 * gapMs));
      expect(await dispatcher.claim(9)).toEqual(sent);
      await dispatcher.markSent('s/1/0');
      const fourth = await open(noon + 1_000 * gapMs);
      expect(await createOutboxDispatcher(fourth, 'action', clockAt(noon + 1_000 * gapMs)).claim(9)).toEqual([]);
      expect(await fourth.effects.list('s')).toEqual([intent]);
      for (const store of [first, second, third, fourth]) await store.close();
    });

    test('a write that was committed and not done is done once, under the key of its intent', async () => {
      const open = place();
      const booked: string[] = [];
      const first = await open();
      const before = await openDesk(first, noon, booked);
      await before.runner.send('book it');
      const died = new AbortController();
      await before.runner.leave();
      // The yes is committed with the intent to book. No later write is.
      const { store: dying } = mortal(first, { at: 'write', nth: 3, when: 'after' }, () => died.abort());
      const options = deskOptions(dying, noon + gapMs, booked, died.signal);
      const dead = createRunner({ session: createTextSession(new ScriptedModel(script)), flow: desk, ...options });
      await dead.start();
      await dead.idle();
      void dead.send('yes', { eventId: 'yes' });
      await new Promise((resolve) => died.signal.addEventListener('abort', resolve));
      expect(booked).toEqual([]);
      const intended = (await first.effects.list('s')).filter(
        ({ kind, state }) => kind === 'tool' && state === 'intended',
      );
      expect(intended).toHaveLength(1);

      const again = await open(noon + 2 * gapMs);
      const after = await openDesk(again, noon + 2 * gapMs, booked);
      expect(await after.runner.send('yes', { eventId: 'yes' })).toBe('duplicate');
      expect(booked).toEqual(intended.map(({ key }) => key));
      expect(after.runner.currentNode).toBe('booked');
      await after.runner.leave();
      await again.close();
      await first.close();
    });

    test('restart resumes from last committed checkpoint/wait state', async () => {
      const open = place();
      const booked: string[] = [];
      const first = await open();
      const before = await openDesk(first, noon, booked);
      await before.runner.send('book it');
      expect(before.heard.at(-1)).toBe('Shall I book it?');
      const kept = await first.sessions.get('s');

      const second = await open(noon + gapMs);
      expect(await second.sessions.get('s')).toEqual(kept);
      const after = await openDesk(second, noon + gapMs, booked);
      expect(after.heard.join(' ')).toBe('Sorry, I was gone for a moment. Shall I book it?');
      await after.runner.send('yes');
      expect(after.runner.currentNode).toBe('booked');
      expect(after.runner.state.knowledge.variables).toEqual({ visit: { id: 7 } });
      await after.runner.leave();
      await second.close();
    });
  });

  describe('13.3 Reliability', () => {
    test('duplicate inbound ids do not double-advance flow/wait states', async () => {
      const store = await place()();
      const booked: string[] = [];
      const { runner, heard } = await openDesk(store, noon, booked);
      const outcomes = await Promise.all([1, 2, 3].map(() => runner.send('book it', { eventId: 'e1' })));
      expect(outcomes.toSorted()).toEqual(['duplicate', 'duplicate', 'taken']);
      const answered = await Promise.all([1, 2].map(() => runner.send('yes', { eventId: 'e2' })));
      expect(answered.toSorted()).toEqual(['duplicate', 'taken']);
      const state = runner.state;
      for (const eventId of ['e1', 'e2']) expect(await runner.send('no', { eventId })).toBe('duplicate');
      expect(runner.state).toBe(state);
      expect(booked).toHaveLength(1);
      expect(heard.filter((line) => line.includes('Shall I book it?'))).toHaveLength(1);
      expect((await store.steps.list('s')).filter(({ signal }) => signal.type === 'user:turn')).toHaveLength(2);
      await runner.leave();
      await store.close();
    });

    test('which timeouts are due depends only on the given time', async () => {
      const waits = [40, 10, 30, 20].map((deadline, index) => ({
        waitId: `s/1/${index}`,
        type: 'timeout' as const,
        sessionId: 's',
        deadline,
        resumeVersion: 1,
      }));
      const found: unknown[] = [];
      // Two stores whose clocks differ by hours: only the given time counts.
      for (const now of [noon, noon + 1_000 * gapMs]) {
        const store = await place()(now);
        const lease = await store.leases.acquire({ sessionId: 's', owner: 'me', ttlMs: 1_000 });
        if (lease === null) throw new Error('the lease was not to be had');
        await store.steps.create(step(lease));
        await store.leases.release(lease);
        const registry = createWaitRegistry(store, 'registry');
        for (const wait of waits) await registry.register(wait);
        const due = async (at: number) => (await registry.timeoutDue(new Date(at), 2)).map(({ waitId }) => waitId);
        const twice = [await due(30), await due(30)];
        await registry.resolve('s/1/1', null);
        found.push([...twice, await due(30), await due(9)]);
        await store.close();
      }
      const expected = [['s/1/1', 's/1/3'], ['s/1/1', 's/1/3'], ['s/1/3', 's/1/2'], []];
      expect(found).toEqual([expected, expected]);
    });
  });

  describe('13.4 Security', () => {
    test("an actor who may not answer the caller's question is refused, and the session is unchanged", async () => {
      const store = createMemoryStore({ clock: clockAt(noon) });
      const booked: string[] = [];
      const { runner } = await openDesk(store, noon, booked);
      await runner.send('book it');
      const asked = await store.effects.listOpen({ kind: 'wait', limit: 9 });
      const waitId = asked[0]?.effect.key ?? '';
      const [state, events] = [runner.state, await store.steps.listEvents('s')];
      const registry = createWaitRegistry(store, 'a stranger');
      await expectRefusal('wait-of-session', registry.resolve(waitId, true));
      // Only the owner of a session may open a wait in it.
      const wait = { waitId: 's/own', type: 'admin_resolution' as const, sessionId: 's', resumeVersion: 1 };
      await expectRefusal('session-taken', registry.register(wait));
      expect(await store.effects.listOpen({ kind: 'wait', limit: 9 })).toEqual(asked);
      expect([runner.state, await store.steps.listEvents('s')]).toEqual([state, events]);
      expect(booked).toEqual([]);
      await runner.leave();
    });

    test('a function knows its session and its key from the session, whatever a model writes', async () => {
      const seen: unknown[] = [];
      const look = flowTool({
        name: 'look',
        description: 'Look.',
        parameters: z.looseObject({}),
        execute: (_args, { sessionId, key, node }) => void seen.push([sessionId, key.split('/')[0], node]),
      });
      const stranger = { sessionId: 'another', session_id: 'another', key: 'another/1/0', node: 'admin' };
      const script: ModelScript = ({ afterTool }) =>
        afterTool === '' ? { calls: [{ name: 'look', arguments: stranger }] } : { text: 'There is nothing. And now?' };
      const flow: ConversationFlow = {
        initialNode: 'desk',
        nodes: { desk: { say: 'Hello?', functions: [{ name: 'look', parameters: { type: 'object' } }] } },
      };
      const { runner } = await live(flow, script, { tools: [look], sessionId: 's' });
      await runner.send('look at the other one');
      expect(seen).toEqual([['s', 's', 'desk']]);
      await runner.stop();
    });
  });

  describe('13.5 Observability', () => {
    test('every state transition carries correlation ids', async () => {
      const store = await place()();
      const { runner } = await openDesk(store, noon, []);
      for (const words of ['book it', 'yes', 'no']) await runner.send(words);
      await runner.ended;
      const events = await store.steps.listEvents('s');
      const transitions = events.filter(({ type }) => /^(transition|node|flow|slot|wait|tool|variable):/.test(type));
      expect(new Set(transitions.map(({ type }) => type))).toContain('transition:taken');
      for (const { type, sessionId, requestId, flowId, turnId, nodeId } of transitions)
        expect({ type, sessionId, requestId, flowId, turnId, nodeId }).toEqual({
          type,
          sessionId: 's',
          requestId: expect.stringMatching(/^req_/),
          flowId: runner.state.position.flow.id,
          turnId: expect.stringMatching(/^s\/\d+$/),
          nodeId: expect.any(String),
        });
      await store.close();
    });

    test('lifecycle/policy events remain cross-RFC consistent', async () => {
      const store = createMemoryStore({ clock: systemClock });
      const { runner } = await openDesk(store, noon, []);
      await runner.send('book it', { eventId: 'e1' });
      await runner.leave();
      const events = await store.steps.listEvents('s');
      const turn = events.find((event) => event.type === 'turn:started' && event.data.eventId === 'e1');
      const ofTurn = events.filter(({ requestId }) => requestId === turn?.requestId);
      const lifecycle = ofTurn.filter(({ type }) => type.startsWith('response:'));
      expect(lifecycle.map(({ type }) => type)).toEqual(['response:prepared', 'response:sent', 'response:persisted']);
      const ids = ({ sessionId, turnId, flowId }: Event) => ({ sessionId, turnId, flowId });
      for (const event of lifecycle)
        expect(ids(event)).toEqual({ sessionId: 's', turnId: turn?.turnId, flowId: turn?.flowId });
      expect(ofTurn.map(({ seq }) => seq)).toEqual(ofTurn.map(({ seq }) => seq).toSorted((a, b) => a - b));
    });
  });
});
