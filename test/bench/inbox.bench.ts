import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { openStore } from '../../dist/store/open-store.js';
import type { Effect } from '../../dist/model/effect.js';
import type { InboxEntry } from '../../dist/model/inbox.js';
import type { ConversationFlow } from '../../dist/flow/document/document.js';
import { createTextSession } from '../../dist/livekit/agent/text-session.js';
import { OfflineBrain } from '../../dist/offline/brain/offline-brain.js';
import { startCampaign } from '../../dist/people/campaigns/keep-campaigns.js';
import { createTextSender } from '../../dist/people/channels/text-sender.js';
import { createMessenger } from '../../dist/people/messages/messenger.js';
import type { Store } from '../../dist/model/ports/store.js';
import { createConfiguredClerk } from '../../dist/runner/clerk-of-config.js';
import { FlowRunner } from '../../dist/runner/flow-runner.js';
import { planParts } from '../../dist/runner/plans.js';
import { systemClock as clock, systemIds as ids } from '../../dist/system.js';
import { ScriptedModel } from '../../dist/testing/scripted-model.js';
import { startPostgres } from '../durable/postgres-server.ts';
import { openWaits } from './many-waits.ts';
import type { Measure, Reading } from './measure.ts';
import { owned } from './store-commits.ts';
import { rounds } from './rounds.ts';

async function onPostgres(measure: (address: string) => Promise<Reading>): Promise<Reading> {
  const server = await startPostgres();
  try {
    return await measure(await server.createDatabase());
  } finally {
    await server.stop();
  }
}

function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

function entry(key: string, sessionId: string, signal: InboxEntry['signal'], dueAt: number): InboxEntry {
  return { key, sessionId, dueAt, signal, reach: 'wait', correlation: {}, actor: null };
}

/** Waits for a time, so that it does not wait for the caller. */
function patient(seconds: number): string {
  return `name: patient
initial_node: wait
nodes:
  wait: { type: interrupt.wait, input: { for: ${seconds}s } }
  over: { say: "It is time.", end: done }
edges:
  - { from: wait, to: over }
`;
}

const ping: ConversationFlow = {
  initialNode: 'ping',
  nodes: {
    ping: { taskMessages: [{ role: 'system', content: 'Ping.' }], respondImmediately: false, functions: [] },
    pong: { taskMessages: [{ role: 'system', content: 'Pong.' }], respondImmediately: false, functions: [] },
  },
};

/**
 * The time from the post of an entry by another process to its fold in a live session: the 99th percentile. Reported
 * with Postgres's own time for a row and its notification.
 */
async function liveMs(address: string): Promise<Reading> {
  const posts = rounds(400);
  const [here, there] = [await openStore(address, { clock }), await openStore(address, { clock })];
  const session = createTextSession(new ScriptedModel(() => ({ text: 'Gladly.' })));
  const runner = new FlowRunner({ session, flow: ping, store: here, sessionId: 'call', settings: { onEnd: 'keep' } });
  await runner.start();
  let folded = (): void => undefined;
  runner.hub.subscribe('transition:taken', () => folded());
  const warmUpPosts = rounds(20);
  const times: number[] = [];
  const references: number[] = [];
  const reference = await noticer(address);
  for (let post = 0; post < posts + warmUpPosts; post += 1) {
    await pause(5 + Math.random() * 20);
    const done = new Promise<void>((resolve) => (folded = resolve));
    const began = performance.now();
    const signal = { type: 'node:requested', to: post % 2 === 0 ? 'pong' : 'ping' } as const;
    await there.inbox.post([entry(`post-${post}`, 'call', signal, clock.now())]);
    await done;
    // Excludes the first posts, which load and compile code.
    if (post >= warmUpPosts) times.push(performance.now() - began);
    await pause(5);
    references.push(await reference.once());
  }
  await reference.close();
  await runner.stop();
  await session.close();
  await Promise.all([here.close(), there.close()]);
  const baseline = `a row and a notice of it, ${quantile(references, 0.99).toPrecision(3)} ms`;
  return { value: quantile(times, 0.99), baseline, runs: times.length };
}

