import type { DiagnosticCode } from '../../src/flow/document/problems/diagnostic-codes.ts';
import type { Severity } from '../../src/flow/document/problems/diagnostic.ts';
import { graphCases } from './graph-cases.ts';
import { taskCases } from './task-cases.ts';
import type { Content } from './temporary-folder.ts';

/** The smallest flow that has a problem, and the place of the problem. */
export interface Case {
  readonly code: DiagnosticCode;
  readonly yaml: string | Uint8Array;
  /** `line:column`. */
  readonly at: string;
  /** Default: `error`. */
  readonly severity?: Severity;
  /** Files beside the flow. With them, the flow is a file too, named flow.yaml. */
  readonly files?: Readonly<Record<string, Content>>;
  /** The file of the problem, if it is not the flow. */
  readonly file?: string;
  /** Problems that cannot be avoided beside this one. */
  readonly also?: readonly DiagnosticCode[];
  /** The registered functions are not known yet. */
  readonly unregistered?: true;
  /** The difference to the other cases of its code. */
  readonly when?: string;
}

const nodes = (text: string): string => `initial_node: a\nnodes:\n  a: ${text}\n`;
const many = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => line(index)).join('');
const nested = (levels: number): string => `x: ${'['.repeat(levels)}${']'.repeat(levels)}\n`;
/** Each level stands for ten of the level before. */
const bomb = (levels: number): string =>
  `state:\n  x0: &x0 [1]\n${many(levels, (level) => `  x${level + 1}: &x${level + 1} [${many(10, () => `*x${level}, `)}]\n`)}`;

