import { describe, expect, it } from 'vitest';
import { FlowError } from '../../src/model/errors.ts';
import { createCatalog } from '../../src/flow/graph/nodes/catalog.ts';
import { checkFlow } from '../../src/flow/load/check-flow.ts';
import { readFlow } from '../../src/flow/load/read-flow.ts';
import { temporaryFolder } from './temporary-folder.ts';
import type { FlowInvalidError } from '../../src/flow/load/problems/flow-invalid-error.ts';
import { loadFlow } from '../../src/flow/load/load-flow.ts';

const catalog = createCatalog([]);

describe('loading a flow', () => {
  it('returns the document', () => {
    expect(loadFlow('initial_node: a\nnodes: { a: { end: x } }\n')).toEqual({
      initialNode: 'a',
      nodes: { a: { end: 'x' } },
    });
  });

  it('throws all errors at once, by place, and leaves out notes', () => {
    const load = () =>
      loadFlow('initial_node: a\nnodes: { a: { end: 5, voice: x, sayy: y } }\n', { file: 'intake.yaml' });
    expect(load).toThrow(FlowError);
    expect(load).toThrow(
      'flow-invalid: intake.yaml has 2 errors.\n' +
        '  intake.yaml:2:20 wrong-type: "end" of node "a" must be text or true or false, but it is a number. Put it in quotes: "5".\n' +
        '  intake.yaml:2:33 unknown-key: node "a" has no key "sayy". Did you mean "say"?',
    );
    try {
      load();
    } catch (error) {
      expect((error as FlowInvalidError).diagnostics.map(({ code }) => code)).toEqual([
        'wrong-type',
        'ignored-field',
        'unknown-key',
      ]);
    }
  });

  it.each(['007', '1.10', '0x1F', '1e3', '+5', 'True'])('quotes %s in its remedy as the text has it', (written) => {
    const load = () =>
      loadFlow(`initial_node: a\nnodes: { a: { say: x, functions: [{ name: f, transition_to: ${written} }] } }\n`);
    expect(load).toThrow(`Put it in quotes: "${written}".`);
  });

  it.each([
    ['{\n  // a comment\n  "initial_node": "a", "nodes": { "a": { "say": "x", "end": true } }\n}', '2:3'],
    ['{ "initial_node": "a", /* more */ "nodes": { "a": { "say": "http://x", "end": true } } }', '1:24'],
  ])('tells of a comment in JSON as such: %j', (text, at) => {
    expect(() => loadFlow(text, { file: 'flow.json' })).toThrow(
      `flow.json:${at} json-syntax: JSON has no comments. Remove it.`,
    );
    const sound = '{ "initial_node": "a", "nodes": { "a": { "say": "See http://x /* all */", "end": true } } }';
    expect(() => loadFlow(sound, { file: 'flow.json' })).not.toThrow();
  });

  it('lists twenty errors and counts the rest', () => {
    const nodes = Array.from({ length: 30 }, (_, index) => `  n${index}: { sayy: x }\n`).join('');
    expect(() => loadFlow(`initial_node: n0\nnodes:\n${nodes}`)).toThrow(
      /has 30 errors\.\n(?: {2}<text>.*\n){20} {2}… and 10 more$/,
    );
  });
});

describe('checking a flow', () => {
  it('gives the graph of a sound flow, with its warnings in place', () => {
    const { graph, document, diagnostics } = checkFlow('initial_node: a\nnodes:\n  b: { end: x }\n  a: { end: x }\n', {
      catalog,
    });
    expect(graph?.initial).toBe('a');
    expect(document?.initialNode).toBe('a');
    expect(diagnostics).toMatchObject([{ code: 'unreachable-node', severity: 'warning', line: 3, column: 3 }]);
  });

  it('gives no graph where something is wrong between its parts, and tells it beside what the form has', () => {
    const text = 'initial_node: a\nnodes:\n  a:\n    say: Hi.\n    voice: x\n    default_transition: gone\n';
    const { graph, document, diagnostics } = checkFlow(text, { catalog });
    expect(graph).toBeNull();
    expect(document).not.toBeNull();
    expect(diagnostics).toMatchObject([
      { code: 'ignored-field', line: 5, column: 5 },
      { code: 'unknown-target', line: 6, column: 25, path: ['nodes', 'a', 'default_transition'] },
    ]);
  });

  it('tells what is wrong between the parts, although the form of some is wrong', () => {
    const text =
      'initial_node: a\nslots: { s: { type: text, pi: true } }\nnodes:\n' +
      '  a: { say: 5, default_transition: gone }\n' +
      '  b: { say: "{{ x", default_transition: gone }\n' +
      '  c: { say: Hi., collect: [t], prompt_file: ../x.md, default_transition: a }\nvoice: x\n';
    const { graph, document, diagnostics } = checkFlow(text, { catalog, baseFolder: temporaryFolder() });
    expect([graph, document]).toEqual([null, null]);
    expect(diagnostics.map(({ code, line, column }) => `${line}:${column} ${code}`)).toEqual([
      '2:27 unknown-key',
      '4:13 wrong-type',
      '4:36 unknown-target',
      '5:14 template-syntax',
      '5:41 unknown-target',
      '6:28 unknown-slot',
      '6:45 prompt-file-outside',
      '7:1 ignored-field',
    ]);
  });

  it.each([
    [
      'a key of the flow',
      'initial_node: a\nslotz: { s: { type: text } }\nnodes:\n  a: { say: Hi., collect: [s], default_transition: b }\n  b: { end: x }\n',
    ],
    ['a list', 'initial_node: a\nnodes:\n  a: { say: Hi., functions: [{ nam: go }] }\n'],
    [
      'a node that others lead round by',
      'initial_node: a\nslots: { s: { type: text } }\nnodes:\n  b: { collect: [s], default_transition: a, end: 5 }\n  a: { collect: [s], default_transition: b }\n',
    ],
    ['the only way out', 'initial_node: a\nnodes:\n  a: { say: Hi., default_transition: 5 }\n'],
  ])('does not blame the rest for what is wrong in %s', (_, text) => {
    const { diagnostics } = checkFlow(text, { catalog });
    const { diagnostics: ofForm } = readFlow(text);
    expect(diagnostics).toEqual(ofForm);
    expect(ofForm).not.toEqual([]);
  });

  it('gives neither where the form is wrong', () => {
    expect(checkFlow('nodes: {}\n', { catalog })).toMatchObject({ graph: null, document: null });
  });
});