/** Writes a row with a notification on one connection, and measures when another connection receives it. */
async function noticer(address: string) {
  const [writer, listener] = [new Client(address), new Client(address)];
  await Promise.all([writer.connect(), listener.connect()]);
  await writer.query('create table bench_row (n serial, text text)');
  await listener.query('listen bench');
  return {
    async once(): Promise<number> {
      const heard = new Promise<void>((resolve) => listener.once('notification', () => resolve()));
      const began = performance.now();
      await writer.query(`with row as (insert into bench_row (text) values ('x') returning n)
        select pg_notify('bench', n::text) from row`);
      await heard;
      return performance.now() - began;
    },
    close: () => Promise.all([writer.end(), listener.end()]),
  };
}

/** How late a clerk folds due waits while a hundred thousand others are open: the 99th percentile. */
async function dueLateMs(address: string): Promise<Reading> {
  const store = await openStore(address, { clock });
  const empty = await lateness(store, 'few', rounds(100));
  await openWaits(address, rounds(100_000));
  const late = await lateness(store, 'many', rounds(300));
  await store.close();
  const baseline = `without other waits, ${quantile(empty, 0.99).toPrecision(3)} ms`;
  return { value: quantile(late, 0.99), baseline, runs: late.length };
}

/** Starts sessions with timed waits, thirty due per second, and returns how late each resumed. */
async function lateness(store: Store, name: string, count: number): Promise<readonly number[]> {
  const flow = patient(Math.ceil(rounds(8) + count / 20));
  const clerk = clerkOf(store, { flows: { patient: flow } }, flow);
  const sessions = Array.from({ length: count }, (_, index) => `${name}-${index}`);
  await clerk.start();
  // All waits have the same length, so that the starts are spread like the ends.
  for (const sessionId of sessions) {
    const begin = { type: 'session:started', flow: 'patient', input: {} } as const;
    await store.inbox.post([entry(`begin-${sessionId}`, sessionId, begin, clock.now())]);
    await pause(33);
  }
  const deadlines = new Map<string, number>();
  for (const sessionId of sessions) {
    const [wait] = (await store.effects.list(sessionId)).filter(({ kind }) => kind === 'wait');
    deadlines.set(sessionId, wait?.deadline ?? Number.NaN);
  }
  await pause(Math.max(0, ...deadlines.values()) - clock.now() + 1_500);
  const late: number[] = [];
  for (const sessionId of sessions) {
    const events = await store.steps.listEvents(sessionId);
    const over = events.find(({ type }) => type === 'transition:taken');
    late.push(over === undefined ? Infinity : over.time - (deadlines.get(sessionId) ?? 0));
  }
  await clerk.stop();
  return late;
}

type Config = Parameters<typeof createConfiguredClerk>[0]['config'];

function clerkOf(store: Store, config: Config, flow: string) {
  return createConfiguredClerk({
    ...{ config: { timeZone: 'UTC', ...config }, store, clock, ids },
    flowOf: () => Promise.resolve(flow),
    openModel: () => Promise.resolve(new OfflineBrain()),
    onFailed: (note) => console.error(note),
    onError: (error) => console.error(error),
  });
}

/** Messages of sessions that one process sends per second, each recorded as sent, with an instant provider. */
async function outboxPerSecond(address: string): Promise<Reading> {
  const [sessions, each] = [rounds(1_000), 5];
  const store = await openStore(address, { clock });
  for (let session = 0; session < sessions; session += 1) {
    const effects = Array.from({ length: each }, (_, index) => message(`s${session}/1/${index}`));
    const step = { baseSeq: 0, inputKeys: [], signals: [], state: {}, stateVersion: 2, graphHash: 'none' };
    await store.steps.create({ ...step, lease: await owned(store, `s${session}`), effects, events: () => [] });
  }
  let sent = 0;
  let done = (): void => undefined;
  const all = new Promise<void>((resolve) => (done = resolve));
  const messenger = createMessenger({
    ...{ store, clock, onFailed: (note) => console.error(note), onError: (error) => console.error(error) },
    senderOf: () => async () => {
      sent += 1;
      if (sent === sessions * each) done();
      return null;
    },
  });
  const began = performance.now();
  messenger.start();
  await all;
  await messenger.stop();
  const value = (sent * 1_000) / (performance.now() - began);
  const reference = await insertsPerSecond(address);
  await store.close();
  const baseline = `rows inserted one by one by eight connections, ${reference.toPrecision(3)} a second`;
  return { value, baseline, runs: sent };
}

