// A process that receives a turn: STORE-ADDRESS LEDGER-FILE HOURS. Waits for the session while another process owns it,
// and prints the result of the turn. Each run of the tool is a line of the ledger. Plain JavaScript on the built
// package, because six of these run in a test and compiling would dominate.
import { initializeLogger, voice } from '@livekit/agents';
import { appendFileSync } from 'node:fs';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { FlowError, systemClock } from 'roomflow';
import { FlowRunner, flowTool } from 'roomflow/livekit';
import { ScriptedModel } from 'roomflow/testing';
import { z } from 'zod';

initializeLogger({ pretty: false, level: 'silent' });
const [store = '', ledger = '', hours = '0'] = process.argv.slice(2);
const clock = { ...systemClock, now: () => systemClock.now() + Number(hours) * 3_600_000 };
const model = new ScriptedModel(({ userText }) =>
  userText === 'book it' ? { calls: [{ name: 'book' }] } : { text: 'Gladly.' },
);
const book = flowTool({
  name: 'book',
  description: 'Book.',
  parameters: z.object({}),
  execute: (_args, { key }) => appendFileSync(ledger, `${key}\n`),
});
const talk = { taskMessages: [{ role: 'system', content: 'Talk.' }], respondImmediately: false };
const flow = {
  initialNode: 'talk',
  nodes: { talk: { ...talk, functions: [{ name: 'book', effect: 'write' }] } },
};

for (;;) {
  const runner = new FlowRunner({
    session: new voice.AgentSession({ llm: model, vad: null, turnHandling: { turnDetection: null } }),
    flow,
    tools: [book],
    store,
    sessionId: 's',
    clock,
  });
  try {
    await runner.start();
    const outcome = await runner.send('book it', { eventId: 'e1' });
    await runner.leave();
    console.log(outcome);
    // LiveKit's timers would keep the process for three seconds.
    process.exit();
  } catch (error) {
    if (!(error instanceof FlowError) || error.code !== 'session-taken') throw error;
    await pause(50);
  }
}
