import { expect, test } from 'vitest';
import { createMemoryStore } from '../../src/store/memory/store.ts';
import type { Effect } from '../../src/model/effect.ts';
import { createMessenger, type MessageNote, type SendMessage } from '../../src/people/messages/messenger.ts';
import { neededNotice } from '../../src/people/messages/needed-notice.ts';
import { createVirtualClock } from '../../src/testing/virtual-clock.ts';

const hourMs = 3_600_000;

test('a message is sent once, and its session gets the result', async () => {
  const sent: string[] = [];
  const desk = await deskOf(async ({ key, text }) => {
    sent.push(`${key} ${text}`);
    return { id: 'provider-7' };
  });
  desk.messenger.start();
  await desk.clock.advance(hourMs);
  expect(sent).toEqual(['call/1/2 Refund 20 euros?']);
  expect(await desk.told()).toEqual([
    { type: 'effect:settled', key: 'call/1/2', state: 'done', result: { id: 'provider-7' } },
  ]);
  await desk.messenger.stop();
});

test('a message that cannot be sent is retried for a quarter of an hour, and then fails', async () => {
  let tries = 0;
  const desk = await deskOf(async () => {
    tries += 1;
    throw Object.assign(new Error('a text that quotes the caller'), { code: 'ECONNREFUSED' });
  });
  desk.messenger.start();
  await desk.clock.advance(hourMs);
  expect(tries).toBe(6);
  expect(desk.notes.map(({ attempt, isFinal }) => `${attempt} ${isFinal}`)).toEqual([
    '1 false',
    '2 false',
    '3 false',
    '4 false',
    '5 false',
    '6 true',
  ]);
  expect(await desk.told()).toEqual([
    { type: 'effect:settled', key: 'call/1/2', state: 'failed', error: desk.notes[0]?.reason },
  ]);
  expect(JSON.stringify(desk.notes)).not.toContain('quotes');
  await desk.messenger.stop();
});

test('a hanging send is cancelled before its claim expires, and retried', async () => {
  let tries = 0;
  const desk = await deskOf(async () => {
    tries += 1;
    return tries === 1 ? await new Promise(() => undefined) : null;
  });
  desk.messenger.start();
  await desk.clock.advance(hourMs);
  expect(tries).toBe(2);
  expect(desk.notes).toMatchObject([{ reason: 'timed-out', isFinal: false }]);
  await desk.messenger.stop();
});

test('the number of attempts survives a crash', async () => {
  const desk = await deskOf(() => Promise.reject(new RangeError('away')));
  for (let tries = 0; tries < 6; tries += 1) {
    await desk.another().look();
    await desk.clock.advance(hourMs);
  }
  expect(desk.notes.map(({ attempt, isFinal }) => `${attempt} ${isFinal}`)).toEqual([
    ...['1 false', '2 false', '3 false', '4 false', '5 false'],
    '6 true',
  ]);
});

test('messages of one session are sent in sequence, and those of different sessions concurrently', async () => {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const desk = await deskOf(
    ({ key }) =>
      new Promise((resolve) => {
        begun.push(key);
        ends.set(key, () => resolve(null));
      }),
    { call: 2, other: 1 },
  );
  const looking = desk.messenger.look();
  await desk.clock.advance(0);
  expect(begun).toEqual(['call/1/1', 'other/1/1']);
  ends.get('call/1/1')?.();
  await desk.clock.advance(0);
  expect(begun).toEqual(['call/1/1', 'other/1/1', 'call/1/2']);
  for (const end of ends.values()) end();
  await looking;
  expect(await desk.told()).toHaveLength(3);
});

test('a message without a sender is cancelled, and two messengers never both send', async () => {
  const desk = await deskOf(null);
  await desk.messenger.look();
  expect(await desk.told()).toEqual([
    { type: 'effect:settled', key: 'call/1/2', state: 'cancelled', error: 'no-sender' },
  ]);

  let sent = 0;
  const shared = await deskOf(async () => {
    sent += 1;
    return null;
  });
  await Promise.all([shared.messenger.look(), shared.another().look()]);
  expect(sent).toBe(1);
});

