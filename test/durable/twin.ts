// A process that a turn is delivered to: STORE-ADDRESS LEDGER-FILE HOURS. Waits for the session where another owns it,
// and prints what became of the turn. Each time the tool runs is a line of the ledger.
import { appendFileSync } from 'node:fs';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { FlowError } from '../../src/errors.ts';
import { FlowRunner } from '../../src/runner/flow-runner.ts';
import { flowTool } from '../../src/livekit/tools/flow-tool.ts';
import { systemClock } from '../../src/system.ts';
import { createTextSession } from '../../src/livekit/agent/text-session.ts';
import { ScriptedModel } from '../../src/testing/scripted-model.ts';

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
const talk = { taskMessages: [{ role: 'system' as const, content: 'Talk.' }], respondImmediately: false };
const flow = {
  initialNode: 'talk',
  nodes: { talk: { ...talk, functions: [{ name: 'book', effect: 'write' as const }] } },
};

for (;;) {
  const runner = new FlowRunner({
    session: createTextSession(model),
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
    // Timers of LiveKit's would keep the process for three seconds.
    process.exit();
  } catch (error) {
    if (!(error instanceof FlowError) || error.code !== 'session-taken') throw error;
    await pause(50);
  }
}
