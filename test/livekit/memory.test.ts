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
 * Counts the objects that are alive after garbage collection. For one conversation the count is the same in every run,
 * unlike the heap size, which compiled code dominates. LiveKit's timers keep a turn for two seconds, and one stream
 * keeps the next until it is released. The function waits for all of that first, because a count takes V8 a second.
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

/** Returns how many more objects are alive per turn. */
async function growth(turn: () => Promise<unknown>, warmUpTurns: number, turns: number): Promise<number> {
  for (let count = 0; count < warmUpTurns; count += 1) await turn();
  const before = await livingObjects();
  for (let count = 0; count < turns; count += 1) await turn();
  return ((await livingObjects()) - before) / turns;
}

function sessionOf(): voice.AgentSession {
  const model: ScriptedModel = new ScriptedModel(({ userText }) => {
    // The model's record of its requests belongs to the test, not to the flow.
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
  // The hub keeps at most a thousand events; the warm-up fills it.
  const flowGrowth = await growth(() => runner.send('next'), 150, 100);

  // Seven: the call's output, which stays in the model's context, and a second wake-up of LiveKit's main loop, whose
  // queue keeps as much for each turn of a bare session. The texts of the log, which a replay needs, are not objects.
  expect(flowGrowth - bareGrowth).toBeLessThan(8);
});
