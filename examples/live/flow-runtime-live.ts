// The life of a run, and messages to the agent in it: npx tsx examples/live/flow-runtime-live.ts
import { createFlowRunner } from 'roomflow/livekit';
import { check, model, outcomeOf } from './live.ts';

const flow = createFlowRunner(
  `
flow: { name: runtime }
nodes:
  ask: { type: agent.run, input: { input: Name a fruit. }, config: { max_turns: 3, turn_timeout_ms: 20000 } }
  tell: { type: data.template, input: { template: "At last: {{ ask.result }}" } }
edges: [{ from: ask, to: tell }]
`,
  undefined,
  { model },
);

let runId = '';
flow.subscribe('agent:start', (event) => {
  runId = event.runId ?? '';
  check('a message by run is taken', flow.sendToRun(runId, 'Name another one.').ok);
  check('a message by node is taken', flow.sendTo('ask', 'And a third one.').ok);
});
const { events, status } = await outcomeOf(flow);

check(`the run is ${status}`, status === 'complete');
const order = events
  .map(({ type }) => type)
  .filter((type, index, all) => type !== all[index - 1] && type !== 'session:message');
const expected = [
  ...['harness:start', 'phase:start'],
  ...['task:start', 'agent:start', 'agent:text', 'agent:complete', 'task:complete'],
  ...['task:start', 'task:complete', 'phase:complete', 'harness:complete'],
];
check('its events come in their order', order.join() === expected.join());
const messages = events.filter(({ type }) => type === 'session:message');
check('both messages stand in the log of its run', messages.filter((event) => event.runId === runId).length === 2);
check('a message to a run that has ended is refused', !flow.sendToRun(runId, 'Too late.').ok);
