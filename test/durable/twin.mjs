// A process that receives turns. Each line of its input is a turn as JSON, `[STORE-ADDRESS, LEDGER-FILE, HOURS]`. Waits
// for the session while another process owns it, and prints the result of the turn. Each run of the tool is a line of the
// ledger. Plain JavaScript on the built package, because compiling would dominate.
import { initializeLogger, voice } from '@livekit/agents';
import { appendFileSync } from 'node:fs';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { FlowError, systemClock } from 'roomflow';
import { FlowRunner, flowTool } from 'roomflow/livekit';
import { ScriptedModel } from 'roomflow/testing';
import { z } from 'zod';

initializeLogger({ pretty: false, level: 'silent' });
const model = new ScriptedModel(({ userText }) =>
  userText === 'book it' ? { calls: [{ name: 'book' }] } : { text: 'Gladly.' },
);
const bookInto = (ledger) =>
  flowTool({
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

for await (const line of createInterface({ input: process.stdin })) console.log(await take(...JSON.parse(line)));
// LiveKit's timers would keep the process for three seconds.
process.exit();

async function take(store, ledger, hours) {
  const clock = { ...systemClock, now: () => systemClock.now() + hours * 3_600_000 };
  for (;;) {
    const runner = new FlowRunner({
      session: new voice.AgentSession({ llm: model, vad: null, turnHandling: { turnDetection: null } }),
      flow,
      tools: [bookInto(ledger)],
      store,
      sessionId: 's',
      settings: { clock },
    });
    try {
      await runner.start();
      const outcome = await runner.send('book it', { eventId: 'e1' });
      await runner.leave();
      return outcome;
    } catch (error) {
      if (!(error instanceof FlowError) || error.code !== 'session-taken') throw error;
      await pause(50);
    }
  }
}
