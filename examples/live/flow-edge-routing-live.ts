// A model decides which way a flow goes: npx tsx examples/live/flow-edge-routing-live.ts
import { createFlowRunner } from 'roomflow/livekit';
import { check, model, outcomeOf } from './live.ts';

const flow = `
flow: { name: routing, input: { mail: string } }
nodes:
  look:
    type: agent.classify
    prompt: What the mail is about.
    input: { input: "{{ flow.input.mail }}", labels: [billing, repair] }
    config: { temperature: 0 }
  bill: { type: control.noop }
  repair: { type: control.noop }
  file: { type: control.merge, input: { mode: any } }
edges:
  - { from: look, to: bill, when: { equals: { var: look.result, value: billing } } }
  - { from: look, to: repair, when: { equals: { var: look.result, value: repair } } }
  - { from: bill, to: file }
  - { from: repair, to: file }
`;

for (const [mail, way, other] of [
  ['You charged my card twice for one invoice.', 'bill', 'repair'],
  ['The chain of my bicycle is broken.', 'repair', 'bill'],
] as const) {
  const { events, status } = await outcomeOf(createFlowRunner(flow, undefined, { model, input: { mail } }));
  const tasks = (type: string) => events.filter((event) => event.type === type).map(({ nodeId }) => nodeId);
  check(`"${mail}": the flow is ${status}`, status === 'complete');
  check(`it goes by ${way}, and once on from there`, tasks('task:complete').join() === `look,${way},file`);
  check(`it skips ${other}`, tasks('task:skipped').join() === other);
}
