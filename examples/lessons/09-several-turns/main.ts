import { fileURLToPath } from 'node:url';
import { createFlowRun } from 'roomflow/livekit';

// Answers each message with another line, so that the lesson needs no key.
const lines = ['Bicycles, sold and repaired.', 'Bicycles and repairs.', 'We never tire of tyres.'];
const model = {
  label: 'lines',
  async *generate() {
    yield { type: 'text' as const, delta: lines.shift() ?? '' };
    yield { type: 'end' as const, finish: 'stop' as const };
  },
};

const flow = createFlowRun(fileURLToPath(new URL('flow.yaml', import.meta.url)), { model });
const wishes = ['Shorter.', 'Funnier.'];
flow.subscribe('agent:start', ({ runId = '' }) => {
  for (const wish of wishes) flow.sendToRun(runId, wish);
});
flow.subscribe('agent:text', ({ type, data }) => {
  if (type === 'agent:text') console.log(data.delta);
});

const { outputs } = await flow.run();
console.log(JSON.stringify(outputs));
