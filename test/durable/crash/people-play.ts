import { wrappedStore } from '../wrapped-store.ts';
import { setImmediate as nextRound, setTimeout as zeroTimer } from 'node:timers/promises';
import type { OpenedConfig } from '../../../src/config/config.ts';
import { sameValue } from '../../../src/flow/expression/same-value.ts';
import type { AuditRecord } from '../../../src/model/inbox.ts';
import type { Json } from '../../../src/model/json.ts';
import { OfflineBrain } from '../../../src/offline/brain/offline-brain.ts';
import { createTextSender } from '../../../src/people/channels/text-sender.ts';
import { createMessenger, type SendMessage } from '../../../src/people/messages/messenger.ts';
import { neededNotice } from '../../../src/people/messages/needed-notice.ts';
import { isCampaignSession } from '../../../src/people/campaigns/keep-campaigns.ts';
import { isScheduleSession } from '../../../src/people/schedules/keep-schedules.ts';
import type { Store } from '../../../src/model/ports/store.ts';
import type { Clock } from '../../../src/model/ports/time.ts';
import { createConfiguredClerk } from '../../../src/runner/clerk-of-config.ts';
import { replaySession } from '../../../src/runner/replay-session.ts';
import { systemIds as ids } from '../../../src/system.ts';
import { createVirtualClock, type VirtualClock } from '../../../src/testing/virtual-clock.ts';
import type { FlowSource } from '../../../src/flow/load/files/flow-library.ts';
import { lateStore } from '../late-store.ts';
import { type CrashPoint, mortal, nameOfPoint } from './mortal.ts';
import { noon } from './scenes.ts';
import { gapMs, type Place } from './sweep.ts';

/** The outside world, which outlives all processes. */
export interface Outside {
  /** The keys of payments. Two payments under one key count once for a provider that checks keys. */
  readonly paid: Set<string>;
  /** The texts to each number, by key. */
  readonly texts: Map<string, Map<string, string>>;
  /** The sessions whose people were called. */
  readonly called: Set<string>;
  /** The waits that a person was notified of although there was nothing left to decide. */
  readonly needless: Set<string>;
}

/** One of several processes, the first of which may die. */
export interface Process {
  readonly store: Store;
  readonly clock: Clock;
  readonly outside: Outside;
  /** Takes due entries of sessions without an owner, and sends their messages. */
  startClerk(config: OpenedConfig, flow: FlowSource): Promise<void>;
  /** Resolves when a condition holds. Checks it twice a second for a minute. */
  until(condition: () => Promise<boolean> | boolean): Promise<boolean>;
}

/** Outside events for sessions, and the processes that take them. */
export interface PeopleScene {
  readonly name: string;
  /** Fills the store before any process may die. */
  prepare?(process: Process): Promise<void>;
  /** The steps of a process: both of the dying one and of its successor, which knows nothing of the first. */
  act(process: Process): Promise<void>;
  /** Whether all work is done. */
  isDone(store: Store, outside: Outside): Promise<boolean>;
  /** State that must be equal after a crash at any point, in addition to the common state. */
  outcome(store: Store): Promise<Json>;
  /** Defines the node types that its task flows name. */
  readonly catalog?: OpenedConfig['catalog'];
}

/** How long the claims of a dead process last, plus the time until another process looks, in seconds. */
const claimedS = 35;
/** Time limit of a process, in seconds. */
const patienceS = 160;

/**
 * Plays a scene in one process, or in a process that dies at a point and its successor. `afterwardsS`: how long to observe it
 * after the end, in seconds. Claims of a dead process expire after 30.
 */