/** Problems found by reading and compiling documents: one case or more for every code that a text can cause. */
export const cases: readonly Case[] = [
  // The file
  { code: 'not-utf8', yaml: Buffer.from('name: x\nsay: \xe4\n', 'latin1'), at: '2:6' },
  { code: 'not-utf8', yaml: Buffer.from('\u{feff}name: x\n', 'utf16le'), at: '1:1', when: 'it is UTF-16' },
  { code: 'nul-byte', yaml: 'name: x\nsay: a\0b\n', at: '2:7' },
  { code: 'file-too-large', yaml: `# ${'x'.repeat(2_000_000)}\n`, at: '1:1' },
  { code: 'empty-file', yaml: '', at: '1:1' },
  { code: 'empty-file', yaml: '# nothing yet\r\n---\r\n', at: '1:1', when: 'there are only comments' },

  // YAML
  { code: 'yaml-syntax', yaml: 'say: Hello: world\n', at: '1:6' },
  { code: 'yaml-syntax', yaml: 'say: "Hello\n', at: '1:6', when: 'a quote is missing' },
  { code: 'json-syntax', yaml: nodes('!include a.json'), files: { 'a.json': '{"say": ' }, at: '1:9', file: 'a.json' },
  {
    code: 'json-syntax',
    yaml: nodes('!include a.json'),
    files: { 'a.json': '{\n  "say": "Hi"\n  "end": "x"\n}' },
    at: '3:3',
    file: 'a.json',
    when: 'a comma is missing',
  },
  { code: 'yaml-syntax', yaml: 'say: @home\n', at: '1:6', when: 'text begins with a sign of YAML' },
  { code: 'tab-indentation', yaml: 'a:\n\tb: 1\n', at: '2:1' },
  { code: 'several-documents', yaml: `${nodes('{ end: x }')}---\n`, at: '4:1' },
  { code: 'yaml-directive', yaml: `%YAML 1.1\n---\n${nodes('{ end: x }')}`, at: '1:1' },
  { code: 'unknown-tag', yaml: nodes('{ say: !secret x, end: x }'), at: '3:13' },
  { code: 'unknown-tag', yaml: nodes('{ say: !!str x, end: x }'), at: '3:13', when: 'it is a tag of YAML itself' },
  { code: 'duplicate-key', yaml: nodes('{ say: x, end: x, say: y }'), at: '3:24' },
  {
    code: 'duplicate-key',
    yaml: '{"initial_node":"a","nodes":{"a":{"end":"x","end":"y"}}}',
    at: '1:45',
    when: 'it is JSON',
  },
  { code: 'duplicate-key', yaml: nodes('{ end: x, config: { 1: a, "1": b } }'), at: '3:32', when: 'it is quoted once' },
  { code: 'invalid-key', yaml: nodes('{ end: x, config: { [a]: b } }'), at: '3:26' },
  { code: 'invalid-key', yaml: nodes('{ end: x, say: {{ name }} }'), at: '3:21', when: 'a template lacks its quotes' },
  { code: 'invalid-key', yaml: nodes('{ end: x, config: { : b } }'), at: '3:25', when: 'it is empty' },
  { code: 'unsafe-key', yaml: nodes('{ end: x, config: { __proto__: b } }'), at: '3:26' },
  { code: 'merge-key', yaml: nodes('\n    <<: {}\n    end: x'), at: '4:5' },
  { code: 'unknown-alias', yaml: nodes('{ end: x, say: *hello }'), at: '3:21' },
  { code: 'alias-cycle', yaml: nodes('{ end: x, config: &c { again: *c } }'), at: '3:36' },
  { code: 'alias-limit', yaml: `${nodes('{ end: x }')}${bomb(6)}`, at: '10:27' },
  {
    code: 'alias-limit',
    yaml: nodes(`{ end: x, config: { a: &a ${'a'.repeat(500_000)}, b: [${'*a, '.repeat(20)}] } }`),
    at: '3:500102',
    when: 'one long text is repeated',
  },
  { code: 'too-deep', yaml: nested(66), at: '1:68' },
  {
    code: 'too-deep',
    yaml: nodes(
      `{ end: x, config: { a: &a ${'['.repeat(40)}${']'.repeat(40)}, b: ${'['.repeat(30)}*a${']'.repeat(30)} } }`,
    ),
    at: '3:147',
    when: 'aliases nest it',
  },
  { code: 'too-many-keys', yaml: many(10_001, (index) => `k${index}: 1\n`), at: '10001:7' },
  {
    code: 'too-many-keys',
    yaml: `x: [${many(250_001, () => '1,')}]`,
    at: '1:500002',
    when: 'all together are too many',
  },
  { code: 'too-many-nodes', yaml: `nodes:\n${many(10_001, (index) => `  n${index}: {}\n`)}`, at: '10002:3' },
  { code: 'too-many-nodes', yaml: `nodes:\n${many(10_001, () => '  - {}\n')}`, at: '10002:3', when: 'they are a list' },
  { code: 'not-json', yaml: nodes('{ end: x, config: { a: .nan } }'), at: '3:29' },
  {
    code: 'not-json',
    yaml: nodes('{ end: x, config: { a: 12345678901234567890 } }'),
    at: '3:29',
    when: 'a number is too long to be exact',
  },

  // Included files
  { code: 'include-no-folder', yaml: nodes('{ end: x, say: !include x.md }'), at: '3:30' },
  { code: 'include-outside', yaml: nodes('{ end: x, say: !include ../x.md }'), at: '3:30', files: {} },
  { code: 'include-missing', yaml: nodes('{ end: x, say: !include x.md }'), at: '3:30', files: {} },
  {
    code: 'include-unreadable',
    yaml: nodes('{ end: x, say: !include x.md }'),
    at: '3:30',
    files: { 'x.md': Buffer.from([0xff]) },
  },
  {
    code: 'include-too-large',
    yaml: nodes('{ end: x, say: !include x.md }'),
    at: '3:30',
    files: { 'x.md': 'x'.repeat(2_000_001) },
  },
  {
    code: 'include-too-deep',
    yaml: nodes('{ end: x, config: !include 0.yaml }'),
    at: '1:10',
    file: '7.yaml',
    files: Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`${index}.yaml`, `!include ${index + 1}.yaml`])),
  },
  {
    code: 'include-cycle',
    yaml: nodes('{ end: x, config: !include a.yaml }'),
    at: '1:10',
    file: 'a.yaml',
    files: { 'a.yaml': '!include a.yaml' },
  },
  { code: 'include-invalid', yaml: nodes('{ end: x, config: !include a.toml }'), at: '3:33', files: { 'a.toml': '' } },
  {
    code: 'include-invalid',
    yaml: nodes('{ end: x, config: !include [a] }'),
    at: '3:33',
    files: {},
    when: 'it is a list',
  },
  {
    code: 'wrong-type',
    yaml: `initial_node: a\nnodes: !include nodes.yaml\n`,
    at: '2:8',
    file: 'nodes.yaml',
    files: { 'nodes.yaml': 'a:\n  end: 5\n' },
    when: 'it is in an included file',
  },

  // Prompt files
  { code: 'prompt-file-no-folder', yaml: nodes('{ end: x, prompt_file: x.md }'), at: '3:29' },
  { code: 'prompt-file-outside', yaml: nodes('{ end: x, prompt_file: ../x.md }'), at: '3:29', files: {} },
  {
    code: 'invalid-openapi',
    yaml: `${nodes('{ end: x }')}tools: { t: { openapi: { file: a.yaml, operation: b } } }\n`,
    at: '4:24',
    files: {},
  },
  { code: 'prompt-file-missing', yaml: nodes('{ end: x, prompt_file: x.md }'), at: '3:29', files: {} },
  {
    code: 'prompt-file-unreadable',
    yaml: nodes('{ end: x, prompt_file: prompts }'),
    at: '3:29',
    files: { 'prompts/x.md': '' },
  },
  {
    code: 'prompt-file-too-large',
    yaml: nodes('{ end: x, prompt_file: x.md }'),
    at: '3:29',
    files: { 'x.md': 'x'.repeat(256_001) },
  },

  // The form of the document
  { code: 'not-a-map', yaml: '- a\n- b\n', at: '1:1' },
  { code: 'document-kind', yaml: 'nodes: { a: { end: x } }\n', at: '1:1', when: 'it has neither' },
  { code: 'document-kind', yaml: `flow: {}\n${nodes('{ end: x }')}`, at: '1:1', when: 'it has both' },
  { code: 'unsupported-format', yaml: '$id: https://flows.pipecat.ai/schema/flow.json\nnodes: []\n', at: '1:1' },
  { code: 'ignored-field', yaml: nodes('{ end: x, voice: alto }'), at: '3:16', severity: 'note' },
  { code: 'conflicting-keys', yaml: nodes('{ task_message: x, task_messages: [], end: x }'), at: '3:8' },
  { code: 'both-spellings', yaml: nodes('{ end: x, on_error: a, onError: a }'), at: '3:16' },
  { code: 'unknown-key', yaml: nodes('{ end: x, sya: x }'), at: '3:16' },
  { code: 'missing-key', yaml: `${nodes('{ end: x }')}slots:\n  b: {}\n`, at: '5:3' },
  {
    code: 'missing-key',
    yaml: nodes('{ end: x, task_messages: [{ content: x }] }'),
    at: '3:32',
    when: 'its map is in a list',
  },
  { code: 'wrong-type', yaml: nodes('{ end: x, say: 5 }'), at: '3:21' },
  { code: 'wrong-type', yaml: nodes('\n    end: x\n    say:'), at: '5:5', when: 'it is empty' },
  { code: 'boolean-word', yaml: nodes('{ end: x, respond_immediately: no }'), at: '3:37' },
  { code: 'boolean-word', yaml: nodes('{ end: yes }'), at: '3:13', when: 'text would do as well' },
  { code: 'invalid-value', yaml: nodes('{ end: x, context_strategy: rest }'), at: '3:34' },
  { code: 'out-of-range', yaml: nodes('{ end: x, reply_timeout_ms: 5 }'), at: '3:34' },
  { code: 'invalid-format', yaml: nodes('{ end: x, functions: [{ name: a b }] }'), at: '3:36' },

  ...graphCases,
  ...taskCases,
];
