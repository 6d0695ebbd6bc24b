import { join } from 'node:path';
import { execPath } from 'node:process';
import { expect, test } from 'vitest';
import { startLeashed } from './leashed.ts';
import { freePort } from './livekit-server.ts';
import { openStage } from './stage.ts';

const stage = openStage('bare', async ({ server }) =>
  startLeashed(execPath, ['--import', 'tsx', join(import.meta.dirname, 'bare-agent.ts')], {
    ...server.variables,
    WORKER_PORT: String(await freePort()),
  }),
);

test('an agent is dispatched to a room, greets by voice, and answers what is typed', async (context) => {
  const caller = await stage.call(context, 'text');
  await caller.until(() => caller.heard().includes('Hello, this is the agent.'), 'the greeting');
  expect(caller.sound().loudSeconds).toBeGreaterThan(0.8);
  expect(caller.agentAttributes()['lk.agent.state']).toMatch(/listening|speaking/);

  await caller.type('good morning');
  await caller.until(() => caller.heard().includes('You said good morning.'), 'the answer');
});

test('a server that restarts in mid-call finds caller and agent again', async (context) => {
  const caller = await stage.call(context, 'restart');
  await caller.until(() => caller.heard().includes('Hello'), 'the greeting');
  await stage.server.restart();
  await caller.until(() => caller.reconnects() > 0 && caller.isAgentThere(), 'caller and agent to be back', 40_000);
  // The caller sees an agent who is still on the way back, and what is typed until then is lost: a person says it again.
  const typing = setInterval(() => void caller.type('still there').catch(() => undefined), 3_000);
  context.onTestFinished(() => clearInterval(typing));
  await caller.until(() => caller.heard().includes('You said still there.'), 'the answer', 40_000);
});
