// Plays conversations and prints how many more objects are alive per turn: `{ bare, flow }`. Started by memory.test.ts, in a
// process of its own: a count walks all objects, and a process of tests has ten times as many. Needs `--expose-gc`.
import { llm, voice } from '@livekit/agents';
import process from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';
import v8 from 'node:v8';
import { createTextSession } from '../../dist/livekit/agent/text-session.js';
import { FlowRunner } from '../../dist/runner/flow-runner.js';
import { ScriptedModel } from '../../dist/testing/scripted-model.js';

/**
 * Counts the objects that are alive after garbage collection. For one conversation the count is the same in every run,
 * unlike the heap size, which compiled code dominates. LiveKit's timers keep a turn for two seconds, and one stream
 * keeps the next until it is released. The function waits for all of that first.
 */
async function livingObjects() {
  let fewest = Infinity;
  for (let quietMs = 0; quietMs < 3_000; quietMs += 200) {
    await wait(200);
    const timers = process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
    if (timers < fewest) quietMs = 0;
    fewest = Math.min(fewest, timers);
  }
  for (let collections = 0; collections < 5; collections += 1) {
    globalThis.gc();
    await wait(0);
  }
  return v8.queryObjects(Object, { format: 'count' });
}

async function play(turn, turns) {
  for (let count = 0; count < turns; count += 1) await turn();
}

function sessionOf() {
  const model = new ScriptedModel(({ userText }) => {
    // The model's record of its requests belongs to the test, not to the flow.
    model.requests.length = 0;
    return userText === '' ? { text: 'Next.' } : { calls: [{ name: 'on' }] };
  });
  return createTextSession(model);
}

const node = (content, next) => ({
  taskMessages: [{ role: 'system', content }],
  contextStrategy: 'reset',
  functions: [{ name: 'on', transitionTo: next }],
});

const bareSession = sessionOf();
const tool = llm.tool({ name: 'on', description: 'Go on.', execute: async () => 'ok' });
await bareSession.start({ agent: voice.Agent.create({ instructions: 'A.', tools: [tool] }) });
const bareTurn = () => bareSession.generateReply({ userInput: 'next' }).waitForPlayout();

const runner = new FlowRunner({
  session: sessionOf(),
  flow: { initialNode: 'a', nodes: { a: node('A.', 'b'), b: node('B.', 'a') } },
});
await runner.start();
const flowTurn = () => runner.send('next');
await play(bareTurn, 10);
// The hub keeps at most a thousand events; the warm-up fills it.
await play(flowTurn, 150);
// A count takes seconds: the second ends the one series and begins the other.
const before = await livingObjects();
await play(bareTurn, 50);
const between = await livingObjects();
await play(flowTurn, 100);
const after = await livingObjects();
const [bare, flow] = [(between - before) / 50, (after - between) / 100];
process.stdout.write(JSON.stringify({ bare, flow, status: runner.state.status }), () => process.exit());
