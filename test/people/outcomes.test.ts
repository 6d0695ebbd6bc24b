import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import { createTextSession } from '../../src/livekit/agent/text-session.ts';
import { flowTool } from '../../src/livekit/tools/flow-tool.ts';
import type { Store } from '../../src/model/ports/store.ts';
import type { Clock } from '../../src/model/ports/time.ts';
import type { DeliveryNote, SendDelivery } from '../../src/people/outcomes/deliver-outcome.ts';
import { afterCallRule, type OutcomeSettings } from '../../src/people/outcomes/outcome-settings.ts';
import { createRunner } from '../../src/runner/flow-runner.ts';
import { createMemoryStore } from '../../src/store/memory/store.ts';
import { systemClock } from '../../src/system.ts';
import { ScriptedModel } from '../../src/testing/scripted-model.ts';
import { createVirtualClock, type VirtualClock } from '../../src/testing/virtual-clock.ts';
import { clerkOf, type TestedClerk } from './clerk-of.ts';
import { type DyingPoint, dyingStore } from './dying-store.ts';

const secret = 'a secret of more than 24 bytes';
beforeEach(() => void (process.env['OUTCOME_SECRET'] = secret));
afterEach(() => void delete process.env['OUTCOME_SECRET']);

const outcomes: OutcomeSettings = {
  webhook: 'https://crm.test/outcomes',
  secret: 'OUTCOME_SECRET',
  abandonAfter: '5m',
};

const booking: ConversationFlow = {
  name: 'booking',
  initialNode: 'ask',
  slots: { size: { type: 'integer', ask: 'For how many?' }, name: { type: 'text', ask: 'Which name?' } },
  outcome: { fields: { guests: '{{ size }}', name: '{{ name }}', table: '{{ table.id }}' } },
  nodes: {
    ask: { collect: ['size'], defaultTransition: 'book' },
    book: { call: 'book', functions: [{ name: 'book', effect: 'write', saveAs: 'table', transitionTo: 'bye' }] },
    bye: { say: 'Booked.', end: 'booked' },
  },
};

const book = flowTool({
  name: 'book',
  description: 'Books.',
  effect: 'write',
  parameters: z.object({}),
  execute: () => ({ id: 7 }),
});

interface Delivery {
  readonly id: string;
  readonly body: string;
}

/** A caller with a store, and a receiver that answers with a list of statuses, at last with 200. */
function place(statuses: (number | null)[] = [], flow: ConversationFlow = booking) {
  let clock: VirtualClock = createVirtualClock();
  const time: Clock = { now: () => clock.now(), schedule: (ms, task) => clock.schedule(ms, task) };
  const store = createMemoryStore({ clock: time });
  const deliveries: Delivery[] = [];
  const notes: DeliveryNote[] = [];
  const send: SendDelivery = ({ headers, body }) => {
    deliveries.push({ id: headers['webhook-id'] ?? '', body });
    const status = statuses.length === 0 ? 200 : statuses.shift();
    return status == null ? Promise.reject(new Error('no answer')) : Promise.resolve(status);
  };
  return {
    ...{ store, time, deliveries, notes },
    die: () => void (clock = createVirtualClock(clock.now() + 61_000)),
    async pass(ms: number, isEnough: () => boolean = () => false): Promise<void> {
      const stepMs = Math.max(250, ms / 400);
      for (const until = clock.now() + ms; clock.now() < until && !isEnough();) await clock.advance(stepMs);
    },
    /** Plays a call; with `words` the caller answers, and without them hangs up at once. */
    async call(own: Store, words: string | null, end: 'stop' | 'leave' = 'stop', sessionId = 's'): Promise<void> {
      const session = createTextSession(new ScriptedModel(() => ({ calls: [{ name: 'record', args: { size: 4 } }] })));
      const given = { session, flow, tools: [book], store: own, sessionId, clock: time, onEnd: 'keep' as const };
      const runner = createRunner({ ...given, ...afterCallRule(outcomes) });
      await runner.start();
      await runner.idle();
      if (words !== null) await runner.send(words);
      if (words !== null) await runner.ended;
      else await (end === 'stop' ? runner.stop('caller-left') : runner.detach());
    },
    clerk: (own: Store, more: Partial<TestedClerk> = {}) =>
      clerkOf({
        ...{ flow, store: own, clock: time, sendOutcome: send, onOutcome: (note: DeliveryNote) => notes.push(note) },
        config: { tools: [book], outcomes },
        lookEveryMs: 20_000,
        ...more,
      }),
  };
}

