import { expect, test } from 'vitest';
import { checkFlow } from '../../src/flow/load/check-flow.ts';
import { builtinCatalog } from '../../src/flow/nodes/builtin.ts';

/** Returns the diagnostics of a task flow of one node: place, code, message and hint. */
function told(node: string): readonly string[] {
  const source = `flow: { name: one }\nnodes:\n  a: ${node}\n`;
  const { diagnostics } = checkFlow(source, { catalog: builtinCatalog });
  return diagnostics.map(
    ({ line, column, code, message, hint = '' }) => `${line}:${column} ${code} ${message} ${hint}`,
  );
}

test('a misspelled key of an agent’s config is told with what was probably meant', () => {
  expect(told('{ type: agent.run, input: { input: Hi }, config: { max_tunrs: 3 } }')).toEqual([
    '3:57 invalid-node-input there is no key "max_tunrs" here. Did you mean "max_turns"?',
  ]);
});

test('a misspelled key of an input is told with what was probably meant', () => {
  expect(told('{ type: data.map, input: { list: [], tempalte: "" } }')).toEqual([
    '3:43 invalid-node-input there is no key "tempalte" here. Did you mean "template"?',
  ]);
});

test('each key that a type does not know is told, with those that it takes, or with the part that it belongs to', () => {
  expect(told('{ type: control.subflow, input: { name: x, flow: y, into: z } }').slice(1)).toEqual([
    '3:49 invalid-node-input there is no key "flow" here. It takes name, input.',
    '3:58 invalid-node-input there is no key "into" here. It takes name, input.',
  ]);
  expect(told('{ type: agent.classify, input: { input: x, labels: [a, b] }, config: { labels: [a, b] } }')).toEqual([
    '3:77 invalid-node-input there is no key "labels" here. It is a key of input.',
  ]);
});

test('what a type takes as it stands cannot be bound', () => {
  expect(told('{ type: control.merge, input: { mode: "{{ flow.input }}" } }')).toEqual([
    expect.stringContaining('3:44 invalid-node-input'),
  ]);
});

test('what an input or a config lacks is told by its name, with what it is for', () => {
  expect(told('{ type: data.pick, input: { keys: [a] } }')).toEqual([
    '3:25 invalid-node-input "object" is missing. It is: The object. It is not changed.',
  ]);
  expect(told('{ type: agent.run }')).toEqual([
    '3:3 invalid-node-input "input" is missing. It is: The first message. A value that is not text is shown as JSON.',
  ]);
  expect(told('{ type: control.switch, input: { cases: [{ route: a }] } }')).toEqual([
    '3:47 invalid-node-input "when" is missing. ',
  ]);
});

test('a wrong value is told by its key, with what it must be and what it is for', () => {
  expect(told('{ type: data.pick, input: { object: {}, keys: a } }')).toEqual([
    expect.stringContaining('"keys" must be a list, but it is text. It is: '),
  ]);
  expect(told('{ type: data.pick, input: { object: {}, keys: [a, 5] } }')).toEqual([
    expect.stringContaining('invalid-node-input item 2 of "keys" must be text, but it is a number. '),
  ]);
  expect(told('{ type: control.wait, input: { ms: -1 } }')).toEqual([
    expect.stringContaining('"ms" must be at least 0, but it is -1. It is: The time'),
  ]);
  expect(told('{ type: control.wait, input: { ms: 1.5 } }')).toEqual([
    expect.stringContaining('"ms" must be a whole number, but it is 1.5. '),
  ]);
  expect(told('{ type: control.merge, input: { mode: al } }')).toEqual([
    expect.stringContaining('"mode" is not one of all, any. Did you mean "all"?'),
  ]);
  expect(told('{ type: agent.run, input: { input: Hi }, config: { turn_timeout_ms: x } }')).toEqual([
    expect.stringContaining('"turn_timeout_ms" must be a number, but it is text. It is: Milliseconds to wait'),
  ]);
  expect(
    told('{ type: control.foreach, input: { list: [], as: count }, body: { nodes: { b: { type: control.noop } } } }'),
  ).toEqual([expect.stringContaining('"as" is not taken: The body knows this name already. Write another. ')]);
});

test('what may have one of several forms is told by the form that was meant, where it is wrong', () => {
  const escalate = (deadline: string): readonly string[] =>
    told(`{ type: interrupt.escalate, input: { to: q, question: Ok?, deadline: ${deadline} } }`);
  const acts = 'remind, answer, escalate, go_to, end.';
  expect(escalate('{ after: 2h, then: fail }')).toEqual([`3:94 invalid-node-input "then" is not one of ${acts} `]);
  expect(escalate('{ after: 2h }')).toEqual([`3:65 invalid-node-input "then" is missing. Write one of ${acts}`]);
  expect(escalate('[{ after: 2h, then: remnd }]')).toEqual([
    `3:95 invalid-node-input "then" is not one of ${acts} Did you mean "remind"?`,
  ]);
  expect(escalate('{ after: 2h, then: end, nope: 1 }')).toEqual([
    '3:99 invalid-node-input there is no key "nope" here. Did you mean "node"?',
  ]);
  expect(escalate('5')).toEqual([expect.stringContaining('"deadline" is of a kind that is not taken here. It is: ')]);
});
