// Every agent node, functions, streaming and several turns: npx tsx examples/live/flow-agent-nodes-live.ts
import { createFlowRunner, flowTool } from 'roomflow/livekit';
import { z } from 'zod';
import { check, model, outcomeOf } from './live.ts';

const findPrice = flowTool({
  name: 'find_price',
  description: 'The price of a repair in euros.',
  parameters: z.object({ repair: z.string() }),
  execute: () => ({ euros: 15 }),
});

const flow = createFlowRunner(
  `
flow: { name: agents }
nodes:
  ask:
    type: agent.run
    input: { input: What does a new tyre cost?, tools: [find_price] }
    config: { max_turns: 2, turn_timeout_ms: 60000 }
    prompt: You answer for a bicycle shop. Look prices up, never guess them.
  plan: { type: agent.plan, input: { input: Mend a flat tyre., max_steps: 4 } }
  class: { type: agent.classify, input: { input: My tyre is flat., labels: [repair, order] } }
  code: { type: agent.coder, input: { input: A function that adds two numbers., language: TypeScript } }
  review: { type: agent.reviewer, input: { input: "{{ code.result.code }}", criteria: [It adds two numbers.] } }
  sum: { type: agent.summarize, input: { input: "{{ ask.result }}", max_words: 12 } }
edges:
  - { from: code, to: review }
  - { from: ask, to: sum }
`,
  undefined,
  { model, tools: [findPrice] },
);

flow.subscribe('agent:start', ({ nodeId, runId = '' }) => {
  if (nodeId === 'ask') flow.sendToRun(runId, 'And what do two of them cost?');
});
const { events, outputs, status } = await outcomeOf(flow);

check(`the flow is ${status}`, status === 'complete');
const ids = ['ask', 'class', 'code', 'plan', 'review', 'sum'];
check('every agent gives a result', Object.keys(outputs).toSorted().join() === ids.join());
const told = (nodeId: string) => events.filter((event) => event.nodeId === nodeId && event.type.startsWith('agent:'));
for (const id of ids) {
  const texts = told(id).flatMap((event) => (event.type === 'agent:text' ? event.data.delta : []));
  const whole = told(id).flatMap((event) => (event.type === 'agent:complete' ? event.data.text : []));
  check(`${id}: the pieces that it streams make up the whole`, texts.length > 0 && whole.join() === texts.join(''));
}
const tools = told('ask').flatMap((event) => (event.type.startsWith('agent:tool:') ? event.type : []));
check('calls of functions are told', tools.slice(0, 2).join() === 'agent:tool:start,agent:tool:complete');
check('every agent is a run of its own', new Set(ids.map((id) => told(id)[0]?.runId)).size === ids.length);