function dataOf({ body }: Delivery): Record<string, unknown> {
  return (JSON.parse(body) as { data: Record<string, unknown> }).data;
}

test('the outcome of a call is delivered once after its end, with the fields of its flow', async () => {
  const here = place();
  await here.call(here.store, 'Four.');
  const clerk = here.clerk(here.store);
  await clerk.start();
  await here.pass(2_000);
  await clerk.stop();
  expect(here.deliveries).toHaveLength(1);
  expect(here.deliveries[0]?.id).toMatch(/^out_[0-9a-f]{32}$/);
  expect(here.deliveries.map(dataOf)).toEqual([
    {
      session_id: 's',
      flow: 'booking',
      outcome: 'booked',
      fields: { guests: 4, table: 7 },
      unconfirmed: [],
      unsettled: [],
      started_at: '2030-01-07T09:00:00.000Z',
      ended_at: expect.any(String),
      duration_ms: expect.any(Number),
    },
  ]);
  expect(await here.store.inbox.list({ limit: 9 })).toEqual([]);
});

test('a caller who hangs up is reported as gone', async () => {
  const here = place();
  await here.call(here.store, null);
  const clerk = here.clerk(here.store);
  await clerk.start();
  await here.pass(2_000);
  await clerk.stop();
  expect(here.deliveries.map(dataOf)).toMatchObject([{ outcome: 'caller_gone', fields: {} }]);
});

test('a call that was left in the middle ends after the limit, and a caller who returns before it goes on', async () => {
  const here = place();
  await here.call(here.store, null, 'leave');
  const clerk = here.clerk(here.store);
  await clerk.start();
  await here.pass(200_000);
  expect(here.deliveries).toEqual([]);
  await here.call(here.store, null, 'leave');
  await here.pass(200_000);
  expect(here.deliveries).toEqual([]);
  await here.pass(150_000);
  await clerk.stop();
  expect(here.deliveries.map(dataOf)).toMatchObject([{ outcome: 'abandoned' }]);
});

test('a failed delivery is repeated with the same id and body, and at last a dead letter that can be posted again', async () => {
  const here = place([503, null, ...Array.from({ length: 7 }, () => 500)]);
  await here.call(here.store, 'Four.');
  const clerk = here.clerk(here.store);
  await clerk.start();
  await here.pass(10_000);
  expect(here.notes.map(({ reason, attempt }) => [attempt, reason])).toEqual([
    [1, 'http-503'],
    [2, 'unreachable'],
  ]);
  await here.pass(48 * 3_600_000, () => here.deliveries.length === 9);
  await here.pass(1_000);
  const dead = await here.store.inbox.list({ state: 'dead', limit: 9 });
  expect(dead.map(({ entry, reason }) => [entry.key, reason])).toEqual([['outcome/s/delivery', 'http-500']]);
  expect(here.notes.at(-1)).toMatchObject({ isDead: true });
  await here.store.inbox.repost('outcome/s/delivery');
  await here.pass(2_000);
  await clerk.stop();
  expect(here.deliveries).toHaveLength(10);
  expect(new Set(here.deliveries.map(({ id, body }) => `${id} ${body}`)).size).toBe(1);
  expect(await here.store.inbox.list({ limit: 9 })).toEqual([]);
});

test('a receiver that is gone gets no second delivery', async () => {
  const here = place([410]);
  await here.call(here.store, 'Four.');
  const clerk = here.clerk(here.store);
  await clerk.start();
  await here.pass(60_000);
  await clerk.stop();
  expect(here.deliveries).toHaveLength(1);
  expect(await here.store.inbox.list({ state: 'dead', limit: 9 })).toHaveLength(1);
});

