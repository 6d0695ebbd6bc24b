import { describe, expect, it } from 'vitest';
import { FlowError } from '../../src/errors.ts';
import { checkFlow } from '../../src/load/check-flow.ts';
import { type FlowInvalidError, loadFlow } from '../../src/load/load-flow.ts';

const catalog = new Map();

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

  it('gives neither where the form is wrong', () => {
    expect(checkFlow('nodes: {}\n', { catalog })).toMatchObject({ graph: null, document: null });
  });
});
