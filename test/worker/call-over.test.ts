import { expect, test } from 'vitest';
import { z } from 'zod';
import { createMemoryStore } from '../../src/store/memory/store.ts';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import { createTextSession } from '../../src/livekit/agent/text-session.ts';
import { flowTool } from '../../src/livekit/tools/flow-tool.ts';
import type { Store } from '../../src/model/ports/store.ts';
import type { Clock } from '../../src/model/ports/time.ts';
import { createRunner } from '../../src/runner/flow-runner.ts';
import { systemClock, systemIds as ids } from '../../src/system.ts';
import { ScriptedModel } from '../../src/testing/scripted-model.ts';
import { createVirtualClock } from '../../src/testing/virtual-clock.ts';
import { toKeptPlace } from '../../src/worker/calls/call-place.ts';
import { supervise } from '../../src/worker/supervisor.ts';
import { clerkOf } from '../people/clerk-of.ts';
import { type DyingPoint, dyingStore } from '../people/dying-store.ts';

const flow: ConversationFlow = {
  initialNode: 'ask',
  nodes: {
    ask: {
      say: 'Shall I book it?',
      functions: [{ name: 'book', effect: 'write', transitionTo: 'booked' }],
    },
    booked: { say: 'It is booked. Anything else?', functions: [{ name: 'nothing', transitionTo: 'bye' }] },
    bye: { say: 'Goodbye.', end: 'done' },
  },
};

const waitingFlow: ConversationFlow = {
  initialNode: 'approve',
  nodes: {
    approve: { type: 'interrupt.escalate', input: { to: 'refunds', question: 'Refund it?', say: 'One moment.' } },
    bye: { say: 'Goodbye.', end: 'done' },
  },
  edges: [{ from: 'approve', to: 'bye' }],
};

/** The room of the call was closed when its caller hung up. */
const roomGone = {
  taken: () => Promise.resolve([]),
  look: () => Promise.resolve(null),
  dispatches: () => Promise.resolve([]),
  dispatch: () => Promise.reject(new Error('nobody is there to be called')),
  revoke: () => Promise.resolve(),
  remove: () => Promise.resolve(),
};

/** A call whose process dies at a write, or never, and whose caller hangs up. A supervisor and a clerk then take it over. */
async function play(document: ConversationFlow, point: DyingPoint | null, words: string | null) {
  let clock: Clock = systemClock;
  const time: Clock = { now: () => clock.now(), schedule: (ms, task) => clock.schedule(ms, task) };
  const store = createMemoryStore({ clock: time });
  const booked = new Set<string>();
  const book = flowTool({
    ...{ name: 'book', description: 'Books.', parameters: z.object({}) },
    execute: (_given, { key }) => void booked.add(key),
  });
  const call = async (on: Store): Promise<'over'> => {
    const model = new ScriptedModel(({ afterTool }) =>
      afterTool === '' ? { calls: [{ name: 'book', arguments: {} }] } : { text: 'Well.' },
    );
    const session = createTextSession(model);
    const given = { session, flow: document, tools: [book], store: on, sessionId: 's', clock: time, timeZone: 'UTC' };
    const runner = createRunner({ ...given, owner: 'AJ_1', onEnd: 'keep' });
    await runner.start();
    if (words !== null) await runner.send(words);
    await runner.idle();
    await runner.stop('caller-left');
    return 'over';
  };
  let writes = 0;
  await new Promise<void>((resolve, reject) => {
    const dying = dyingStore(store, point, resolve);
    call(dying.store).then(() => {
      writes = dying.count();
      resolve();
    }, reject);
  });
  const hasBegun = (await store.sessions.get('s')) !== null;
  const intended = (await store.effects.list('s')).some(({ kind }) => kind === 'tool');
  const place = { room: 'r', roomId: 'RM_1', agentName: 'desk', dispatch: 'AD_1', agent: 'agent', caller: 'caller' };
  await store.calls.save({ sessionId: 's', place: toKeptPlace({ ...place, metadata: '{"sessionId":"s"}' }) });

  // The lease of the dead process has ended.
  const later = createVirtualClock(systemClock.now() + 61_000);
  clock = later;
  const failed: string[] = [];
  const nothing = (): void => undefined;
  const logger = { info: nothing, warn: nothing } as never; // pino takes an object and a text.
  const supervisor = supervise({ store, rooms: roomGone, agentName: 'desk', clock: time, ids, logger });
  const clerk = clerkOf({
    store,
    clock: time,
    flow: document,
    config: { tools: [book] },
    onFailed: ({ reason }) => failed.push(reason),
  });
  await clerk.start();
  await later.advance(90_000);
  await Promise.all([supervisor.stop(), clerk.stop(), later.advance(1_000)]);
  const status = ((await store.sessions.get('s'))?.state as { readonly status?: string } | undefined)?.status ?? null;
  const left = (await store.inbox.list({ limit: 9 })).map(({ entry }) => entry.key);
  const lost = await store.calls.claimLost({ ttlMs: 1, limit: 9 });
  await store.close();
  return { status, hasBegun, intended, booked: booked.size, failed, left, lost, writes };
}

test('a call whose process dies before its conversation is ended, and whose caller is gone, is ended, and its writes are made', async () => {
  const { writes, status: ended } = await play(flow, null, 'Yes.');
  expect(ended).toBe('ended');
  for (let nth = 1; nth <= writes; nth += 1)
    for (const after of [false, true]) {
      const { status, hasBegun, intended, booked, ...rest } = await play(flow, { nth, after }, 'Yes.');
      const where = `${after ? 'after' : 'before'} write ${nth}`;
      expect(status, where).toBe(hasBegun ? 'ended' : null);
      expect(booked, where).toBe(intended ? 1 : 0);
      expect(rest, where).toMatchObject({ failed: [], left: [], lost: [] });
    }
});

test('a call that waits for people stays open where its process dies and its caller is gone', async () => {
  const { writes, status: left } = await play(waitingFlow, null, null);
  expect(left).toBe('active');
  const { status, failed, lost } = await play(waitingFlow, { nth: writes, after: false }, null);
  expect({ status, failed, lost }).toEqual({ status: 'active', failed: [], lost: [] });
});