export async function playPeople(
  scene: PeopleScene,
  place: Place,
  point: CrashPoint | null,
  afterwardsS: number,
): Promise<{ readonly end: Json; readonly writes: number; readonly failures: readonly string[] }> {
  const outside: Outside = { paid: new Set(), texts: new Map(), called: new Set(), needless: new Set() };
  let underWay = 0;
  let asked = 0;
  /** Moves the clock only when no store call is pending and none follows. A database's response time does not count. */
  const settle = async (): Promise<void> => {
    let askedBefore: number;
    do {
      askedBefore = asked;
      // LiveKit starts work with timers of zero length.
      await zeroTimer(0);
      for (let round = 0; round < 4; round += 1) await nextRound();
    } while (underWay > 0 || asked > askedBefore);
  };
  let moved: VirtualClock = createVirtualClock(noon, settle);
  const clock: Clock = { now: () => moved.now(), schedule: (ms, task) => moved.schedule(ms, task) };
  const opened: Store[] = [];
  const failures: string[] = [];
  let stopAll: (() => Promise<void>)[] = [];

  const open = async (): Promise<Store> => {
    const store = await place.open(clock);
    opened.push(store);
    const counting = wrappedStore(store, (name, method) => {
      const counted = async (...given: never[]): Promise<unknown> => {
        underWay += 1;
        asked += 1;
        try {
          return await method(...given);
        } finally {
          underWay -= 1;
        }
      };
      return name.endsWith('watch') ? method : counted;
    });
    // A late answer takes virtual time, unlike the work of the store.
    return place.answersLate === true ? lateStore(counting, clock) : counting;
  };
  const pass = async (seconds: number, isEnough: () => Promise<boolean>): Promise<boolean> => {
    for (let step = 0; step < seconds * 2; step += 1) {
      if (await isEnough()) return true;
      await moved.advance(500);
    }
    return false;
  };
  const processOn = (store: Store, isDead: () => boolean): Process => ({
    ...{ store, clock, outside },
    async startClerk(config, flow) {
      const tell = (what: string): void => void (isDead() || failures.push(what));
      const textSenderOf = createTextSender({ store, clock, channels: config.channels ?? {} });
      // A notified person must have something to decide, as far as this is known when sending begins.
      const sendNotice: SendMessage = async (message) => {
        const wait = message.data['key'];
        const isDecided = typeof wait === 'string' && (await store.inbox.isConsumed(`decided/${wait}`));
        const send = neededNotice({ store, clock }, async () => {
          if (isDecided) outside.needless.add(wait);
          return null;
        });
        return await send(message);
      };
      const messenger = createMessenger({
        ...{ store, clock },
        senderOf: (message) => (message.channel === 'notify' ? sendNotice : textSenderOf(message)),
        onFailed: ({ reason }) => tell(`message: ${reason}`),
        onError: (error) => tell(`messenger: ${String(error)}`),
      });
      const clerk = createConfiguredClerk({
        ...{ config: { timeZone: 'UTC', ...config }, flowOf: () => Promise.resolve(flow), store, clock, ids },
        openModel: () => Promise.resolve(new OfflineBrain({ clock, timeZone: 'UTC' })),
        placeCall: ({ sessionId }) => Promise.resolve(void outside.called.add(sessionId)),
        onFailed: ({ reason }) => tell(`clerk: ${reason}`),
        onError: (error) => tell(`clerk: ${String(error)}`),
      });
      messenger.start();
      await clerk.start();
      stopAll.push(
        () => clerk.stop(),
        () => messenger.stop(),
      );
    },
    until: async (condition) => {
      for (let look = 0; look < 120; look += 1) {
        if (await condition()) return true;
        await new Promise<void>((resolve) => void clock.schedule(500, resolve));
      }
      return false;
    },
  });

  try {
    const first = await open();
    const looking = await place.open(clock);
    opened.push(looking);
    const isDone = (): Promise<boolean> => scene.isDone(looking, outside);
    // The clock does not move yet.
    await scene.prepare?.(processOn(looking, () => false));
    let isDead = false;
    const dying = mortal(first, point, () => (isDead = true));
    const errors: unknown[] = [];
    const act = (process: Process): void =>
      void scene.act(process).catch((error: unknown) => void (isDead || errors.push(error)));
    act(processOn(dying.store, () => isDead));
    let isOver = await pass(patienceS, async () => isDead || (await isDone()));
    if (isDead) {
      // The dead process's timers never fire.
      moved = createVirtualClock(moved.now() + gapMs, settle);
      stopAll = [];
      const second = processOn(await open(), () => false);
      isDead = false;
      act(second);
      isOver = await pass(patienceS, isDone);
    }
    await pass(afterwardsS, () => Promise.resolve(false));
    // It may have died while it held claims on the remaining entries.
    await pass(claimedS, async () => (await looking.inbox.list({ state: 'open', limit: 1 })).length === 0);
    if (errors.length > 0) throw errors[0];
    const stopping = Promise.all(stopAll.map(async (stop) => await stop()));
    let hasStopped = false;
    void stopping.then(() => (hasStopped = true));
    await pass(60, () => Promise.resolve(hasStopped));
    const { writes } = dying.steps();
    // A retried attempt has failed once, so only its end is compared.
    return { end: await endOf(scene, looking, outside, clock.now(), isOver), writes, failures };
  } finally {
    for (const store of opened) await store.close();
  }
}

