import type { GraphCase } from './graph-cases.ts';

const tasks = (nodes: string, edges = '[]', flow = '{ input: { name: string } }'): string =>
  `flow: ${flow}\nedges: ${edges}\nnodes:\n${nodes}`;
const noop = (id: string, value = '1'): string => `  ${id}: { type: control.noop, input: { value: ${value} } }\n`;

/** Problems found by reading and compiling a task flow. */
export const taskCases: readonly GraphCase[] = [
  { code: 'missing-key', yaml: 'flow: {}\n', at: '1:1', when: 'a task flow has no tasks' },
  { code: 'missing-key', yaml: tasks('  a: { input: {} }\n'), at: '4:3', when: 'a task has no type' },
  { code: 'unknown-key', yaml: tasks('  a: { type: control.noop, polcy: {} }\n'), at: '4:28', when: 'it is in a task' },
  { code: 'unknown-key', yaml: tasks('  a: { type: control.noop, say: Hi. }\n'), at: '4:28', when: 'a task speaks' },
  {
    code: 'both-spellings',
    yaml: tasks('  a: { type: control.noop, policy: { timeout_ms: 1, timeoutMs: 1 } }\n'),
    at: '4:38',
    when: 'it is in a task',
  },
  {
    code: 'out-of-range',
    yaml: tasks('  a: { type: control.noop, policy: { timeout_ms: 0 } }\n'),
    at: '4:50',
    when: 'it is in a task',
  },
  {
    code: 'invalid-value',
    yaml: tasks(noop('a'), '[]', '{ input: { a: strng } }'),
    at: '1:21',
    when: 'it is an input',
  },
  {
    code: 'invalid-default',
    yaml: tasks(noop('a'), '[]', '{ input: { a: { type: string, default: 5 } } }'),
    at: '1:46',
    when: 'the flow is one of tasks',
  },
  { code: 'no-nodes', yaml: 'flow: {}\nnodes: {}\n', at: '2:1', when: 'the flow is one of tasks' },
  {
    code: 'invalid-node-input',
    yaml: tasks('  a: { type: interrupt.confirm, input: { question: Sure? } }\n'),
    at: '4:3',
    when: 'a task asks a caller, whom no task flow has',
  },
  {
    code: 'invalid-node-input',
    yaml: tasks(
      '  a: { type: interrupt.escalate, input: { to: b, question: c, deadline: { after: 1m, then: go_to, node: d } } }\n',
    ),
    at: '4:105',
    when: 'the deadline of a task goes to a node',
  },
  {
    code: 'time-in-utc',
    yaml: tasks('  a: { type: interrupt.wait, input: { until: "2030-12-01T09:00" } }\n'),
    at: '4:46',
    severity: 'note',
  },
  {
    code: 'time-in-utc',
    yaml: tasks(
      '  a: { type: interrupt.escalate, input: { to: b, question: c, deadline: [{ at: "2030-12-01T09:00Z", then: remind }, { at: "2030-12-01T10:00", then: answer, answer: reject }] } }\n',
    ),
    at: '4:123',
    severity: 'note',
    when: 'it is that of a deadline',
  },
  {
    code: 'duplicate-id',
    yaml: 'flow: {}\nnodes:\n  - { id: a, type: control.noop }\n  - { id: a, type: control.noop }\n',
    at: '4:11',
    when: 'the flow is one of tasks',
  },
  {
    code: 'unknown-node-pack',
    yaml: tasks(noop('a'), '[]', '{ node_packs: [nope] }'),
    at: '1:22',
    when: 'the flow is one of tasks',
  },
  {
    code: 'unknown-node-type',
    yaml: tasks('  a: { type: control.nop }\n'),
    at: '4:14',
    when: 'the flow is one of tasks',
  },
  {
    code: 'invalid-node-input',
    yaml: tasks('  a: { type: control.fail, input: { message: 5 } }\n'),
    at: '4:46',
    when: 'the flow is one of tasks',
  },
  {
    code: 'invalid-node-input',
    yaml: tasks('  a: { type: data.validate, input: { value: 1, schema: { type: nope } } }\n'),
    at: '4:64',
    when: 'a schema is none',
  },
  {
    code: 'unknown-flow',
    yaml: tasks('  a: { type: control.subflow, input: { name: loook } }\n'),
    at: '4:46',
    when: 'a task runs it',
  },
  {
    code: 'unregistered-flow',
    yaml: tasks('  a: { type: control.subflow, input: { name: look } }\n'),
    at: '4:46',
    severity: 'note',
    unregistered: true,
    when: 'a task runs it',
  },
  {
    code: 'conflicting-keys',
    yaml: tasks('  a: { type: control.noop, prompt: x }\n'),
    at: '4:28',
    when: 'no agent has it',
  },
  {
    code: 'conflicting-keys',
    yaml: tasks('  a: { type: control.noop, config: { model: x } }\n'),
    at: '4:28',
    when: 'the type takes no config',
  },
  {
    code: 'conflicting-keys',
    yaml: tasks('  a: { type: control.noop, body: { nodes: { b: { type: control.noop } } } }\n'),
    at: '4:28',
    when: 'the type takes no body',
  },
  { code: 'missing-body', yaml: tasks('  a: { type: control.foreach, input: { list: [1] } }\n'), at: '4:6' },
  { code: 'unknown-source', yaml: tasks(noop('a'), '[{ from: x, to: a }]'), at: '2:17', when: 'tasks are meant' },
  { code: 'unknown-target', yaml: tasks(noop('a'), '[{ from: a, to: x }]'), at: '2:24', when: 'tasks are meant' },
  { code: 'self-loop', yaml: tasks(noop('a'), '[{ from: a, to: a }]'), at: '2:24', when: 'it is a task' },
  {
    code: 'task-circle',
    yaml: tasks(noop('a') + noop('b') + noop('c'), '[{ from: a, to: b }, { from: b, to: c }, { from: c, to: a }]'),
    at: '2:64',
  },
  {
    code: 'when-empty',
    yaml: tasks(noop('a') + noop('b'), '[{ from: a, to: b, when: {} }]'),
    at: '2:33',
    when: 'tasks are meant',
  },
  { code: 'undeclared-name', yaml: tasks(noop('a', '"{{ b }}"')), at: '4:45', when: 'a task reads it' },
  {
    code: 'undeclared-name',
    yaml: tasks(noop('a', '"{{ name }}"')),
    at: '4:45',
    when: 'an input is called by its name alone',
  },
  {
    code: 'undeclared-name',
    yaml: tasks(noop('a', '"{{ flow.input.nam }}"')),
    at: '4:45',
    when: 'there is no such input',
  },
  {
    code: 'undeclared-name',
    yaml: tasks(noop('a', '"{{ flow.name }}"')),
    at: '4:45',
    when: 'the flow has no such value',
  },
  { code: 'unordered-read', yaml: tasks(noop('a', '"{{ b }}"') + noop('b')), at: '4:45' },
  { code: 'unordered-read', yaml: tasks(noop('a', '"{{ a }}"')), at: '4:45', when: 'a task reads itself' },
  {
    code: 'unordered-read',
    yaml: tasks(
      noop('a') + noop('b') + noop('c'),
      '[{ from: a, to: b, when: { exists: { var: c } } }, { from: b, to: c }]',
    ),
    at: '2:50',
    when: 'an edge reads it',
  },
  {
    code: 'unknown-output-field',
    yaml: tasks(
      '  a: { type: control.if, input: { condition: { exists: { var: flow.input.name } } } }\n' +
        noop('b', '"{{ a.cond }}"'),
      '[{ from: a, to: b }]',
    ),
    at: '5:45',
    severity: 'warning',
    when: 'a task reads it',
  },
  { code: 'reserved-name', yaml: tasks(noop('flow')), at: '4:3', when: 'a task is called flow' },
  {
    code: 'name-collision',
    yaml: tasks(
      `${noop('a')}  b: { type: control.foreach, input: { list: [1] }, body: { nodes: { a: { type: control.noop } } } }\n`,
      '[{ from: a, to: b }]',
    ),
    at: '5:70',
    when: 'a body has a task of the same name',
  },
];
