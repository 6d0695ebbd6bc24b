import { AgentDispatchClient } from 'livekit-server-sdk';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { isWaiting } from '../../../src/kernel/state/draft.ts';
import type { Store } from '../../../src/model/ports/store.ts';
import { type Caller, joinRoom } from '../caller.ts';
import { type Leashed, startLeashed } from '../leashed.ts';
import type { LivekitServer } from '../livekit-server.ts';
import { Broken, type KillPoint, type WriteProxy } from './write-proxy.ts';

/** The stage of a refund: the worker and everything beside it, except the store's server, is killed. */
export interface RefundStage {
  readonly server: LivekitServer;
  readonly proxy: WriteProxy;
  /** The address of the database through the proxy. */
  readonly address: string;
  /** The same database without the proxy, for the caller and the desk. */
  readonly store: Store;
  readonly httpPort: number;
}

/** Whether the caller hears the decision in the same call, or has hung up before it. */
export type Patience = 'stays' | 'leaves';

/** The end of a refund from the view of its caller, its desk and its store. */
export interface RefundEnd {
  /** The output of `roomflow audit`, without times, numbers and placed calls. */
  readonly story: readonly string[];
  /** The output of `roomflow audit --verify`, without its count. */
  readonly verdict: string;
  /** The end reason of the session. */
  readonly reason: string | null;
  /** Number of keys under which it was paid. */
  readonly paid: number;
  readonly isHeard: boolean;
  /** Inbox entries without a taker. */
  readonly left: readonly string[];
}

/** The same, with the number of lives and writes. */
export interface PlayedRefund {
  readonly end: RefundEnd;
  readonly writes: number;
  readonly lives: number;
  /** How often the caller heard the result. */
  readonly told: number;
}

const sessionId = 'refund-1';
const root = join(import.meta.dirname, '../../..');
const answers = [
  ['What is the number of your order?', '4711'],
  ['How much was it, in euros?', '20'],
  ['What was wrong with it?', 'the lamp came broken'],
] as const;
const news = 'It is approved: 20 euros';

/** Time limit for a step of the caller or the desk, in milliseconds. The process of a call needs time to start. */
const limitMs = 120_000;
/** How long a caller who has hung up waits for a call before calling again, in milliseconds. */
const calledWithinMs = 8_000;

/** Plays one refund to its end. If a kill point is given, kills everything but the database there. */
export async function playRefund(
  stage: RefundStage,
  point: KillPoint | null,
  patience: Patience,
): Promise<PlayedRefund> {
  const { server, proxy } = stage;
  const world = createWorld(stage, patience);
  let lives = 0;
  proxy.revive(point);
  const before = proxy.writes;
  for (;;) {
    lives += 1;
    const worker = startWorker(stage);
    world.lives.push(worker);
    try {
      await Promise.race([
        proxy.broken,
        worker.ended.then(() => Promise.reject(new Error(lastWords(worker)))),
        world.live(worker),
      ]);
      await worker.stop(30_000);
      break;
    } catch (error) {
      if (!(error instanceof Broken)) throw error;
      await Promise.all([worker.kill(), server.restart()]);
      await world.hangUp();
      proxy.revive(null);
    }
  }
  await world.hangUp();
  return { end: await endIn(stage, world.heard()), writes: proxy.writes - before, lives, told: world.told() };
}

function startWorker(stage: RefundStage): Leashed {
  return startCommand(stage, ['worker']);
}

function startCommand({ server, address, httpPort }: RefundStage, args: readonly string[]): Leashed {
  const config = join(import.meta.dirname, 'agent.config.ts');
  return startLeashed(execPath, [join(root, 'dist/cli/main.js'), ...args, '--config', config], {
    ...server.variables,
    ...{ OPENAI_API_KEY: '', DEEPGRAM_API_KEY: '', ROOMFLOW_CACHE: join(root, 'test/rooms/no-cache') },
    ...{ ROOMFLOW_STORE: address, ROOMFLOW_LINK_SECRET: 's'.repeat(40), ADA_TOKEN: 'ada-token' },
    ...{ HTTP_PORT: String(httpPort), PORT: '0' },
  });
}

function lastWords(worker: Leashed): string {
  return `The worker has ended. Its last words:\n${worker.output().slice(-2_000)}`;
}

