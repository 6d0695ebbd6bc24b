import { dispose } from '@livekit/rtc-node';
import { AgentDispatchClient, type RoomConfiguration, RoomServiceClient } from 'livekit-server-sdk';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { afterAll, beforeAll, beforeEach, expect, type TestContext } from 'vitest';
import { hasWeights } from '../../src/offline/ears/weights.ts';
import { type Caller, joinRoom } from './caller.ts';
import { type Leashed, startLeashed } from './leashed.ts';
import { findLivekitServer, type LivekitServer, noServer, startLivekitServer } from './livekit-server.ts';

const root = join(import.meta.dirname, '../..');
/** The folder of the recogniser's weights, for a worker. */
const cache = join(root, '.cache');

/** Whether spoken calls are understood here; without weights they are skipped. */
export const hasEars = hasWeights(join(cache, 'speech/moonshine-tiny-en-0.0.73'));
export const noEars = 'no weights of offline speech recognition (node .ci/setup.mjs build speech)';

/** Time limit for the greeting of a call. A busy machine needs time to start the process of a call. */
export const greetingMs = 90_000;

/** A server for the tests of one file. */
export interface Venue {
  readonly server: LivekitServer;
  /** A folder for files of the tests and the worker, deleted with the server. */
  readonly folder: string;
  readonly rooms: RoomServiceClient;
  /** Whether a room exists, empty or not. */
  hasRoom(name: string): Promise<boolean>;
  /** Joins a room; leaves it at the end of the test. */
  join(context: TestContext, room: string, identity?: string, roomConfig?: RoomConfiguration): Promise<Caller>;
  /** Dispatches a named agent to a room. Metadata that is a text is sent unchanged. */
  dispatchTo(agentName: string, room: string, metadata: object | string): Promise<void>;
}

/** A server and a worker for the tests of one file. */
export interface Stage extends Venue {
  readonly worker: Leashed;
  /** Dispatches the worker's agent to a room. The session has the room's name. */
  dispatch(room: string, metadata?: object): Promise<void>;
  /** Joins a new room and dispatches the worker's agent to it. */
  call(context: TestContext, room: string, metadata?: object): Promise<Caller>;
}

/** Starts a server before the tests of a file and stops it after them. Skips the tests if there is no server. */
export function openVenue(): Venue {
  const program = findLivekitServer();
  let server: LivekitServer;
  let folder: string;
  beforeAll(async () => {
    if (program === null) return;
    folder = mkdtempSync(join(tmpdir(), 'roomflow-rooms-'));
    server = await startLivekitServer(program);
  }, 60_000);
  beforeEach((context) => context.skip(program === null, noServer));
  afterAll(async () => {
    if (program === null) return;
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
    await dispose();
  }, 60_000);
  const access = (): [string, string, string] => [server.url.replace(/^ws/, 'http'), server.apiKey, server.apiSecret];
  const rooms = (): RoomServiceClient => new RoomServiceClient(...access());
  return {
    get server() {
      return server;
    },
    get folder() {
      return folder;
    },
    get rooms() {
      return rooms();
    },
    hasRoom: async (name) => (await rooms().listRooms([name])).length > 0,
    async join(context, room, identity = 'caller', roomConfig) {
      const caller = await joinRoom(server, room, identity, roomConfig);
      context.onTestFinished(() => caller.leave());
      return caller;
    },
    async dispatchTo(agentName, room, metadata) {
      const text = typeof metadata === 'string' ? metadata : JSON.stringify(metadata);
      await new AgentDispatchClient(...access()).createDispatch(room, agentName, { metadata: text });
    },
  };
}

/** Starts a server and a worker before the tests of a file, and stops both after them. */
export function openStage(agentName: string, start: (venue: Venue) => Leashed | Promise<Leashed>): Stage {
  const venue = openVenue();
  let worker: Leashed | undefined;
  beforeAll(async () => {
    if (findLivekitServer() === null) return;
    worker = await start(venue);
    await worker.hasSaid(/registered worker/);
  }, 120_000);
  afterAll(async () => {
    await worker?.stop(30_000);
    expect(worker?.output() ?? '').not.toContain('left behind');
  }, 60_000);
  const dispatch = (room: string, metadata: object = {}): Promise<void> =>
    venue.dispatchTo(agentName, room, { sessionId: room, ...metadata });
  const stage: Stage = {
    get server() {
      return venue.server;
    },
    get folder() {
      return venue.folder;
    },
    get rooms() {
      return venue.rooms;
    },
    get worker() {
      if (worker === undefined) throw new Error('The worker has not been started.');
      return worker;
    },
    hasRoom: venue.hasRoom,
    join: venue.join,
    dispatchTo: venue.dispatchTo,
    dispatch,
    async call(context, room, metadata) {
      const told = (): readonly string[] => stage.worker.output().match(new RegExp(`^.*"${room}".*$`, 'gm')) ?? [];
      context.onTestFailed(() => console.log(told().join('\n')));
      const caller = await venue.join(context, room);
      await dispatch(room, metadata);
      return caller;
    },
  };
  return stage;
}

/** Starts `roomflow worker`, or another built command, with a configuration of this folder. */
export function roomflowWorker(
  config: string,
  variables: (venue: Venue) => NodeJS.ProcessEnv = () => ({}),
  command = 'worker',
): (venue: Venue) => Leashed {
  return (venue) =>
    startLeashed(execPath, [join(root, 'dist/cli/main.js'), command, '--config', join(import.meta.dirname, config)], {
      ...venue.server.variables,
      ROOMFLOW_CACHE: cache,
      ...variables(venue),
    });
}