test('two calls with one name after a deletion have two outcomes', async () => {
  const here = place();
  const clerk = here.clerk(here.store);
  await clerk.start();
  await here.call(here.store, 'Four.');
  await here.pass(25_000);
  const lease = await here.store.leases.acquire({ sessionId: 's', owner: 'me', ttlMs: 1_000 });
  if (lease !== null) await here.store.sessions.delete(lease);
  await here.call(here.store, 'Four.');
  await here.pass(25_000);
  await clerk.stop();
  expect(new Set(here.deliveries.map(({ id }) => id)).size).toBe(2);
});

test('a process that is killed at any write between the last words and the delivery loses nothing', async () => {
  const play = async (point: DyingPoint | null) => {
    const here = place();
    let isDead = false;
    const doomed = dyingStore(here.store, point, () => (isDead = true));
    const first = here.clerk(doomed.store, { onError: () => undefined });
    void here.call(doomed.store, 'Four.').then(() => first.start());
    await here.pass(4_000, () => isDead);
    if (point !== null) {
      expect(isDead).toBe(true);
      here.die();
      const next = here.clerk(here.store, { onError: () => undefined });
      await next.start();
      await here.pass(700_000, () => here.deliveries.length > 1);
      await next.stop();
    }
    return {
      count: doomed.count(),
      outcomes: here.deliveries.map((one) => dataOf(one)['outcome']),
      bodies: new Set(here.deliveries.map(({ id, body }) => `${id} ${body}`)).size,
      left: (await here.store.inbox.list({ limit: 9 })).map(({ entry }) => entry.key),
    };
  };
  const whole = await play(null);
  expect(whole).toMatchObject({ outcomes: ['booked'], bodies: 1, left: [] });
  expect(whole.count).toBeGreaterThan(8);
  for (let nth = 1; nth <= whole.count; nth += 1)
    for (const after of [false, true]) {
      const found = await play({ nth, after });
      const at = `${after ? 'after' : 'before'} write ${nth} of ${whole.count}`;
      // A call that had not begun in the store has nothing to report.
      const isBegun = found.outcomes.length > 0 || nth <= 3;
      expect(isBegun, at).toBe(true);
      expect(found.bodies, at).toBeLessThanOrEqual(1);
      expect(found.left, at).toEqual([]);
    }
}, 60_000);

test('a delivery is signed as Standard Webhooks specifies, and neither redirects nor private addresses are reached', async () => {
  const received: { readonly headers: IncomingHttpHeaders; readonly body: string }[] = [];
  let status = 307;
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      received.push({ headers: request.headers, body });
      response.writeHead(status, { location: `http://127.0.0.1:${port}/elsewhere` }).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const webhook = `http://127.0.0.1:${port}/outcomes`;
  try {
    const store = createMemoryStore({ clock: systemClock });
    const signal = { type: 'outcome:ready', id: 'out_1', body: '{"type":"conversation.ended"}' } as const;
    const entry = { sessionId: 's', dueAt: 0, signal, reach: 'wait', correlation: {}, actor: null } as const;
    const taken = async (key: string, isPrivate: boolean): Promise<DeliveryNote> => {
      await store.inbox.post([{ ...entry, key }]);
      const config = { outcomes: { ...outcomes, webhook, private: isPrivate } };
      let stop = (): Promise<void> => Promise.resolve();
      const note = await new Promise<DeliveryNote>((resolve, reject) => {
        const clerk = clerkOf({ store, clock: systemClock, config, onOutcome: resolve });
        stop = () => clerk.stop();
        clerk.start().catch(reject);
      });
      await stop();
      await store.inbox.withdraw(key);
      return note;
    };
    expect(await taken('one', false)).toMatchObject({ event: 'outcome:not-delivered', reason: 'unreachable' });
    expect(received).toEqual([]);
    expect(await taken('two', true)).toMatchObject({ event: 'outcome:not-delivered', reason: 'http-307' });
    expect(received).toHaveLength(1);
    status = 204;
    expect(await taken('three', true)).toMatchObject({ event: 'outcome:delivered' });
    const { headers, body } = received[1] ?? { headers: {}, body: '' };
    const signed = `out_1.${String(headers['webhook-timestamp'])}.${body}`;
    expect(body).toBe(signal.body);
    expect(headers).toMatchObject({
      'webhook-id': 'out_1',
      'idempotency-key': 'out_1',
      'webhook-signature': `v1,${createHmac('sha256', secret).update(signed).digest('base64')}`,
    });
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