/** The caller and the desk. Each does its remaining steps, whatever state it finds. */
function createWorld({ server, store }: RefundStage, patience: Patience) {
  const lives: Leashed[] = [];
  const callers: Caller[] = [];
  let caller: Caller | null = null;
  let rooms = 0;
  const outputs = (): string => lives.map((worker) => worker.output()).join('\n');
  const until = async <Value>(
    look: () => Promise<Value | null> | Value | null,
    what: string,
    ms = limitMs,
  ): Promise<Value> => {
    const own = lives.length;
    for (const end = Date.now() + ms; ;) {
      // The steps of a previous life are cancelled.
      if (own !== lives.length) throw new Broken('the life before');
      const found = await look();
      if (found !== null && found !== false) return found;
      if (Date.now() > end)
        throw new Error(
          `${what} was waited for in vain.\n${outputs()
            .replaceAll(/^.*"level":40.*$/gm, '')
            .slice(-6_000)}`,
        );
      await pause(100);
    }
  };
  const openWait = async () => {
    const effects = (await store.sessions.get(sessionId)) === null ? [] : await store.effects.list(sessionId);
    return effects.filter(isWaiting).at(-1) ?? null;
  };
  const isDecided = async (): Promise<boolean> =>
    (await store.audit.list({ sessionId, limit: 100 })).some(
      ({ action, outcome }) => action === 'wait:resolve' && outcome === 'allowed',
    );
  const isOver = async (): Promise<boolean> => (await statusIn(store)) === 'ended';
  const join = async (room: string, isToDispatch: boolean): Promise<Caller> => {
    const joined = await joinRoom(server, room, `caller-${callers.length}`);
    callers.push(joined);
    if (isToDispatch) {
      const access = [server.url.replace(/^ws/, 'http'), server.apiKey, server.apiSecret] as const;
      const metadata = JSON.stringify({ sessionId });
      await new AgentDispatchClient(...access).createDispatch(room, 'refunds', { metadata });
    }
    return joined;
  };
  const call = (): Promise<Caller> => join(`refund-${(rooms += 1)}`, true);
  const hangUp = async (): Promise<void> => {
    const leaving = caller;
    caller = null;
    await leaving?.leave();
  };
  /** Answers questions until the flow waits for a person. */
  const tellAll = async (): Promise<void> => {
    const on = (caller ??= await call());
    const said = new Map<string, number>();
    await until(async () => {
      const wait = await openWait();
      if (wait !== null) return wait;
      const isListening = on.agentAttributes()['lk.agent.state'] === 'listening';
      for (const [question, answer] of answers) {
        const times = on.heard().split(question).length - 1;
        const isLast = on.heard().trimEnd().endsWith(question);
        if (!isListening || !isLast || times <= (said.get(question) ?? 0)) continue;
        said.set(question, times);
        await on.type(answer);
      }
      return null;
    }, 'the desk to be asked');
  };
  /** Opens the link and presses the button. An interrupted press is repeated in the next life. */
  const decide = async (): Promise<void> => {
    const pattern = /To the refunds desk: Refund 20 euros for order 4711\? (http\S+)/;
    const link = await until(() => pattern.exec(outputs())?.[1] ?? null, 'the link');
    await until(async () => {
      const page = await fetch(link).catch(() => null);
      const [, factsHash] = /name="factsHash" value="([^"]+)"/.exec((await page?.text()) ?? '') ?? [];
      if (factsHash === undefined) return (await isDecided()) || null;
      const body = new URLSearchParams({ decision: 'approve', factsHash });
      const answer = await fetch(link, { method: 'POST', body }).catch(() => null);
      return answer?.ok === true || (await isDecided()) || null;
    }, 'the decision to be recorded');
  };
  /** Returns a caller who was called back by this life, or who has called again. */
  const comeBack = async (worker: Leashed): Promise<Caller> => {
    const pattern = /To the caller: please join the room (\S+)\./;
    for (const end = Date.now() + calledWithinMs; Date.now() < end; await pause(100)) {
      const [, room] = pattern.exec(worker.output()) ?? [];
      if (room !== undefined) return await join(room, false);
    }
    return await call();
  };
  const heard = (): boolean => callers.some((one) => `${one.heard()} ${one.hearing()}`.includes(news));
  return {
    ...{ lives, hangUp, heard },
    told: () => callers.filter((one) => `${one.heard()} ${one.hearing()}`.includes('It is approved')).length,
    async live(worker: Leashed): Promise<void> {
      await worker.hasSaid(/registered worker/);
      await worker.hasSaid(/http:listening/);
      if ((await openWait()) === null) await tellAll();
      if (patience === 'leaves') await hangUp();
      if (!(await isDecided())) await decide();
      if (!((await isOver()) && heard())) {
        const on = (caller ??= await comeBack(worker));
        await until(async () => on.heard().includes(news) || ((await isOver()) && heard()) || null, 'the news');
      }
      await until(async () => (await isOver()) || null, 'the end');
      await hangUp();
      await until(
        async () => (await store.inbox.list({ state: 'open', limit: 9 })).length === 0 || null,
        'an empty inbox',
      );
    },
  };
}

async function statusIn(store: Store): Promise<string | null> {
  const kept = await store.sessions.get(sessionId);
  return (kept?.state as { readonly status?: string } | undefined)?.status ?? null;
}

async function endIn(stage: RefundStage, isHeard: boolean): Promise<RefundEnd> {
  const { store } = stage;
  const [events, effects, entries, story, verdict] = await Promise.all([
    store.steps.listEvents(sessionId),
    store.effects.list(sessionId),
    store.inbox.list({ limit: 100 }),
    linesOf(stage, ['audit', sessionId]),
    linesOf(stage, ['audit', '--verify']),
  ]);
  const ended = events.find(({ type }) => type === 'flow:ended');
  return {
    story: story.filter((line) => !line.includes('call:placed')).map(withoutChance),
    verdict: verdict
      .filter((line) => !line.includes('--known'))
      .join('\n')
      .replace(/^\d+ records?/, 'records'),
    reason: ended?.type === 'flow:ended' ? ended.data.reason : null,
    paid: effects.filter(({ kind, state }) => kind === 'tool' && state === 'done').length,
    isHeard,
    left: entries.map(({ entry, state, reason }) => `${entry.key} ${state} ${reason ?? ''}`),
  };
}

async function linesOf(stage: RefundStage, args: readonly string[]): Promise<readonly string[]> {
  const command = startCommand(stage, args);
  await command.ended;
  return command
    .output()
    .split('\n')
    .filter((line) => line !== '');
}

/** Returns a line of the audit without its number, its time, the id of the link and the number of earlier turns. */
function withoutChance(line: string): string {
  const [, , ...facts] = line.split('  ');
  return facts
    .filter((fact) => !/^(?:link|durationMs)=/.test(fact))
    .join('  ')
    .replaceAll(/refund-1\/\d+\/[\d.]+/g, 'refund-1/…');
}
