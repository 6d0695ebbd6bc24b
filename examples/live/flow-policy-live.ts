// Time limits, attempts and failures with a live model: npx tsx examples/live/flow-policy-live.ts
import { createFlowRunner } from 'roomflow/livekit';
import { check, model } from './live.ts';

let asked = 0;
/** Breaks off the first time, like a lost connection. */
const flaky: typeof model = {
  label: 'flaky',
  generate(request) {
    asked += 1;
    if (asked === 1) throw new Error('The connection broke.');
    return model.generate(request);
  },
};

const flow = createFlowRunner(
  `
flow: { name: policies, policy: { fail_fast: false } }
nodes:
  hurried:
    type: agent.run
    input: { input: Write a poem of a hundred lines. }
    policy: { timeout_ms: 1, continue_on_error: true }
  again:
    type: agent.run
    input: { input: Say hello. }
    config: { model: flaky }
    policy: { timeout_ms: 60000, retry: { max_attempts: 3, backoff_ms: 100 } }
  broken: { type: control.fail, input: { message: On purpose. } }
  after: { type: control.noop, input: { value: "{{ hurried.error.code }}" } }
edges: [{ from: hurried, to: after }]
`,
  undefined,
  { model, models: { flaky } },
);
const { events, failures, outputs, status } = await flow.run();

const ofAgain = (type: string) => events.filter((event) => event.type === type && event.nodeId === 'again');
check(
  'what is over its time gives a marker, and the flow goes on',
  JSON.stringify(outputs['after']).includes('task-timeout'),
);
check('what breaks off is tried again', ofAgain('task:retry').length === 1 && ofAgain('task:complete').length === 1);
check(
  'each attempt of an agent is a run of its own',
  new Set(ofAgain('agent:start').map(({ runId }) => runId)).size === 2,
);
check('a failure that nobody handles fails the flow', status === 'failed');
check(
  'and it is the only one',
  failures.map(({ taskId, code }) => `${taskId} ${code}`).join() === 'broken control-fail',
);