function message(key: string): Effect {
  const payload = { channel: 'sms', to: '+1', text: 'Your table is ready.', data: {} };
  return { key, kind: 'message', state: 'intended', node: 'n', visit: 1, payload };
}

async function insertsPerSecond(address: string): Promise<number> {
  const clients = await Promise.all(
    Array.from({ length: 8 }, async () => {
      const client = new Client(address);
      await client.connect();
      return client;
    }),
  );
  await clients[0]?.query('create table bench_inserts (n serial primary key, text text)');
  const rows = rounds(4_000, 8);
  const began = performance.now();
  await Promise.all(
    clients.map(async (client) => {
      for (let row = 0; row < rows / clients.length; row += 1)
        await client.query(`insert into bench_inserts (text) values ('Your table is ready.')`);
    }),
  );
  const ms = performance.now() - began;
  await Promise.all(clients.map((client) => client.end()));
  return (rows * 1_000) / ms;
}

const hello = `name: hello
initial_node: ask
slots:
  day: { type: date, ask: "Hello {{ name }}, which day suits you for your check-up?" }
nodes:
  ask: { collect: [day], default_transition: done }
  done: { say: "Thank you.", end: booked }
`;

/** Written conversations that one process starts per second, first text included, without a rate limit. */
async function recipientsPerSecond(address: string): Promise<Reading> {
  const recipients = Number(process.env['BENCH_RECIPIENTS'] ?? rounds(1_000));
  const store = await openStore(address, { clock });
  let sent = 0;
  let done = (): void => undefined;
  const all = new Promise<void>((resolve) => (done = resolve));
  const config: Config = {
    flows: { hello },
    channels: {
      sms: {
        send: () => {
          sent += 1;
          if (sent === recipients) done();
        },
      },
    },
    campaigns: {
      recall: {
        ...{ flow: 'hello', reach: 'message', channel: 'sms' },
        async *segment(after) {
          for (let n = Number(after ?? 0) + 1; n <= recipients; n += 1)
            yield { id: `p${n}`, cursor: String(n), to: '+1', input: { name: `Person ${n}` } };
        },
      },
    },
  };
  const messenger = createMessenger({
    ...{ store, clock, senderOf: createTextSender({ store, clock, channels: config.channels ?? {} }) },
    ...{ onFailed: (note) => console.error(note), onError: (error) => console.error(error) },
  });
  const clerk = clerkOf(store, config, hello);
  const began = performance.now();
  await startCampaign(planParts(config, { store, clock, ids }), 'recall');
  await clerk.start();
  messenger.start();
  await all;
  const value = (recipients * 1_000) / (performance.now() - began);
  await clerk.stop();
  await messenger.stop();
  const reference = await insertsPerSecond(address);
  await store.close();
  const baseline = `rows inserted one by one by eight connections, ${reference.toPrecision(3)} a second`;
  return { value, baseline, runs: recipients };
}

export const measures: Measure[] = [
  { name: 'inbox.live_ms', unit: 'ms', better: 'lower', limit: 50, run: () => onPostgres(liveMs) },
  { name: 'inbox.due_late_ms', unit: 'ms', better: 'lower', limit: 1_200, run: () => onPostgres(dueLateMs) },
  {
    name: 'outbox.per_second',
    unit: 'messages',
    better: 'higher',
    limit: 1_000,
    run: () => onPostgres(outboxPerSecond),
  },
  {
    name: 'campaign.recipients_per_second',
    unit: 'people',
    better: 'higher',
    run: () => onPostgres(recipientsPerSecond),
  },
];
