import { dispose } from '@livekit/rtc-node';
import { AgentDispatchClient, RoomServiceClient } from 'livekit-server-sdk';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { afterAll, beforeAll, describe, expect, test, type TestContext } from 'vitest';
import { speakSentence } from '../../src/session/offline-speech/flite.ts';
import { toSpeakable } from '../../src/session/offline-speech/speakable.ts';
import { hasWeights } from '../../src/session/offline-speech/weights.ts';
import { type Caller, joinRoom } from './caller.ts';
import { goThrough } from './intake.ts';
import { type Leashed, startLeashed } from './leashed.ts';
import { findLivekitServer, type LivekitServer, noServer, startLivekitServer } from './livekit-server.ts';

const root = join(import.meta.dirname, '../..');
const cache = join(root, '.cache');
const hasEars = hasWeights(join(cache, 'speech/moonshine-tiny-en-0.0.73'));
const program = findLivekitServer();
let server: LivekitServer;
let worker: Leashed;

beforeAll(async () => {
  if (program === null) return;
  server = await startLivekitServer(program);
  const config = join(import.meta.dirname, 'agent.config.ts');
  worker = startLeashed(execPath, [join(root, 'dist/cli/main.js'), 'worker', '--config', config], {
    ...server.variables,
    ROOMFLOW_CACHE: cache,
    ...(hasEars ? { TEST_EARS: 'offline' } : {}),
  });
  await worker.hasSaid(/registered worker/);
}, 120_000);

afterAll(async () => {
  if (program === null) return;
  await worker.stop();
  await server.stop();
  await dispose();
}, 30_000);

describe.concurrent('roomflow worker in a room', () => {
  test('a whole intake is typed, and the agent answers by voice and lets go', async ({ skip, onTestFinished }) => {
    skip(program === null, noServer);
    const caller = await call(onTestFinished, 'typed');
    await goThrough(caller, (words) => caller.type(words), /goodbye/i, 100_000);
    expect(caller.heard()).toMatch(/You are booked for Tuesday.*Goodbye/);
    expect(caller.sound().loudSeconds).toBeGreaterThan(15);
    await caller.until(() => !caller.isAgentThere(), 'the agent to leave');
  }, 120_000);

  test('a caller speaks, is understood, and hears a name read back', async ({ skip, onTestFinished }) => {
    skip(program === null, noServer);
    skip(!hasEars, 'no weights of offline speech recognition (node .ci/setup.mjs build speech)');
    const caller = await call(onTestFinished, 'spoken');
    await goThrough(
      caller,
      async (words) => caller.speak(await speakSentence(toSpeakable(words), 'rms')),
      /date of birth/i,
      60_000,
    );
    expect(caller.heard()).toMatch(/Robert Miller, is that right.*date of birth/);
  }, 80_000);

  test('a second participant is not listened to; a caller who comes back is where the call was', async ({
    skip,
    onTestFinished,
  }) => {
    skip(program === null, noServer);
    const caller = await call(onTestFinished, 'rejoin');
    await caller.until(() => /shall we start/i.test(caller.heard()), 'the greeting');
    const other = await joinRoom(server, 'rejoin', 'other');
    await other.type('Goodbye, end the call.');
    await caller.type('Yes, please.');
    await caller.until(() => /full name\?/i.test(caller.heard()), 'the first question');
    await other.leave();
    await caller.leave();

    const back = await joinRoom(server, 'rejoin');
    onTestFinished(() => back.leave());
    await back.until(() => /full name\?/i.test(back.heard()), 'the question once more');
    expect(back.agentAttributes()['flow.node']).toBe('details');
  });
});

test('a room that is deleted ends the call and leaves a worker for the next one', async ({ skip, onTestFinished }) => {
  skip(program === null, noServer);
  const caller = await call(onTestFinished, 'deleted');
  await caller.until(() => caller.isAgentThere(), 'the agent');
  await new RoomServiceClient(server.url.replace(/^ws/, 'http'), server.apiKey, server.apiSecret).deleteRoom('deleted');
  const next = await call(onTestFinished, 'next', { flow: 'restaurant-booking' });
  await next.until(() => next.heard() !== '', 'the greeting of another flow');
  expect(next.heard()).not.toMatch(/clinic/i);
});

async function call(
  onTestFinished: TestContext['onTestFinished'],
  room: string,
  metadata: object = {},
): Promise<Caller> {
  const caller = await joinRoom(server, room);
  onTestFinished(() => caller.leave());
  const dispatch = new AgentDispatchClient(server.url.replace(/^ws/, 'http'), server.apiKey, server.apiSecret);
  await dispatch.createDispatch(room, 'clinic', { metadata: JSON.stringify(metadata) });
  return caller;
}
