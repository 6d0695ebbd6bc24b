import { describe, expect, test } from 'vitest';
import { troubleRule } from '../../src/kernel/move/trouble.ts';
import { checkFlow } from '../../src/flow/load/check-flow.ts';
import { builtinCatalog } from '../../src/flow/nodes/builtin.ts';
import { graphOf } from '../kernel/session.ts';

/** Compiles a flow whose one node offers one function; only `known` is registered. */
function offering(offered: string) {
  const source = `
initial_node: desk
role_messages: [{ role: system, content: Help. }]
nodes:
  desk: { functions: [${offered}] }
  done: { say: Bye., end: true }
`;
  const registered = { functions: new Set(['known']), flows: new Set(['lookup']) };
  const { graph, diagnostics } = checkFlow(source, { catalog: builtinCatalog, ...registered });
  return {
    body: graph?.nodes.get('desk')?.functions[0]?.body,
    errors: diagnostics.filter(({ severity }) => severity === 'error').map(({ code }) => code),
  };
}

test('a document of another schema version is refused, at its place', () => {
  const source = `schema_version: 2\ninitial_node: a\nnodes:\n  a: { say: Hi., end: true }\n`;
  const { graph, diagnostics } = checkFlow(source, { catalog: builtinCatalog });
  expect(graph).toBeNull();
  expect(diagnostics).toMatchObject([{ severity: 'error', line: 1, column: 17 }]);
});

describe('which functions must be registered', () => {
  test.each([
    'handler: other',
    'effect: write, confirm: true',
    'effect: read',
    'save_as: kept',
    'confirm: true',
    'confirm: "Shall I?"',
    'transition_to: { field: ok, cases: { true: done } }',
  ])('one with %s', (part) => {
    const target = part.includes('transition_to') ? '' : ', transition_to: done';
    expect(offering(`{ name: tool, ${part}${target} }`).errors).toEqual(['unknown-function']);
    const named = part.startsWith('handler') ? 'handler: known' : part;
    expect(offering(`{ name: known, ${named}${target} }`)).toEqual({ body: 'tool', errors: [] });
  });

  test('one that runs a task flow', () => {
    expect(offering('{ name: tool, run: lokup, transition_to: done }').errors).toEqual(['unknown-flow']);
    expect(offering('{ name: tool, run: lookup, transition_to: done }')).toEqual({ body: 'flow', errors: [] });
  });

  test('any other that moves or has arguments is an edge function', () => {
    for (const offered of [
      '{ name: tool, transition_to: done }',
      '{ name: tool, confirm: false, transition_to: done }',
      '{ name: tool, parameters: { properties: { topic: { type: string } } }, transition_to: done }',
      '{ name: known, transition_only: true, transition_to: done }',
    ])
      expect(offering(offered)).toEqual({ body: 'edge', errors: [] });
  });

  test('one that neither moves nor has arguments nor is registered is told as forgotten', () => {
    expect(offering('{ name: tool }').errors).toContain('idle-function');
  });
});

describe('a function that is transition_only', () => {
  test.each([
    'handler: known',
    'run: lookup',
    'effect: write',
    'save_as: kept',
    'confirm: true',
    'parameters: { properties: { a: {} } }',
  ])('cannot have %s', (part) => {
    expect(offering(`{ name: known, transition_only: true, transition_to: done, ${part} }`).errors).toContain(
      'conflicting-keys',
    );
  });

  test('leads to one node', () => {
    expect(offering('{ name: known, transition_only: true }').errors).toContain('missing-target');
  });
});

test('trouble is met by the node’s own rules, else by the flow’s', () => {
  const graph = graphOf({
    initialNode: 'own',
    onError: 'help',
    fallback: 'Of the flow.',
    filler: 'One moment.',
    replyTimeoutMs: 2_000,
    nodes: {
      own: {
        onError: 'bye',
        fallback: 'Of the node.',
        filler: 'Hm.',
        replyTimeoutMs: 9_000,
        taskMessages: [{ role: 'system', content: 'Help.' }],
        functions: [{ name: 'go', transitionTo: 'help' }],
      },
      help: { say: 'I am getting help.', functions: [{ name: 'go', transitionTo: 'bye' }] },
      bye: { say: 'Bye.', end: true },
    },
  });
  const rules = (id: string) => {
    const node = graph.nodes.get(id) ?? null;
    return {
      onError: troubleRule(graph, node, 'onError'),
      fallback: troubleRule(graph, node, 'fallback')?.texts[0].source,
      filler: troubleRule(graph, node, 'filler')?.texts[0].source,
      replyTimeoutMs: troubleRule(graph, node, 'replyTimeoutMs'),
    };
  };

  expect(rules('own')).toEqual({ onError: 'bye', fallback: 'Of the node.', filler: 'Hm.', replyTimeoutMs: 9_000 });
  expect(rules('help')).toEqual({
    onError: 'help',
    fallback: 'Of the flow.',
    filler: 'One moment.',
    replyTimeoutMs: 2_000,
  });
});