test('no notice is sent for a wait that was decided before it', async () => {
  const sent: string[] = [];
  const desk = await deskOf(null);
  const { store, clock } = desk;
  const send = neededNotice({ store, clock }, async ({ key }) => sent.push(key));
  const messenger = desk.another(send);
  await desk.ask();
  await store.inbox.post([], [], ['decided/call/1/1']);
  await messenger.look();
  // The session withdraws the notice when it takes the decision.
  expect([sent, await desk.told()]).toEqual([[], []]);

  await desk.ask('done');
  await clock.advance(hourMs);
  await messenger.look();
  expect(sent).toEqual([]);
  expect(await desk.told()).toEqual([
    { type: 'effect:settled', key: 'call/1/2', state: 'cancelled', error: 'wait-over' },
  ]);
});

test('no notice is sent for a wait whose deadline has passed', async () => {
  const sent: string[] = [];
  const desk = await deskOf(null);
  const { store, clock } = desk;
  const messenger = desk.another(neededNotice({ store, clock }, async ({ key }) => sent.push(key)));
  await desk.ask('intended', clock.now() + hourMs);
  await clock.advance(hourMs);
  await messenger.look();
  expect(sent).toEqual([]);
});

/** Sessions that send messages (by default one message of one session), and a messenger that finds them. */
async function deskOf(send: SendMessage | null, counts?: Readonly<Record<string, number>>) {
  const clock = createVirtualClock();
  const store = createMemoryStore({ clock });
  for (const [sessionId, count] of Object.entries(counts ?? { call: 1 })) {
    const lease = await store.leases.acquire({ sessionId, owner: 'agent', ttlMs: 1_000 });
    if (lease === null) throw new Error('the session is taken');
    const effects = Array.from({ length: count }, (_, index): Effect => ({
      key: counts === undefined ? 'call/1/2' : `${sessionId}/1/${index + 1}`,
      kind: 'message',
      state: 'intended',
      node: 'approve',
      visit: 1,
      payload: { channel: 'notify', to: 'refunds', text: 'Refund 20 euros?', data: { key: `${sessionId}/1/1` } },
    }));
    const rest = { inputKeys: [], signals: [], state: {}, stateVersion: 2, graphHash: 'none', events: () => [] };
    await store.steps.create({ ...rest, lease, baseSeq: 0, effects });
  }
  const notes: MessageNote[] = [];
  const another = (sender = send) =>
    createMessenger({
      store,
      clock,
      senderOf: () => sender,
      onFailed: (note) => void notes.push(note),
      onError: (error) => {
        throw error;
      },
    });
  /** Commits the wait of the notice. */
  const ask = async (state: Effect['state'] = 'intended', deadline?: number): Promise<void> => {
    const lease = await store.leases.acquire({ sessionId: 'call', owner: 'agent', ttlMs: 1_000 });
    if (lease === null) throw new Error('the session is taken');
    const wait: Effect = {
      ...{ key: 'call/1/1', kind: 'wait', state, node: 'approve', visit: 1 },
      payload: {
        ...{ wait: 'admin_resolution', to: 'refunds', question: 'Refund 20 euros?', facts: {}, factsHash: '' },
        ...{ options: ['approve'], schema: {}, version: 1, policy: null, later: [], reach: 'wait' },
      },
      ...(deadline === undefined ? {} : { deadline }),
    };
    const rest = { inputKeys: [], signals: [], state: {}, stateVersion: 2, graphHash: 'none', events: () => [] };
    await store.steps.create({ ...rest, lease, baseSeq: 0, effects: [wait] });
    await store.leases.release(lease);
  };
  return {
    store,
    ask,
    clock,
    notes,
    another,
    messenger: another(),
    told: async () => (await store.inbox.list({ limit: 10 })).map(({ entry }) => entry.signal),
  };
}
