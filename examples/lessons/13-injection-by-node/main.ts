import { fileURLToPath } from 'node:url';
import { createFlowRun } from 'roomflow/livekit';

// Repeats the last message, so that the lesson needs no key.
const model = {
  label: 'echo',
  async *generate({ messages }: { readonly messages: readonly { readonly content: string }[] }) {
    yield { type: 'text' as const, delta: `I was told: ${messages.at(-1)?.content}` };
    yield { type: 'end' as const, finish: 'stop' as const };
  },
};

const flow = createFlowRun(fileURLToPath(new URL('flow.yaml', import.meta.url)), { model });
let started = 0;
flow.subscribe('agent:start', () => {
  started += 1;
  // Both run now. The message is for one of them, found by its node.
  if (started === 2) flow.sendTo('long', 'Mention the opening hours.');
});

const { outputs } = await flow.run();
console.log(JSON.stringify(outputs, null, 2));
const late = flow.sendTo('long', 'One thing more.');
console.log(late.ok ? late.runId : late.code);
