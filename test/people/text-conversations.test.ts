import { afterEach, describe, expect, test } from 'vitest';
import type { OpenedConfig } from '../../src/config/config.ts';
import { createMemoryStore } from '../../src/store/memory/store.ts';
import { FlowError } from '../../src/model/errors.ts';
import type { InboxEntry } from '../../src/model/inbox.ts';
import { createTextSender } from '../../src/people/channels/text-sender.ts';
import { createMessenger } from '../../src/people/messages/messenger.ts';
import { receiveMessage } from '../../src/people/messages/receive-message.ts';
import type { Store } from '../../src/model/ports/store.ts';
import type { Clock } from '../../src/model/ports/time.ts';
import { takeTextTurn } from '../../src/runner/text-turn.ts';
import { systemClock } from '../../src/system.ts';
import { createCountingIds } from '../../src/testing/counting-ids.ts';
import { fastClock } from '../fast-clock.ts';
import { until } from '../livekit/until.ts';
import { OfflineBrain } from '../../src/offline/brain/offline-brain.ts';

const checkup = `name: checkup
initial_node: when
slots:
  day: { type: date, ask: "Hello {{ name }}, which day suits you for your check-up?" }
nodes:
  when: { collect: [day], default_transition: done }
  done: { say: "Thank you, see you on {{ day }}.", end: booked }
`;

const opened: Store[] = [];
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
});

describe('a conversation by text', () => {
  test('begins with a message to its recipient, and blocks nothing until they answer', async () => {
    const place = placeOf();
    await place.take(begin);
    await place.takeDue();
    expect(place.sent).toEqual([
      ['Hello Ada, which day suits you for your check-up?', '+49 170 1', expect.stringMatching(/^ada\/1\/\d+$/)],
    ]);
    expect(await place.store.leases.acquire({ sessionId: 'ada', owner: 'another', ttlMs: 1_000 })).not.toBeNull();
    expect(await place.store.inbox.list({ limit: 9 })).toEqual([]);
  });

  test('continues with each message once, days later and in another process, without mentioning a gap', async () => {
    const place = placeOf();
    await place.take(begin);
    place.pass(3 * 24 * 3_600_000);
    const message = { sessionId: 'ada', id: 'SM1', text: 'December first.', actor: null };
    expect((await receiveMessage(place.parts, message)).status).toBe('posted');
    await place.takeDue();
    expect((await receiveMessage(place.parts, message)).status).toBe('duplicate');
    expect(place.sent.map(([text]) => text)).toEqual([
      'Hello Ada, which day suits you for your check-up?',
      expect.stringMatching(/^Thank you, see you on .*December 1/),
    ]);
    expect(await place.store.inbox.list({ limit: 9 })).toEqual([]);
    expect((await place.store.sessions.get('ada'))?.state).toMatchObject({ status: 'ended' });
  });

  test('an answer is not interrupted if the store reports late that nothing is due', async () => {
    const place = placeOf();
    await place.take(begin);
    await receiveMessage(place.parts, { sessionId: 'ada', id: 'SM1', text: 'December first.', actor: null });
    const { store } = place;
    const [next] = await store.inbox.claim({ ttlMs: 1_000, limit: 1 });
    let isTaken = false;
    const slow: Store = {
      ...store,
      inbox: {
        ...store.inbox,
        // Only the code that waits for the end of the turn is notified late.
        async listDue(query) {
          if (new Error('asked').stack?.includes('whenTaken') === true)
            await until(() => isTaken, 'the words to be taken');
          return await store.inbox.listDue(query);
        },
      },
      steps: {
        ...store.steps,
        async create(commit) {
          await store.steps.create(commit);
          isTaken ||= commit.inputKeys.includes('message/ada/SM1');
        },
      },
    };
    if (next !== undefined) await takeTextTurn({ ...place.parts, store: slow }, next.entry);
    await place.send();
    expect(place.sent.map(([text]) => text.slice(0, 9))).toEqual(['Hello Ada', 'Thank you']);
  });

  test('a text that the provider refuses is retried, and later texts wait', async () => {
    let isAway = true;
    const place = placeOf(() => {
      if (isAway) throw new Error('503');
    });
    await place.take(begin);
    await receiveMessage(place.parts, { sessionId: 'ada', id: 'SM1', text: 'December first.', actor: null });
    await place.takeDue();
    expect(place.sent).toEqual([]);
    isAway = false;
    for (let i = 0; i < 4; i += 1) {
      place.pass(20_000);
      await place.send();
    }
    expect(place.sent.map(([text]) => text.slice(0, 9))).toEqual(['Hello Ada', 'Thank you']);
  });

  test('a process that dies at any write of a turn loses no answer and doubles none', async () => {
    for (const broken of [1, 3, 5, 6]) {
      // A turn waits for its store for eight seconds.
      const place = placeOf(undefined, broken, fastClock(8));
      await place.take(begin).catch(() => undefined);
      await place.recover();
      await receiveMessage(place.parts, { sessionId: 'ada', id: 'SM1', text: 'December first.', actor: null });
      await place.recover();
      await place.recover();
      const texts = new Map(place.sent.map(([text, , key]) => [key, text.slice(0, 9)]));
      expect([...texts.values()], `write ${broken}`).toEqual(['Hello Ada', 'Thank you']);
    }
  });
});

