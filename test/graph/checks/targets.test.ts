import { describe, expect, test } from 'vitest';
import { flow, found, problemsOf } from './found.ts';

const offering = (offered: object): object => ({ say: 'Hello.', functions: [{ name: 'go', ...offered }] });

test('a sound flow has no problems', () => {
  expect(problemsOf(flow({}))).toEqual([]);
});

test.each([{}, []])('a flow needs nodes: %j', (nodes) => {
  expect(found('no-nodes', { initialNode: 'start', nodes })).toEqual(['error key of nodes']);
  expect(found('unknown-initial-node', { initialNode: 'start', nodes })).toEqual([]);
});

test('a flow begins in a node that exists', () => {
  expect(found('unknown-initial-node', flow({}, { initialNode: 'begin' }))).toEqual(['error initialNode']);
  expect(found('unknown-initial-node', flow({}, { initialNode: '$return' }))).toEqual(['error initialNode']);
  expect(found('unknown-initial-node', flow({}))).toEqual([]);
});

describe('what is named as a target exists', () => {
  test.each([
    ['of a function', flow({ start: offering({ transitionTo: 'don' }) }), 'nodes.start.functions[0].transitionTo'],
    [
      'of a case of a branch',
      flow({ start: offering({ handler: 'tool', transitionTo: { field: 'ok', cases: { true: 'done', no: 'don' } } }) }),
      'nodes.start.functions[0].transitionTo.cases.no',
    ],
    [
      'of a branch in any other case',
      flow({
        start: offering({ handler: 'tool', transitionTo: { field: 'ok', cases: { true: 'done' }, default: 'don' } }),
      }),
      'nodes.start.functions[0].transitionTo.default',
    ],
    [
      'of a function of the flow',
      flow({}, { functions: [{ name: 'go', transitionTo: 'don' }] }),
      'functions[0].transitionTo',
    ],
    [
      'of default_transition',
      flow({ start: { say: 'Hi.', defaultTransition: 'don' } }),
      'nodes.start.defaultTransition',
    ],
    ['of on_error of a node', flow({ done: { say: 'Bye.', end: true, onError: 'don' } }), 'nodes.done.onError'],
    ['of on_error of the flow', flow({}, { onError: 'don' }), 'onError'],
    ['of an edge', flow({}, { edges: [{ from: 'start', to: 'don' }] }), 'edges[0].to'],
    [
      'in a list of nodes',
      { initialNode: 'start', nodes: [{ id: 'start', say: 'Hello.', defaultTransition: 'done' }] },
      'nodes[0].defaultTransition',
    ],
    ['even if it is a name of a prototype', flow({}, { onError: 'constructor' }), 'onError'],
  ])('%s', (_what, document, place) => {
    expect(found('unknown-target', document)).toEqual([`error ${place}`]);
  });

  test('and where it does, nothing is reported', () => {
    const go = {
      name: 'go',
      handler: 'tool',
      transitionTo: { field: 'ok', cases: { true: 'done' }, default: 'start' },
    };
    const parts = { onError: 'done', functions: [go], edges: [{ from: 'start', to: 'done' }] };
    expect(found('unknown-target', flow({ start: { say: 'Hello.', onError: 'done' } }, parts))).toEqual([]);
  });

  test('the message names thing and fact, and the hint a name that is near', () => {
    const [problem] = problemsOf(flow({ start: { say: 'Hi.', defaultTransition: 'don' } }));
    expect(problem?.message).toBe('default_transition of node "start" leads to "don", which does not exist.');
    expect(problem?.hint).toBe('Did you mean "done"?');
  });

  test('where other formats write END, the hint says how a conversation ends', () => {
    const [problem] = problemsOf(flow({ start: { say: 'Hi.', defaultTransition: 'END' } }));
    expect(problem?.hint).toBe('A conversation ends in a node that says so: { say: …, end: REASON }.');
  });
});

test('an edge leaves a node that exists', () => {
  expect(found('unknown-source', flow({}, { edges: [{ from: 'strat', to: 'done' }] }))).toEqual([
    'error edges[0].from',
  ]);
  expect(found('unknown-source', flow({}, { edges: [{ from: '$return', to: 'done' }] }))).toHaveLength(1);
  expect(found('unknown-source', flow({}, { edges: [{ from: 'start', to: 'done' }] }))).toEqual([]);
});

describe('$return', () => {
  const faq = { say: 'We open at nine.', defaultTransition: '$return' };
  const ask = (digression: boolean): object => ({ functions: [{ name: 'ask', transitionTo: 'faq', digression }] });

  test('comes back where a function is a digression', () => {
    const parts = { ...ask(true), edges: [{ from: 'faq', to: '$return', when: { exists: { var: 'x' } } }] };
    const codes = problemsOf(flow({ faq }, parts)).map(({ code }) => code);
    expect(codes).not.toContain('return-without-digression');
    expect(codes).not.toContain('unknown-target');
  });

  test('means nothing where none is', () => {
    expect(found('return-without-digression', flow({ faq }, ask(false)))).toEqual([
      'error nodes.faq.defaultTransition',
    ]);
    const edges = { edges: [{ from: 'start', to: '$return' }] };
    expect(found('return-without-digression', flow({}, edges))).toEqual(['error edges[0].to']);
    const back = flow({ start: { say: 'Hi.', functions: [{ name: 'back', transitionTo: '$return' }] } });
    expect(found('return-without-digression', back)).toEqual(['error nodes.start.functions[0].transitionTo']);
  });

  test('is no place to go in trouble', () => {
    expect(found('unknown-target', flow({ faq }, { ...ask(true), onError: '$return' }))).toEqual(['error onError']);
  });

  test('is no name for a node', () => {
    expect(found('reserved-name', flow({ $return: faq }, ask(true)))).toEqual(['error key of nodes["$return"]']);
  });
});
