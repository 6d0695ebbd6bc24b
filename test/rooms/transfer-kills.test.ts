import { Room } from '@livekit/rtc-node';
import { AccessToken } from 'livekit-server-sdk';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMortalStore } from '../../src/flowtest/play/mortal-store.ts';
import { createProcessClock } from '../../src/flowtest/play/process-clock.ts';
import { createTextSession } from '../../src/livekit/agent/text-session.ts';
import type { Store } from '../../src/model/ports/store.ts';
import { createRunner, type FlowRunner } from '../../src/runner/flow-runner.ts';
import { createMemoryStore } from '../../src/store/memory/store.ts';
import { systemClock } from '../../src/system.ts';
import { ScriptedModel } from '../../src/testing/scripted-model.ts';
import { openServerRooms } from '../../src/worker/server-rooms.ts';
import { createRoomTransfers } from '../../src/worker/transfers/room-transfers.ts';
import { serveTransfers } from '../../src/worker/transfers/serve-transfers.ts';
import { openTransferLine, type TransferLine } from '../../src/worker/transfers/transfer-line.ts';
import { type Caller, joinRoom } from './caller.ts';
import { findLivekitServer } from './livekit-server.ts';
import { openVenue } from './stage.ts';
import { openTelephoneNetwork, type TelephoneNetwork } from './telephone-network.ts';

const venue = openVenue();
let network: TelephoneNetwork;
beforeAll(async () => {
  if (findLivekitServer() !== null) network = await openTelephoneNetwork(venue.server);
}, 60_000);
afterAll(() => network?.close());

/**
 * A request to the server at which a process dies: before it is sent, once the server has it, or once it is answered.
 * A process whose request is lost lives on. Deaths at writes to the store are played in virtual time, by a flow test.
 */
interface Point {
  readonly nth: number;
  readonly when: 'unsent' | 'sent' | 'answered' | 'lost';
}

/** The processes of a call so far, and the requests of the first one, by name. */
interface Counts {
  processes: number;
  readonly requests: string[];
}

/** A process that has the call. */
interface Process {
  readonly runner: FlowRunner;
  readonly death: Promise<'died'>;
  leave(): Promise<void>;
}

const flow = {
  name: 'pharmacy',
  initialNode: 'pharmacist',
  nodes: {
    pharmacist: {
      transfer: { to: '+49 30 200', mode: 'warm', say: 'One moment.', brief: 'Order seven.', hold: 'silence' },
      defaultTransition: 'sorry',
    },
    sorry: { say: 'I am sorry.', end: 'sorry' },
  },
} as const;
/** A quarter of a second. */
const tone = Int16Array.from({ length: 4_000 }, (_, at) => Math.round(8_000 * Math.sin(at / 8)));
const never = new Promise<never>(() => undefined);
const ignore = (): void => undefined;

/**
 * Requests of a process that dies at a point. After its death, nothing is sent and nothing is answered. A request that
 * repeats an earlier one is not a step of its own.
 */
function mortalRequests(room: string, point: Point | null, counts: Counts, onDeath: () => void) {
  let isDead = false;
  const isFirst = counts.processes === 1;
  const die = (): void => {
    isDead = true;
    onDeath();
  };
  return async <Result>(step: string, request: () => Promise<Result>): Promise<Result> => {
    if (isDead) return await never;
    const isNew = isFirst && !counts.requests.includes(step);
    if (isNew) counts.requests.push(step);
    const when = isNew && point?.nth === counts.requests.length ? point.when : null;
    if (when === 'unsent') die();
    if (isDead) return await never;
    if (when === 'lost') throw new Error('The server did not answer.');
    const answer = request();
    if (when === 'sent') {
      await Promise.race([answer, network.firstCalled(room)]);
      die();
    }
    const result = await answer;
    if (when === 'answered') die();
    return isDead ? await never : result;
  };
}

