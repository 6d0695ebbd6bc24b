import { describe, expect, test } from 'vitest';
import { checkFlow } from '../../src/index.ts';

const flow = {
  initialNode: 'a',
  nodes: { a: { say: 'Hello.', functions: [{ name: 'go', effect: 'read', transitionTo: 'a' }] } },
};

describe('checkFlow', () => {
  test('checks a flow by itself, with the built-in node types', () => {
    const { graph, diagnostics } = checkFlow({ initialNode: 'a', nodes: { a: { type: 'control.noop' } } });
    expect(graph).toBeNull();
    expect(diagnostics.map(({ code }) => code)).toEqual(['dead-end']);
  });

  test('knows names of any language in slots, texts and conditions', () => {
    const { diagnostics } = checkFlow({
      initial_node: 'a',
      slots: { größe: { type: 'integer', ask: 'Wie groß?' } },
      nodes: { a: { collect: ['größe'], default_transition: 'b' }, b: { say: '{{ größe }}.', end: true } },
      edges: [{ from: 'a', to: 'b', when: { greater: { var: 'größe', value: 190 } } }],
    });
    expect(diagnostics).toEqual([]);
  });

  test('holds functions against those that are registered, where it is told which', () => {
    const codes = (functions?: ReadonlySet<string>): readonly string[] =>
      checkFlow(flow, functions === undefined ? {} : { functions })
        .diagnostics.map(({ code }) => code)
        .filter((code) => code.endsWith('-function'));
    expect(codes()).toEqual(['unregistered-function']);
    expect(codes(new Set())).toEqual(['unknown-function']);
    expect(codes(new Set(['go']))).toEqual([]);
  });

  test.each([null, undefined, 5, true, Symbol('x'), 5n, () => 1, [], '', 'nothing.yaml', '\0', new Date(), new Map()])(
    'tells of %s, and does not throw',
    (given) => {
      const { graph, tasks, diagnostics } = checkFlow(given as never); // Possible in JavaScript.
      expect([graph, tasks]).toEqual([null, null]);
      expect(diagnostics.length).toBeGreaterThan(0);
    },
  );
});

test.each([
  { initialNode: '', nodes: { '': { say: 'Hi.', end: true } } },
  { flow: {}, nodes: { '': { type: 'control.noop' } } },
])('a node whose name is empty is told: %j', (flow) => {
  expect(checkFlow(flow as object).diagnostics).toMatchObject([{ code: 'out-of-range', hint: 'Name the node.' }]);
});
