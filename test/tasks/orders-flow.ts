import type { TaskFlow } from '../../src/flow/document/task-document.ts';
import type { RunOptions } from '../../src/runner/flow-run.ts';

/** Tasks of every kind that a crash may hit. */
export const orders: TaskFlow = {
  flow: { name: 'orders', input: { kind: 'string' }, policy: { concurrency: 3 } },
  nodes: {
    route: {
      type: 'control.switch',
      input: {
        value: '{{ flow.input.kind }}',
        cases: [{ when: { equals: { var: 'value', value: 'many' } }, route: 'many' }],
      },
    },
    never: { type: 'test.book', input: { what: 'never' } },
    each: {
      type: 'control.foreach',
      input: { list: [1, 2, 3], concurrency: 2 },
      body: {
        nodes: {
          look: { type: 'test.look', input: { value: '{{ item }}' } },
          book: { type: 'test.book', input: { what: '{{ look.value }}' } },
        },
        edges: [{ from: 'look', to: 'book' }],
      },
    },
    flaky: {
      type: 'test.work',
      input: { ms: 3, failures: 2, value: 'at last' },
      policy: { retry: { maxAttempts: 3, backoffMs: 40 } },
    },
    keep: { type: 'system.state.set', input: { key: 'said', value: '{{ flaky.value }}' } },
    said: { type: 'system.state.get', input: { key: 'said' } },
    inner: { type: 'control.subflow', input: { name: 'inner', input: { n: '{{ each.count }}' } } },
    done: { type: 'data.template', input: { template: '{{ said.value }} {{ inner.outputs.pay.booked }}' } },
  },
  edges: [
    { from: 'route', to: 'each', when: { equals: { var: 'route.route', value: 'many' } } },
    { from: 'route', to: 'never', when: { equals: { var: 'route.route', value: 'default' } } },
    { from: 'route', to: 'flaky' },
    { from: 'flaky', to: 'keep' },
    { from: 'keep', to: 'said' },
    { from: 'each', to: 'inner' },
    { from: 'said', to: 'done' },
    { from: 'inner', to: 'done' },
  ],
};
/** The flow that `orders` runs. */
export const inner = `
flow: { input: { n: integer } }
nodes:
  ask: { type: test.look, input: { value: "{{ flow.input.n }}" } }
  pay: { type: test.book, input: { what: "{{ ask.value }}" } }
edges: [{ from: ask, to: pay }]
`;
/** The options for runs of `orders`. */
export const given: Partial<RunOptions> = { input: { kind: 'many' }, flows: { inner } };