const begin: InboxEntry = {
  key: 'campaign/recall/-/ada/1',
  sessionId: 'ada',
  dueAt: 0,
  signal: {
    type: 'session:started',
    flow: 'checkup',
    input: { name: 'Ada', contact: { channel: 'sms', to: '+49 170 1' } },
  },
  reach: 'message',
  correlation: {},
  actor: null,
};

/** A provider's reaction to a text: takes it, throws, or hangs. */
type Provider = (text: string) => unknown;

function placeOf(provider: Provider = () => undefined, broken = Infinity, real: Clock = systemClock) {
  let passed = 0;
  const clock: Clock = {
    now: () => real.now() + passed,
    schedule: (ms, task) => real.schedule(ms, task),
  };
  const memory = createMemoryStore({ clock });
  let [writes, isDead] = [0, false];
  const store: Store = {
    ...memory,
    steps: {
      ...memory.steps,
      async create(commit) {
        isDead ||= writes === broken;
        writes += 1;
        if (isDead) throw new FlowError('store-failed', 'died');
        await memory.steps.create(commit);
      },
    },
  };
  opened.push(store);
  const sent: [text: string, to: string, key: string][] = [];
  const config: OpenedConfig = {
    flows: { checkup },
    timeZone: 'UTC',
    channels: {
      sms: {
        async send(text, to, { key }) {
          await provider(text);
          sent.push([text, to, key]);
        },
      },
    },
  };
  const { look: send } = createMessenger({
    ...{ store, clock, senderOf: createTextSender({ store, clock, channels: config.channels ?? {} }) },
    onFailed: () => undefined,
    onError: () => undefined,
  });
  const ids = createCountingIds();
  const parts = { config, store, clock, ids, model: new OfflineBrain(), flowOf: () => Promise.resolve(checkup) };
  return {
    store,
    sent,
    parts,
    send,
    pass: (ms: number) => void (passed += ms),
    /** Processes due work, with or without a crash. A minute later a second process continues. */
    async recover() {
      await this.takeDue().catch(() => undefined);
      isDead = false;
      passed += 120_000;
      await send();
      await this.takeDue();
    },
    /** Takes the due entries of sessions without an owner, like a clerk. */
    async takeDue() {
      for (;;) {
        const [next] = await store.inbox.claim({ ttlMs: 1_000, limit: 1 });
        if (next === undefined) return;
        await takeTextTurn(parts, next.entry).catch(async (error: unknown) => {
          // The report of a sent message has no recipient if the conversation is over.
          if (error instanceof FlowError && error.code === 'session-over') await store.inbox.withdraw(next.entry.key);
          else throw error;
        });
        await send();
      }
    },
    async take(entry: InboxEntry) {
      await store.inbox.post([entry]);
      await takeTextTurn(parts, entry);
      await send();
    },
  };
}
