import { expect, test } from 'vitest';
import { createMemoryStore } from '../../src/durable/memory-store.ts';
import type { Effect } from '../../src/events/effect.ts';
import { createMessenger, type MessageNote, type SendMessage } from '../../src/people/messenger.ts';
import { createVirtualClock } from '../../src/testing/virtual-clock.ts';

const hourMs = 3_600_000;

test('a message is sent once, and its session is told', async () => {
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

test('what cannot be sent is tried again for a quarter of an hour, and then has failed', async () => {
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

test('a sending that hangs is given up before anybody else may claim it, and tried again', async () => {
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

test('a message that nobody here sends is cancelled, and two who look never both send', async () => {
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

/** A session that intends one message, and a messenger that finds it. */
async function deskOf(send: SendMessage | null) {
  const clock = createVirtualClock();
  const store = createMemoryStore({ clock });
  const lease = await store.acquireLease('call', 'agent', 1_000);
  if (lease === null) throw new Error('the session is taken');
  const message: Effect = {
    key: 'call/1/2',
    kind: 'message',
    state: 'intended',
    node: 'approve',
    visit: 1,
    payload: { channel: 'notify', to: 'refunds', text: 'Refund 20 euros?', data: {} },
  };
  const rest = { inputKeys: [], signals: [], state: {}, stateVersion: 2, graphHash: 'none', events: () => [] };
  await store.commit({ ...rest, lease, baseSeq: 0, effects: [message] });
  const notes: MessageNote[] = [];
  const another = () =>
    createMessenger({
      store,
      clock,
      senderOf: () => send,
      onFailed: (note) => void notes.push(note),
      onError: (error) => {
        throw error;
      },
    });
  return {
    clock,
    notes,
    another,
    messenger: another(),
    told: async () => (await store.listEntries({ limit: 10 })).map(({ entry }) => entry.signal),
  };
}