/** Opens a process that has the call, with its own connection to the room, until it dies. */
async function openProcess(room: string, stored: Store, point: Point | null, counts: Counts): Promise<Process> {
  const clock = createProcessClock(systemClock);
  const own = new Room();
  const { url, apiKey, apiSecret } = venue.server;
  const token = new AccessToken(apiKey, apiSecret, { identity: `agent-${(counts.processes += 1)}` });
  token.addGrant({ room, roomJoin: true, canPublish: true, canSubscribe: true, canPublishData: true });
  await own.connect(url, await token.toJwt(), { autoSubscribe: true, dynacast: false });
  const mortal = createMortalStore(stored, null, ignore);
  let asked!: ReturnType<typeof mortalRequests>;
  const death = new Promise<'died'>((resolve) => {
    asked = mortalRequests(room, point, counts, () => {
      clock.kill();
      mortal.kill();
      void own.disconnect();
      resolve('died');
    });
  });
  const access = { url: network.url, apiKey, apiSecret };
  const line = openTransferLine(access, room);
  const mortalLine: TransferLine = {
    refer: (...given) => asked('refer', () => line.refer(...given)),
    dial: (...given) => asked('dial', () => line.dial(...given)),
    hangUp: (...given) => asked('hangUp', () => line.hangUp(...given)),
    hear: (...given) => asked(`hear ${JSON.stringify(given)}`, () => line.hear(...given)),
    mark: (...given) => asked('mark', () => line.mark(...given)),
  };
  const session = createTextSession(new ScriptedModel(() => ({ text: 'Well.' })));
  const transfers = createRoomTransfers({
    ...{ room: own, roomName: room, session, clock, line: mortalLine, rooms: openServerRooms(access) },
    ...{ trunk: 'ST_test', from: undefined, caller: () => 'caller', summarise: async () => '' },
    ...{ onError: ignore, onTrouble: ignore },
  });
  const runner = createRunner({
    ...{ session, flow, clock, transfers, store: mortal.store, sessionId: room, owner: 'kills', onEnd: 'keep' },
  });
  const started = await Promise.race([death, runner.start()]);
  if (started !== 'died') serveTransfers({ room: own, runner, store: mortal.store, clock, transfers, onError: ignore });
  return { runner, death, leave: () => own.disconnect() };
}

/** Resolves once the caller is put through, as stored. */
function putThrough({ runner }: Process): Promise<void> {
  return new Promise((resolve) => {
    if (runner.state.people.takeover !== null) resolve();
    runner.on('takeover:started', () => resolve());
  });
}

/** Resolves once a caller does not hear a person who speaks. */
async function apart(caller: Caller, person: Caller): Promise<void> {
  for (let heard = Infinity; heard > 0.05;) {
    const before = caller.others().loudSeconds;
    await person.speak(tone);
    heard = caller.others().loudSeconds - before;
  }
}

/** Resolves once each of two hears the other. */
async function talk(one: Caller, other: Caller): Promise<void> {
  const before = [one.others().loudSeconds, other.others().loudSeconds] as const;
  const isHeard = (): boolean =>
    one.others().loudSeconds > before[0] + 0.1 && other.others().loudSeconds > before[1] + 0.1;
  while (!isHeard()) await Promise.all([one.speak(tone), other.speak(tone)]);
}

/** Plays a warm transfer whose first process dies at a point. Returns the requests of that process. */
async function play(room: string, point: Point | null): Promise<readonly string[]> {
  const counts: Counts = { processes: 0, requests: [] };
  const store = createMemoryStore({ clock: systemClock });
  const caller = await joinRoom(venue.server, room);
  let process = await openProcess(room, store, point, counts);
  /** Waits for something, on the next process if one dies. */
  const through = async <Result>(wait: (process: Process) => Promise<Result>): Promise<Result> => {
    for (;;) {
      const result = await Promise.race([process.death, wait(process)]);
      if (result !== 'died') return result;
      process = await openProcess(room, store, null, counts);
    }
  };
  const called = network.firstCalled(room);
  // The telephone is in the room before another process looks for it.
  if ((await Promise.race([called, process.death])) === 'died') await through(() => called);
  const person = await network.ring(await called);
  await through(() => apart(caller, person));
  await venue.rooms.updateParticipant(room, person.identity, { attributes: { 'sip.callStatus': 'active' } });
  network.connect(await called);
  await through(putThrough);
  await through(() => talk(caller, person));
  await person.leave();
  await person.leave();
  expect(await through(({ runner }) => runner.ended), JSON.stringify(point)).toBe('transferred');
  expect(network.called.filter((one) => one.room === room).length, JSON.stringify(point)).toBe(1);
  await Promise.all([process.leave(), caller.leave()]);
  return counts.requests;
}

/** The person is dialed first. */
const dialPoints: readonly Point[] = [
  { nth: 1, when: 'sent' },
  { nth: 1, when: 'answered' },
];
/** How many calls are played at a time. */
const atOnce = 3;

test('whenever the process dies in a warm transfer, or its last request is lost, the caller is put through once, and to one person', async () => {
  // Hanging up comes after the end.
  const requests = (await play('kill-none', null)).filter((name) => name !== 'hangUp');
  expect(requests.slice(0, 2)).toEqual(['dial', expect.stringMatching(/^hear /)]);
  const unsent = requests.map((_name, index): Point => ({ nth: index + 1, when: 'unsent' }));
  const last = (['answered', 'lost'] as const).map((when): Point => ({ nth: requests.length, when }));
  const points = [...unsent, ...last, ...dialPoints].entries();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const [at, point] of points) await play(`kill-${at}`, point);
    }),
  );
}, 180_000);
