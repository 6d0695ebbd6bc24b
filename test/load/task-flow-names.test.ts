import { expect, test } from 'vitest';
import { taskFlowNames } from '../../src/flow/load/task-flows.ts';

const node = 'nodes:\n  a:\n    task_messages: [{ role: system, content: Hello. }]\n';

test.each([
  ['a conversation', `# Ours.\ninitial_node: a\n${node}`, false],
  ['a conversation in the other spelling', `${node}initialNode: a\n`, false],
  ['a conversation that has a key named flow as well', `flow: a\ninitial_node: a\n${node}`, false],
  ['a conversation in JSON', '{ "flow": 1,\n"initial_node": "a", "nodes": {} }', false],
  ['a task flow', 'flow: a\nnodes:\n  a: { type: data.merge }\n', true],
  [
    'a task flow whose inner value is named like the beginning of a conversation',
    'flow: a\nnodes:\n  initial_node: {}\n',
    true,
  ],
  ['a task flow in JSON whose inner value is named so', '{ "flow": "a", "nodes": {\n"initial_node": {} } }', true],
  ['a task flow whose text tells of it', 'flow: a\ndescription: |\n  initial_node: a\nnodes: {}\n', true],
  ['neither', '- initial_node: a\n- flow: b\n', false],
])('%s is told by what stands in its outermost mapping', (_, text, isTasks) => {
  expect([...taskFlowNames({ one: text })]).toEqual(isTasks ? ['one'] : []);
});
