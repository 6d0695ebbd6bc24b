import type { DiagnosticCode } from '../../src/flow/document/problems/diagnostic-codes.ts';
import type { Severity } from '../../src/flow/document/problems/diagnostic.ts';

/** The smallest flow of a valid form that has a problem, and the place of the problem. */
export interface GraphCase {
  readonly code: DiagnosticCode;
  readonly yaml: string;
  /** `line:column`. */
  readonly at: string;
  /** Default: `error`. */
  readonly severity?: Severity;
  /** Problems that cannot be avoided beside this one. */
  readonly also?: readonly DiagnosticCode[];
  /** The registered functions are not known yet. */
  readonly unregistered?: true;
  /** The difference to the other cases of its code. */
  readonly when?: string;
}

const nodes = (text: string): string => `initial_node: a\nnodes:\n  a: ${text}\n`;
const repeating = (body: string): string =>
  nodes(
    `{ type: control.foreach, input: { list: [1] }, default_transition: z, body: { nodes: { ${body} } } }\n  z: { end: x }`,
  );
const one = nodes('{ end: x }');
const two = nodes('{ say: x }\n  b: { end: x }');
/** A node that calls `tool`, which needs a `c` of a type. */
const calling = (parameter: string, more: string, slot = ''): string =>
  `${nodes(`{ call: tool, ${more}, functions: [{ name: tool, parameters: { properties: { c: ${parameter} }, required: [c] }, transition_to: b }] }\n  b: { end: x }`)}${slot === '' ? '' : `slots: { c: ${slot} }\n`}`;
/** A node that collects `c` and `e` and is left by a condition, to a node that mentions `e`. */
const early = (when: string): string =>
  `${nodes('{ collect: [c, e], default_transition: b }\n  b: { end: x }\n  d: { say: "{{ e }}", end: x }')}slots:\n  c: { type: text, ask: C }\n  e: { type: text, ask: E }\nedges:\n  - { from: a, to: d, when: ${when} }\n`;
/** A node that is left by the value of `c`, to two writes of which the second has these functions. */
const settled = (second: string): string =>
  `${nodes(`{ collect: [c], default_transition: z }
  b: { say: x, functions: [{ name: tool, description: x, effect: write, confirm: "Pay?", transition_to: d }] }
  d: { say: x, functions: [{ name: send, handler: tool, description: x, effect: write, ${second}, transition_to: z }] }
  z: { end: x }`)}slots:\n  c: { type: text, ask: C }\nedges:\n  - { from: a, to: b, when: { equals: { var: c, value: x } } }\nrole_messages: [{ role: system, content: x }]\n`;
const offering = (functions: string): string =>
  `${nodes(`{ say: x, functions: [${functions}] }\n  b: { end: x }`)}role_messages: [{ role: system, content: x }]\n`;

/** The functions registered for these cases. `raw` declares parameters that cannot be enforced. */
export const registered = {
  functions: new Set(['tool', 'raw']),
  handlers: new Set(['ring']),
  hosts: { 'https://api.example': {} },
  flows: new Set<string>(['approval']),
  waitOf: (name: string) => (name === 'approval' ? 'ask' : null),
  conversations: new Set(['intake']),
  declared: new Map([['raw', { description: 'x', parameters: { properties: { code: { pattern: '(?=a)' } } } }]]),
};

