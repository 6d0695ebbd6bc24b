import { dispose } from '@livekit/rtc-node';
import { AgentDispatchClient } from 'livekit-server-sdk';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type Caller, joinRoom } from './caller.ts';
import { type Leashed, startLeashed } from './leashed.ts';
import { findLivekitServer, freePort, type LivekitServer, noServer, startLivekitServer } from './livekit-server.ts';

const program = findLivekitServer();
let server: LivekitServer;
let worker: Leashed;

beforeAll(async () => {
  if (program === null) return;
  server = await startLivekitServer(program);
  const agent = join(import.meta.dirname, 'bare-agent.ts');
  worker = startLeashed(execPath, ['--import', 'tsx', agent], {
    ...server.variables,
    WORKER_PORT: String(await freePort()),
  });
  await worker.hasSaid(/registered worker/);
}, 120_000);

afterAll(async () => {
  if (program === null) return;
  await worker.kill();
  await server.stop();
  await dispose();
}, 30_000);

test('an agent is dispatched to a room, greets by voice, and answers what is typed', async ({ skip }) => {
  skip(program === null, noServer);
  const caller = await call('text');
  await caller.until(() => caller.heard().includes('Hello, this is the agent.'), 'the greeting');
  expect(caller.sound().loudSeconds).toBeGreaterThan(0.8);
  expect(caller.agentAttributes()['lk.agent.state']).toMatch(/listening|speaking/);

  await caller.type('good morning');
  await caller.until(() => caller.heard().includes('You said good morning.'), 'the answer');
});

test('a server that restarts in mid-call finds caller and agent again', async ({ skip }) => {
  skip(program === null, noServer);
  const caller = await call('restart');
  await caller.until(() => caller.heard().includes('Hello'), 'the greeting');
  await server.restart();
  await caller.until(() => caller.reconnects() > 0 && caller.isAgentThere(), 'caller and agent to be back', 40_000);
  // The caller sees an agent who is still on the way back, and what is typed until then is lost: a person says it again.
  const typing = setInterval(() => void caller.type('still there').catch(() => undefined), 3_000);
  onTestFinished(() => clearInterval(typing));
  await caller.until(() => caller.heard().includes('You said still there.'), 'the answer', 40_000);
});

async function call(room: string): Promise<Caller> {
  const caller = await joinRoom(server, room);
  onTestFinished(() => caller.leave());
  const dispatch = new AgentDispatchClient(server.url.replace(/^ws/, 'http'), server.apiKey, server.apiSecret);
  await dispatch.createDispatch(room, 'bare');
  return caller;
}
