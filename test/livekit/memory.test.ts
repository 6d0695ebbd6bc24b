import process from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';
import * as v8 from 'node:v8';
import { runInNewContext } from 'node:vm';
import { llm, voice } from '@livekit/agents';
import { expect, it, onTestFinished } from 'vitest';
import { FlowRunner } from '../../src/runner/flow-runner.ts';
import { createTextSession } from '../../src/livekit/agent/text-session.ts';
import { ScriptedModel } from '../../src/testing/scripted-model.ts';

v8.setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void; // V8's own function.

/**
 * How many objects are alive when nothing more can be thrown away: of one conversation the same in every run, unlike the
 * size of the heap, in which compiled code outweighs a leak. LiveKit's timers keep a turn for two seconds, and one stream
 * keeps the next one until it is gone itself. All of that is waited for, because to count takes V8 a second.
 */
async function livingObjects(): Promise<number> {
  let fewest = Infinity;
  for (let quietMs = 0; quietMs < 3_000; quietMs += 200) {
    await wait(200);
    const timers = process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
    if (timers < fewest) quietMs = 0;
    fewest = Math.min(fewest, timers);
  }
  for (let collections = 0; collections < 5; collections += 1) {
    collectGarbage();
    await wait(0);
  }
  return v8.queryObjects(Object, { format: 'count' });
}

/** How many more objects are alive for each turn. */
async function growth(turn: () => Promise<unknown>, warmUpTurns: number, turns: number): Promise<number> {
  for (let count = 0; count < warmUpTurns; count += 1) await turn();
  const before = await livingObjects();
  for (let count = 0; count < turns; count += 1) await turn();
  return ((await livingObjects()) - before) / turns;
}

function sessionOf(): voice.AgentSession {
  const model: ScriptedModel = new ScriptedModel(({ userText }) => {
    // The model remembers every request; that is the test's, not the flow's.
    model.requests.length = 0;
    return userText === '' ? { text: 'Next.' } : { calls: [{ name: 'on' }] };
  });
  const session = createTextSession(model);
  onTestFinished(() => session.close());
  return session;
}

const node = (content: string, next: string) => ({
  taskMessages: [{ role: 'system' as const, content }],
  contextStrategy: 'reset' as const,
  functions: [{ name: 'on', transitionTo: next }],
});

it('250 turns of a flow that resets its context keep no more than LiveKit itself', { timeout: 600_000 }, async () => {
  const bare = sessionOf();
  const tool = llm.tool({ name: 'on', description: 'Go on.', execute: async () => 'ok' });
  await bare.start({ agent: voice.Agent.create({ instructions: 'A.', tools: [tool] }) });
  const bareGrowth = await growth(() => bare.generateReply({ userInput: 'next' }).waitForPlayout(), 10, 50);

  const session = sessionOf();
  const runner = new FlowRunner({
    session,
    flow: { initialNode: 'a', nodes: { a: node('A.', 'b'), b: node('B.', 'a') } },
  });
  onTestFinished(() => runner.stop());
  await runner.start();
  // The hub holds a thousand events: by then it holds no more.
  const flowGrowth = await growth(() => runner.send('next'), 150, 100);

  // Seven: the call's output, which the model may be shown again, and a second waking of LiveKit's main loop, in whose
  // queue each turn of a bare session leaves as much. The texts of the log, which a replay needs, are no objects.
  expect(flowGrowth - bareGrowth).toBeLessThan(8);
});
