import * as v8 from 'node:v8';
import { llm, voice } from '@livekit/agents';
import { expect, it, onTestFinished } from 'vitest';
import { FlowRunner } from '../../src/runner/flow-runner.ts';
import { createTextSession } from '../../src/session/text-session.ts';
import { ScriptedModel } from '../../src/testing/scripted-model.ts';

/**
 * How many objects are alive when nothing more can be thrown away: of one conversation the same in every run, unlike the
 * size of the heap, in which compiled code outweighs a leak. One stream keeps the next one alive until it is gone
 * itself, so a single collection does not do.
 */
async function livingObjects(): Promise<number> {
  let fewest = Infinity;
  for (let unchanged = 0; unchanged < 5; unchanged += 1) {
    const count = v8.queryObjects(Object, { format: 'count' });
    if (count < fewest) unchanged = 0;
    fewest = Math.min(fewest, count);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return fewest;
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

it('400 turns of a flow that resets its context keep no more than LiveKit itself', { timeout: 300_000 }, async () => {
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
  const flowGrowth = await growth(() => runner.send('next'), 150, 250);

  // Seven: the call's output, which the model may be shown again, and a second waking of LiveKit's main loop, in whose
  // queue each turn of a bare session leaves as much. The texts of the log, which a replay needs, are no objects.
  expect(flowGrowth - bareGrowth).toBeLessThan(8);
});