/** Returns the state that must be equal with and without a crash. */
async function endOf(scene: PeopleScene, store: Store, outside: Outside, now: number, isOver: boolean): Promise<Json> {
  const sessions = await store.sessions.list({ limit: 100 });
  const unlike: string[] = [];
  for (const { sessionId } of sessions) {
    if (isCampaignSession(sessionId) || isScheduleSession(sessionId) || sessionId === 'schedules') continue;
    const options = scene.catalog === undefined ? {} : { catalog: scene.catalog };
    if (!(await replaySession(store, sessionId, options)).isKept) unlike.push(`${sessionId} is not what its log says`);
  }
  const entries = await store.inbox.list({ limit: 100 });
  const messages = await store.effects.listOpen({ kind: 'message', limit: 100 });
  const audit = await store.audit.list({ limit: 100 });
  const end = {
    isOver,
    unlike,
    outcome: await scene.outcome(store),
    // A round's start time is part of its recipients' names.
    sessions: sessions.map(({ sessionId }) => sessionId.replace(/\/\d{13}$/, '')).toSorted(),
    owned: sessions.filter(({ lease }) => lease !== null && lease.expiresAt > now).map(({ sessionId }) => sessionId),
    left: entries.map(({ entry, state, reason }) => [entry.key, state, reason] as const),
    unsent: messages.map(({ effect }) => effect.key),
    allowed: allowedIn(audit),
    paid: outside.paid.size,
    needless: [...outside.needless],
    called: [...outside.called].toSorted(),
    texts: [...outside.texts].map(([to, texts]) => [to, ...texts.values()].join(': ')).toSorted(),
  };
  return JSON.parse(JSON.stringify(end)) as Json;
}

/** Drops a repeated call: a recipient who was being called when the process died is called again. */
function allowedIn(audit: readonly AuditRecord[]): readonly string[] {
  const allowed = audit.filter(({ outcome }) => outcome === 'allowed').map(({ action }) => action);
  return allowed.filter((action, index) => action !== 'call:placed' || allowed.indexOf(action) === index);
}

/** Plays a scene that dies at a point. Returns null if the end is equal, else the difference. */
export async function crashPeople(
  scene: PeopleScene,
  place: Place,
  point: CrashPoint,
  expected: Json,
  afterwardsS: number,
): Promise<string | null> {
  try {
    const { end } = await playPeople(scene, place, point, afterwardsS);
    if (sameValue(end, expected)) return null;
    return `${scene.name}, ${nameOfPoint(point)}: ended as ${JSON.stringify(end)}, not as ${JSON.stringify(expected)}`;
  } catch (error) {
    return `${scene.name}, ${nameOfPoint(point)}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
  }
}