/** Problems found by compiling. The functions `tool` and `raw` are registered. */
export const graphCases: readonly GraphCase[] = [
  // Requests over HTTP
  { code: 'invalid-request', yaml: `${one}tools: { t: { http: { url: 'file:///x' } } }\n`, at: '4:28' },
  { code: 'host-not-allowed', yaml: `${one}tools: { t: { http: { url: 'https://b.example/' } } }\n`, at: '4:28' },

  // Transfers
  {
    code: 'invalid-transfer',
    yaml: nodes('{ transfer: { to: the desk }, default_transition: b }\n  b: { end: x }'),
    at: '3:24',
  },
  {
    code: 'dead-end',
    yaml: nodes('{ transfer: { to: "+4930", on: { busy: b } } }\n  b: { end: x }'),
    at: '3:3',
    when: 'an outcome of a transfer leads nowhere',
  },
  {
    code: 'unknown-target',
    yaml: nodes('{ transfer: { to: "+4930", on: { busy: c } }, default_transition: b }\n  b: { end: x }'),
    at: '3:45',
    when: 'an outcome leads there',
  },
  {
    code: 'conflicting-keys',
    yaml: nodes('{ transfer: { to: "+4930", brief: x }, default_transition: b }\n  b: { end: x }'),
    at: '3:33',
    when: 'a person in a cold transfer would be briefed',
  },
  {
    code: 'conflicting-keys',
    yaml: nodes('{ transfer: { to: "+4930" }, say: x, default_transition: b }\n  b: { end: x }'),
    at: '3:35',
    also: ['say-and-prompt'],
    when: 'a transfer has a line of a talking node',
  },

  // Parts that no form can check
  { code: 'duplicate-id', yaml: 'initial_node: a\nnodes:\n  - { id: a, end: x }\n  - { id: a, end: x }\n', at: '4:11' },
  { code: 'unknown-node-pack', yaml: `node_packs: [nope]\n${one}`, at: '1:14' },
  {
    code: 'unknown-node-type',
    yaml: nodes('{ type: control.swich, default_transition: b }\n  b: { end: x }'),
    at: '3:14',
  },
  { code: 'invalid-node-input', yaml: nodes('{ type: control.fail, input: { message: 5 } }'), at: '3:46' },
  {
    code: 'duplicate-function',
    yaml: offering('{ name: tool, transition_to: b }, { name: tool, transition_to: b }'),
    at: '3:70',
  },
  {
    code: 'idle-function',
    yaml: offering('{ name: f }, { name: tool, transition_to: b }'),
    at: '3:36',
  },
  {
    code: 'missing-target',
    yaml: offering('{ name: f, transition_only: true }, { name: tool, transition_to: b }'),
    at: '3:39',
  },
  {
    code: 'empty-branch',
    yaml: nodes('{ say: x, functions: [{ name: tool, transition_to: { field: ok, cases: {} } }] }'),
    at: '3:70',
    also: ['model-without-prompt'],
  },
  {
    code: 'invalid-path',
    yaml: offering('{ name: tool, transition_to: { field: a b, cases: { x: b } } }'),
    at: '3:66',
  },
  {
    code: 'invalid-parameters',
    yaml: offering('{ name: f, transition_to: b, parameters: { properties: { c: 5 } }, description: x }'),
    at: '3:88',
  },
  {
    code: 'invalid-pattern',
    yaml: offering(
      '{ name: f, transition_to: b, parameters: { properties: { c: { items: { anyOf: [{ pattern: "(?=a)" }] } } } }, description: x }',
    ),
    at: '3:118',
    when: 'it stands deep in parameters',
  },
  {
    code: 'unknown-keyword',
    yaml: offering('{ name: f, transition_to: b, parameters: { propertys: { c: { type: string } } }, description: x }'),
    at: '3:71',
    severity: 'warning',
  },
  {
    code: 'unknown-keyword',
    yaml: offering(
      '{ name: f, transition_to: b, parameters: { properties: { c: { items: { typ: string } } } }, description: x }',
    ),
    at: '3:99',
    severity: 'warning',
    when: 'it stands deep in parameters',
  },
  { code: 'unenforced-parameters', yaml: offering('{ name: raw, transition_to: b }'), at: '3:36', severity: 'warning' },
  {
    code: 'unenforced-parameters',
    yaml: offering('{ name: raw, effect: write, confirm: true, transition_to: b }'),
    at: '3:36',
    when: 'the function writes',
  },
  {
    code: 'unknown-parameter',
    yaml: offering('{ name: f, transition_to: b, parameters: { required: [c] }, description: x }'),
    at: '3:82',
  },
  { code: 'unknown-function', yaml: offering('{ name: f, handler: tol, transition_to: b }'), at: '3:48' },
  { code: 'unknown-flow', yaml: offering('{ name: f, run: pay, transition_to: b, description: x }'), at: '3:44' },
  {
    code: 'unknown-flow',
    yaml: nodes(
      '{ type: control.subflow, input: { name: intake }, on_error: b, default_transition: b }\n  b: { end: x }',
    ),
    at: '3:46',
    when: 'it is a conversation',
  },
  {
    code: 'wait-in-conversation',
    yaml: nodes(
      '{ type: control.subflow, input: { name: approval }, on_error: z, default_transition: z }\n  z: { end: x }',
    ),
    at: '3:46',
    when: 'a flow waits',
  },
  {
    code: 'wait-in-conversation',
    yaml: repeating('ask: { type: interrupt.escalate, input: { to: desk, question: Well } }'),
    at: '3:3',
    when: 'a body waits',
  },
  {
    code: 'wait-in-conversation',
    yaml: repeating('each: { type: control.subflow, input: { name: approval } }'),
    at: '3:3',
    also: ['no-way-on-failure'],
    when: 'a flow waits that a body runs',
  },
  {
    code: 'unregistered-function',
    yaml: offering('{ name: f, handler: g, transition_to: b }'),
    at: '3:48',
    severity: 'note',
    unregistered: true,
  },
  {
    code: 'unregistered-flow',
    yaml: offering('{ name: f, run: g, transition_to: b, description: x }'),
    at: '3:44',
    severity: 'note',
    unregistered: true,
  },
  { code: 'unknown-handler', yaml: nodes('{ end: x, pre_actions: [{ type: function, handler: rng }] }'), at: '3:57' },
  {
    code: 'unregistered-handler',
    yaml: nodes('{ end: x, pre_actions: [{ type: ring_a_bell }] }'),
    at: '3:38',
    severity: 'note',
    unregistered: true,
  },
  { code: 'reserved-name', yaml: offering('{ name: record, transition_to: b, description: x }'), at: '3:36' },
  {
    code: 'misspelt-action',
    yaml: nodes('{ end: x, pre_actions: [{ type: tts_sya, text: x }] }'),
    at: '3:38',
    severity: 'warning',
    unregistered: true,
  },
  {
    code: 'incomplete-action',
    yaml: nodes('{ end: x, pre_actions: [{ type: tts_say, txt: x }] }'),
    at: '3:47',
    when: 'its text has another key',
  },
  { code: 'incomplete-action', yaml: nodes('{ end: x, pre_actions: [{ type: tts_say }] }'), at: '3:30' },
  {
    code: 'impossible-digits',
    when: 'the type has no digits',
    yaml: `${one}slots:\n  s: { type: date, optional: true, dtmf: { digits: 8 } }\n`,
    at: '5:36',
  },
  {
    code: 'impossible-digits',
    when: 'the bounds exclude them',
    yaml: `${one}slots:\n  s: { type: integer, optional: true, maximum: 20, dtmf: { digits: 4..6 } }\n`,
    at: '5:60',
  },
  {
    code: 'impossible-digits',
    when: 'the range is reversed',
    yaml: `${one}slots:\n  s: { type: text, optional: true, dtmf: { digits: 8..4 } }\n`,
    at: '5:44',
  },
  {
    code: 'sealed-slot-spoken',
    when: 'it is read back',
    yaml: `${one}slots:\n  s: { type: text, optional: true, pii: true, confirm: readback, dtmf: { digits: 4 } }\n`,
    at: '5:47',
  },
  {
    code: 'sealed-slot-spoken',
    when: 'a line says it',
    yaml: `${nodes('{ say: "{{ s }}", end: x }')}slots:\n  s: { type: text, optional: true, pii: true, dtmf: { digits: 4 } }\n`,
    at: '3:14',
  },
  { code: 'rule-not-for-type', yaml: `${one}slots:\n  s: { type: text, optional: true, before: today }\n`, at: '5:36' },
  { code: 'enum-without-values', yaml: `${one}slots:\n  s: { type: enum, optional: true }\n`, at: '5:3' },
  {
    code: 'enum-ambiguous',
    yaml: `${one}slots:\n  s: { type: enum, optional: true, values: { b: [some], c: [some] } }\n`,
    at: '5:60',
  },
  {
    code: 'empty-range',
    yaml: `${one}slots:\n  s: { type: number, optional: true, minimum: 2, maximum: 1 }\n`,
    at: '5:3',
  },
  { code: 'invalid-date', yaml: `${one}slots:\n  s: { type: date, optional: true, before: 2026-13-01 }\n`, at: '5:44' },
  { code: 'invalid-time', yaml: `${one}slots:\n  s: { type: time, optional: true, before: 2026-11-01 }\n`, at: '5:44' },
  { code: 'invalid-region', yaml: `${one}slots:\n  s: { type: phone, optional: true, region: usa }\n`, at: '5:45' },
  { code: 'invalid-pattern', yaml: `${one}slots:\n  s: { type: text, optional: true, pattern: (b }\n`, at: '5:45' },
  {
    code: 'half-anchored-pattern',
    yaml: `${one}slots:\n  s: { type: text, optional: true, pattern: ^b }\n`,
    at: '5:45',
    severity: 'warning',
  },
  { code: 'invalid-default', yaml: `${one}input:\n  s: { type: number, default: x }\n`, at: '5:31' },

  // Templates and conditions
  { code: 'template-syntax', yaml: nodes('{ say: "b {{ c | d }}", end: x }'), at: '3:16' },
  {
    code: 'template-syntax',
    yaml: nodes('{ type: control.fail, input: { message: "b {{ c | d }}" } }'),
    at: '3:49',
    when: 'it is in an input',
  },
  { code: 'when-empty', yaml: `${two}edges:\n  - { from: a, to: b, when: { all: [] } }\n`, at: '6:36' },
  {
    code: 'when-several-operators',
    yaml: `${two}edges:\n  - { from: a, to: b, when: { exists: { var: a }, not: { exists: { var: a } } } }\n`,
    at: '6:29',
  },
  { code: 'when-path', yaml: `${two}edges:\n  - { from: a, to: b, when: { exists: { var: b c } } }\n`, at: '6:46' },
  {
    code: 'blank-in-confirm',
    yaml: offering(
      '{ name: tool, description: x, parameters: { type: object, properties: { day: { type: string } } }, confirm: "Book {{ dya }}?", transition_to: b }',
    ),
    at: '3:142',
  },
  {
    code: 'blank-in-confirm',
    yaml: offering(
      '{ name: tool, description: x, parameters: { type: object, properties: { day: { type: string } } }, confirm: "Book {{ args.dya }}?", transition_to: b }',
    ),
    at: '3:142',
    when: 'it is no argument',
  },
  {
    code: 'blank-in-confirm',
    yaml: offering(
      '{ name: tool, description: x, parameters: { type: object, properties: { day: { type: string } }, required: [day] }, confirm: "Book {{ day.name }}?", transition_to: b }',
    ),
    at: '3:159',
    when: 'an argument has no fields',
  },
  {
    code: 'blank-in-confirm',
    yaml: offering(
      '{ name: tool, description: x, parameters: { type: object, properties: { day: { type: string } } }, confirm: "Book {{ day }}?", transition_to: b }',
    ),
    at: '3:142',
    severity: 'note',
    when: 'an argument is optional',
  },
  {
    code: 'hidden-in-confirm',
    yaml: `${offering(
      '{ name: tool, description: x, parameters: { type: object, properties: { day: { type: string } }, required: [day] }, confirm: "Book {{ day.name }}?", transition_to: b }',
    )}state: { day: { name: x } }\n`,
    at: '3:159',
    severity: 'warning',
  },
  {
    code: 'when-operand',
    yaml: `${two}state: { c: [] }\nedges:\n  - { from: a, to: b, when: { equals: { var: c, count: c, value: 1 } } }\n`,
    at: '7:39',
  },
  {
    code: 'when-operand',
    yaml: `${two}state: { c: [] }\nedges:\n  - { from: a, to: b, when: { less: { count: c c, value: 1 } } }\n`,
    at: '7:46',
    when: 'what it computes is no name',
  },
  {
    code: 'unknown-unless-failed',
    yaml: `initial_node: a
nodes:
  a: { type: control.fail, input: { message: x }, policy: { continue_on_error: true }, default_transition: b }
  b: { end: x }
edges:
  - { from: a, to: b, when: { not: { equals: { var: a.failed, value: true } } } }
`,
    at: '6:53',
    severity: 'warning',
  },
  {
    code: 'when-pattern',
    yaml: `${two}state: { c: 1 }\nedges:\n  - { from: a, to: b, when: { matches: { var: c, value: (b } } }\n`,
    at: '7:57',
  },
  {
    code: 'when-too-deep',
    yaml: `${two}edges:\n  - { from: a, to: b, when: { any: [${'{ exists: { var: a } }, '.repeat(10_001)}] } }\n`,
    at: '6:29',
    also: ['undeclared-name'],
  },

  // Relations between the parts of a flow
  { code: 'no-nodes', yaml: 'initial_node: a\nnodes: {}\n', at: '2:1' },
  { code: 'language-without-lines', yaml: `${one}language: ja\n`, at: '4:11' },
  {
    code: 'missing-language',
    yaml: nodes('{ say: { en: Hello. }, end: x }\nlanguage: es'),
    at: '3:8',
    severity: 'warning',
  },
  { code: 'empty-text', yaml: nodes('{ say: "", end: x }'), at: '3:13', severity: 'warning' },
  { code: 'unknown-initial-node', yaml: 'initial_node: b\nnodes:\n  a: { end: x }\n', at: '1:15' },
  { code: 'unknown-target', yaml: nodes('{ say: x, default_transition: b }'), at: '3:36' },
  {
    code: 'unknown-target',
    yaml: nodes('{ say: x, functions: [{ name: tool, transition_to: { field: ok, cases: { true: b } } }] }'),
    at: '3:85',
    when: 'it is a case of a branch',
    also: ['model-without-prompt'],
  },
  { code: 'unknown-source', yaml: `${one}edges:\n  - { from: b, to: a }\n`, at: '5:13' },
  { code: 'return-without-digression', yaml: nodes('{ say: x, default_transition: $return }'), at: '3:36' },
  { code: 'unknown-key-target', yaml: nodes('{ say: x?, keys: { 1: b, 2: c } }\n  b: { end: x }'), at: '3:34' },
  {
    code: 'key-target-unfit',
    yaml: nodes('{ say: x?, keys: { 1: b, 2: tool }, functions: [{ name: tool, description: x }] }\n  b: { end: x }'),
    at: '3:34',
    unregistered: true,
    also: ['unregistered-function', 'model-without-prompt', 'idle-function'],
  },
  {
    code: 'keys-collide',
    yaml: `${nodes('{ say: x?, keys: { 1: b }, collect: [s], default_transition: b }\n  b: { end: x }')}slots:\n  s: { type: text, ask: S?, dtmf: { digits: 4 } }\n`,
    at: '3:17',
  },
  {
    code: 'callee-says-slot',
    yaml: `${nodes('{ collect: [c], default_transition: b }\n  b: { end: x }')}slots:\n  c: { type: text, ask: C }\ncallee:\n  voicemail: "About {{ c }}"\n`,
    at: '8:21',
  },
  { code: 'unknown-slot', yaml: nodes('{ collect: [c], default_transition: b }\n  b: { end: x }'), at: '3:18' },
  {
    code: 'duplicate-collect',
    yaml: `${nodes('{ collect: [c, c], default_transition: b }\n  b: { end: x }')}slots:\n  c: { type: text, ask: C }\n`,
    at: '3:21',
    severity: 'warning',
  },
  {
    code: 'collect-never-asks',
    yaml: `${nodes('{ collect: [c], default_transition: b }\n  b: { end: x }')}slots:\n  c: { type: text, optional: true }\n`,
    at: '3:8',
    severity: 'warning',
    also: ['model-without-prompt'],
  },
  { code: 'slot-never-collected', yaml: `${one}slots:\n  c: { type: text, ask: C }\n`, at: '5:3', severity: 'warning' },
  { code: 'dead-end', yaml: nodes('{ say: x }'), at: '3:3' },
  { code: 'dead-end', yaml: 'initial_node: a\nnodes:\n  - { id: a, say: x }\n', at: '3:11', when: 'nodes are a list' },
  { code: 'open-ended', yaml: nodes('{ task_messages: [{ role: system, content: C }] }'), at: '3:3', severity: 'note' },
  {
    code: 'maybe-dead-end',
    yaml: nodes('{ say: x, functions: [{ name: tool }] }'),
    at: '3:3',
    severity: 'warning',
    also: ['model-without-prompt'],
  },
  {
    code: 'collect-without-exit',
    yaml: `${nodes('{ collect: [c], functions: [{ name: tool, transition_to: b }] }\n  b: { end: x }')}slots:\n  c: { type: text, ask: C }\n`,
    at: '3:3',
    severity: 'warning',
    also: ['model-without-prompt'],
  },
  { code: 'end-with-way-out', yaml: nodes('{ end: x, default_transition: a }'), at: '3:16', severity: 'warning' },
  { code: 'unreachable-node', yaml: nodes('{ end: x }\n  b: { end: x }'), at: '4:3', severity: 'warning' },
  {
    code: 'routing-cycle',
    yaml: nodes('{ type: control.noop, default_transition: b }\n  b: { type: control.noop, default_transition: a }'),
    at: '4:48',
  },
  { code: 'self-loop', yaml: nodes('{ type: control.noop, default_transition: a }'), at: '3:48' },
  {
    code: 'ambiguous-edges',
    yaml: `${two}state: { c: 1 }\nedges:\n  - { from: a, to: b, when: { exists: { var: c } } }\n  - { from: a, to: a, when: { exists: { var: c } } }\n`,
    at: '8:29',
    severity: 'warning',
  },
  {
    code: 'shadowed-edge',
    yaml: `${two}edges:\n  - { from: a, to: b }\n  - { from: a, to: a }\n`,
    at: '7:5',
    severity: 'warning',
  },
  {
    code: 'never-decided',
    yaml: `${nodes(
      '{ type: interrupt.escalate, input: { to: desk, question: May I? }, default_transition: b }\n  b: { end: x }',
    )}edges:\n  - { from: a, to: b, when: { equals: { var: a.decision, value: approved } } }\n`,
    at: '6:65',
    severity: 'warning',
  },
  {
    code: 'unread-route',
    yaml: nodes(
      '{ type: control.switch, input: { cases: [{ when: { exists: { var: x } }, route: y }] }, default_transition: b }\n  b: { end: x }\nstate: { x: 1 }',
    ),
    at: '3:14',
    severity: 'warning',
  },
  {
    code: 'write-without-confirm',
    yaml: offering('{ name: tool, effect: write, transition_to: b }'),
    at: '3:50',
    severity: 'warning',
  },
  {
    code: 'global-shadowed',
    yaml: `${offering('{ name: tool, transition_to: b }')}functions:\n  - { name: tool, transition_to: b }\n`,
    at: '3:36',
    severity: 'note',
  },
  { code: 'undeclared-name', yaml: nodes('{ say: "b {{ c }}", end: x }'), at: '3:16', severity: 'warning' },
  {
    code: 'undeclared-name',
    yaml: nodes(
      '{ type: control.if, input: { condition: { exists: { var: c.d } } }, default_transition: b }\n  b: { end: x }',
    ),
    at: '3:63',
    severity: 'warning',
    also: ['unread-route'],
    when: 'the condition of a catalog node reads it',
  },
  {
    code: 'undeclared-name',
    yaml: repeating('b: { type: control.noop, input: { value: "{{ item }} {{ c }}" } }'),
    at: '3:146',
    severity: 'warning',
    when: 'the body of a catalog node reads it',
  },
  {
    code: 'undeclared-name',
    yaml: nodes(
      '{ type: agent.run, input: { input: x }, prompt: "Be {{ c }}.", default_transition: b }\n  b: { end: x }',
    ),
    at: '3:58',
    severity: 'warning',
    also: ['no-way-on-failure'],
    when: 'a prompt reads it',
  },
  {
    code: 'unordered-read',
    yaml: repeating('b: { type: control.noop, input: { value: "{{ c }}" } }, c: { type: control.noop }'),
    at: '3:135',
    when: 'the body of a catalog node reads it',
  },
  {
    code: 'missing-body',
    yaml: nodes('{ type: control.foreach, input: { list: [1] }, default_transition: b }\n  b: { end: x }'),
    at: '3:6',
    when: 'it is a node of a conversation',
  },
  {
    code: 'conflicting-keys',
    yaml: nodes('{ say: Hi., end: x, policy: { timeout_ms: 5 } }'),
    at: '3:26',
    when: 'a node that talks has a policy',
  },
  {
    code: 'unknown-call',
    yaml: `${nodes('{ call: toll, functions: [{ name: tool, transition_to: b }] }\n  b: { end: x }')}role_messages: [x]\n`,
    at: '3:14',
  },
  {
    code: 'unknown-parameter',
    yaml: calling('{ type: string }', 'input: { e: x }'),
    at: '3:29',
    also: ['call-left-to-model'],
    when: 'a node gives it to what it calls',
  },
  {
    code: 'invalid-node-input',
    yaml: calling('{ type: integer }', 'input: { c: x }'),
    at: '3:32',
    when: 'what a node calls cannot take it',
  },
  {
    code: 'invalid-node-input',
    yaml: calling('{ type: integer }', 'end: false', '{ type: text, optional: true }'),
    at: '3:14',
    when: 'what a node calls cannot take the slot of that name',
  },
  {
    code: 'invalid-node-input',
    yaml: calling('{ type: string, enum: [x] }', 'end: false', '{ type: enum, values: [x, y], optional: true }'),
    at: '3:14',
    when: 'what a node calls does not take every value of the slot',
  },
  { code: 'call-left-to-model', yaml: calling('{ type: string }', 'end: false'), at: '3:14', severity: 'warning' },
  {
    code: 'end-with-way-out',
    yaml: `${nodes('{ say: x, call: tool, end: x }')}functions: [{ name: tool }]\n`,
    at: '3:16',
    severity: 'warning',
    when: 'the node calls a function',
  },
  {
    code: 'could-call',
    yaml: `${nodes('{ collect: [c], default_transition: b }\n  b: { functions: [{ name: tool, effect: read, parameters: { properties: { c: { type: string } }, required: [c] }, transition_to: d }] }\n  d: { end: x }')}slots: { c: { type: text, ask: C } }\nrole_messages: [x]\n`,
    at: '4:3',
    severity: 'note',
  },
  {
    code: 'routing-cycle',
    yaml: nodes(
      '{ call: tool, functions: [{ name: tool, transition_to: b }], default_transition: c }\n  b: { call: tool, functions: [{ name: tool, transition_to: a }], default_transition: c }\n  c: { end: x }',
    ),
    at: '4:14',
    severity: 'warning',
    when: 'nodes call by themselves',
  },
  {
    code: 'unknown-output-field',
    yaml: nodes(
      '{ type: control.if, input: { condition: { exists: { var: a } } }, policy: { continue_on_error: true }, default_transition: b }\n  b: { say: "{{ a.failed }} {{ a.error.code }} {{ a.c }}", end: x }',
    ),
    at: '4:48',
    severity: 'warning',
    when: 'the output may be that of a failure',
  },
  {
    code: 'undeclared-name',
    yaml: `${two}edges:\n  - { from: a, to: b, when: { not: { exists: { var: c } } } }\n`,
    at: '6:53',
    severity: 'warning',
    when: 'it is in a condition',
  },
  {
    code: 'undeclared-name',
    yaml: nodes('{ type: control.fail, input: { message: "b {{ c }}" } }'),
    at: '3:49',
    severity: 'warning',
    when: 'it is in an input',
  },
  {
    code: 'unknown-output-field',
    yaml: nodes(
      '{ type: control.if, input: { condition: { exists: { var: a } } }, default_transition: b }\n  b: { say: "c {{ a.x }}", end: x }',
    ),
    at: '4:16',
    severity: 'warning',
  },
  {
    code: 'leads-straight-back',
    yaml: `${nodes('{ collect: [c], default_transition: b }\n  b: { say: x, functions: [{ name: f, transition_to: a, description: x }], default_transition: e }\n  e: { end: x }')}slots:\n  c: { type: text, ask: C }\n`,
    at: '4:54',
    severity: 'warning',
    also: ['model-without-prompt'],
  },
  {
    code: 'plain-braces',
    yaml: nodes('{ say: "b {c}", end: x }'),
    at: '3:16',
    severity: 'warning',
  },
  {
    code: 'plain-braces',
    yaml: `${nodes('{ task_messages: [{ role: system, content: "{c} and {e}" }], end: x }')}state: { c: 1 }\n`,
    at: '3:50',
    severity: 'warning',
    when: 'the name in a prompt is known',
  },
  {
    code: 'no-description',
    yaml: offering('{ name: f, transition_to: b }'),
    at: '3:36',
    severity: 'warning',
  },
  {
    code: 'no-description',
    yaml: offering('{ name: f, description: " ", transition_to: b }'),
    at: '3:36',
    severity: 'note',
    unregistered: true,
    when: 'code may describe it',
  },
  { code: 'settled-decision', yaml: settled('confirm: "Send {{ c }}?"'), at: '3:3', severity: 'note' },
  {
    code: 'no-way-on-failure',
    yaml: nodes('{ type: agent.run, input: { input: x }, default_transition: b }\n  b: { end: x }'),
    at: '3:3',
    severity: 'warning',
  },
  {
    code: 'no-way-on-failure',
    yaml: repeating('b: { type: agent.run, input: { input: x } }'),
    at: '3:3',
    severity: 'warning',
    when: 'it is in the body of a node',
  },
  {
    code: 'unheard-words',
    yaml: nodes('{ say: x, default_transition: b }\n  b: { say: x, end: x }'),
    at: '3:3',
    severity: 'warning',
  },
  {
    code: 'early-edge',
    yaml: early('{ not: { exists: { var: c } } }'),
    at: '10:29',
    severity: 'warning',
    when: 'it holds before anything was asked',
  },
  {
    code: 'early-edge',
    yaml: early('{ exists: { var: c } }'),
    at: '10:29',
    severity: 'warning',
    when: 'it holds as soon as one of them is known',
  },
  {
    code: 'early-edge',
    yaml: early('{ equals: { var: c, value: x } }'),
    at: '10:29',
    severity: 'warning',
    when: 'it leads to what speaks of the other',
  },
  {
    code: 'early-edge',
    yaml: early('{ any: [{ equals: { var: c, value: x } }, { equals: { var: e, value: x } }] }').replace(
      '{{ e }}',
      'x',
    ),
    at: '10:29',
    severity: 'note',
    when: 'one of several slots is enough',
  },
  { code: 'name-collision', yaml: `${one}input:\n  c: { type: string }\nstate: { c: 1 }\n`, at: '6:10' },
  {
    code: 'model-without-prompt',
    yaml: nodes('{ functions: [{ name: tool, transition_to: b }] }\n  b: { end: x }'),
    at: '3:3',
    severity: 'warning',
  },
  { code: 'silent-node', yaml: nodes('{ default_transition: b }\n  b: { end: x }'), at: '3:3', severity: 'warning' },
  {
    code: 'say-and-prompt',
    yaml: nodes('{ say: x, task_messages: [{ role: system, content: x }], end: x }'),
    at: '3:16',
    severity: 'warning',
  },
  {
    code: 'prompt-too-long',
    yaml: `${one}role_messages:\n  - { role: system, content: ${'x'.repeat(8_001)} }\n`,
    at: '5:30',
    severity: 'warning',
  },
  {
    code: 'secret-in-prompt',
    yaml: nodes('{ say: "my password: hunter22", end: x }'),
    at: '3:17',
    severity: 'warning',
  },
];
