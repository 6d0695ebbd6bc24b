import { describe, expect, test } from 'vitest';
import { flow, found } from './found.ts';

const to = (node: object, parts: object = {}): object =>
  flow({ node, start: { say: 'Hi.', defaultTransition: 'node' } }, parts);
const name = { slots: { name: { type: 'name', ask: 'Your name?' } } };
const edge = (when?: object): object => ({ from: 'node', to: 'done', ...(when === undefined ? {} : { when }) });
const equals = (value: unknown): object => ({ equals: { var: 'node.route', value } });

describe('nothing leads on from', () => {
  test.each([
    ['a node that only speaks', to({ say: 'Well.' })],
    [
      'a node whose functions never move',
      to({ say: 'Well.', functions: [{ name: 'note', parameters: { properties: { x: {} } } }] }),
    ],
    ['a node that collects', to({ collect: ['name'] }, name)],
    ['a catalog node without edges', to({ type: 'test.pure' })],
  ])('%s', (_what, document) => {
    expect(found('dead-end', document)).toEqual(['error key of nodes.node']);
  });

  test('a node of a list, which is named by its id', () => {
    expect(found('dead-end', { initialNode: 'start', nodes: [{ id: 'start', say: 'Hi.' }] })).toEqual([
      'error nodes[0].id',
    ]);
  });
});

describe('a node is no dead end', () => {
  test.each([
    ['if it ends', to({ say: 'Bye.', end: true })],
    ['if an action ends the conversation', to({ say: 'Bye.', postActions: [{ type: 'end_conversation' }] })],
    ['if a function moves', to({ say: 'Well.', functions: [{ name: 'go', transitionTo: 'done' }] })],
    [
      'if a function may move, even by a branch without default',
      to({
        say: 'W.',
        functions: [{ name: 'go', handler: 'tool', transitionTo: { field: 'a', cases: { b: 'done' } } }],
      }),
    ],
    [
      'if code behind a callback moves',
      to({ say: 'Well.', functions: [{ name: 'go', transitionCallback: 'choose' }] }),
    ],
    ['if a function of the flow moves', to({ say: 'Well.' }, { functions: [{ name: 'go', transitionTo: 'done' }] })],
    ['if an edge leads on', to({ say: 'Well.' }, { edges: [edge({ exists: { var: 'x' } })] })],
    ['if it is left by default', to({ collect: ['name'], defaultTransition: 'done' }, name)],
    ['if it collects and an edge leads on', to({ collect: ['name'] }, { ...name, edges: [edge()] })],
    ['if it is a catalog node that always fails', to({ type: 'test.fail' })],
    ['if it is of an unknown type, which is problem enough', to({ type: 'test.unknown' })],
  ])('%s', (_what, document) => {
    for (const code of ['dead-end', 'maybe-dead-end', 'collect-without-exit'])
      expect(found(code, document)).toEqual([]);
  });
});

test('as long as nobody knows what code registers, any function may have code that moves', () => {
  const document = to({ say: 'Well.', functions: [{ name: 'note' }] });
  expect(found('maybe-dead-end', document, {})).toEqual(['warning key of nodes.node']);
  expect(found('dead-end', document, {})).toEqual([]);
  expect(found('dead-end', to({ say: 'Well.' }), {})).toEqual(['error key of nodes.node']);
});

test('a function of the flow that a node hides does not lead on from there', () => {
  const hidden = to({ say: 'Well.', functions: [{ name: 'go', parameters: { properties: { x: {} } } }] });
  const document = { ...hidden, functions: [{ name: 'go', transitionTo: 'done' }] };
  expect(found('dead-end', document)).toEqual(['error key of nodes.node']);
});

test('a node without functions in which the model answers is left by the caller, and no more than a note', () => {
  const document = to({ taskMessages: [{ role: 'system', content: 'Answer what they ask.' }], functions: [] });
  expect(found('open-ended', document)).toEqual(['note key of nodes.node']);
  for (const code of ['dead-end', 'maybe-dead-end']) expect(found(code, document)).toEqual([]);
});

describe('a node may be a dead end', () => {
  test.each([
    ['if only a tool could name the next node', to({ say: 'Well.', functions: [{ name: 'tool' }] })],
    [
      'if it collects and only a tool could name the next node',
      to({ collect: ['name'], functions: [{ name: 'tool' }] }, name),
    ],
    [
      'if a catalog node leaves by conditions only',
      to({ type: 'test.pure' }, { edges: [edge(equals('a')), edge(equals('b'))] }),
    ],
    [
      'if it collects and leaves by conditions only',
      to({ collect: ['name'] }, { ...name, edges: [edge(equals('a'))] }),
    ],
  ])('%s', (_what, document) => {
    expect(found('maybe-dead-end', document)).toEqual(['warning key of nodes.node']);
    expect(found('dead-end', document)).toEqual([]);
  });

  test.each([
    [[equals('a')]],
    [[equals(true), equals('a')]],
    [[equals(false), equals('a')]],
    [[equals('a'), equals(false)]],
  ])('if these are all its conditions: %j', (whens) => {
    const document = to({ type: 'test.pure' }, { edges: whens.map((when) => edge(when)) });
    expect(found('maybe-dead-end', document)).toEqual(['warning key of nodes.node']);
  });

  test.each([
    ['is and is not', equals('a'), { not: equals('a') }],
    ['is and differs', equals(1), { notEquals: { var: 'node.route', value: '1' } }],
    ['is true and is false', equals('true'), equals(false)],
    ['more and at most', { greater: { var: 'n', value: 3 } }, { atMost: { var: 'n', value: 3 } }],
    ['less and at least', { less: { var: 'n', value: 3 } }, { atLeast: { var: 'n', value: 3 } }],
  ])('unless its conditions are opposites: %s', (_what, one, other) => {
    expect(found('maybe-dead-end', to({ type: 'test.pure' }, { edges: [edge(one), edge(other)] }))).toEqual([]);
    expect(found('maybe-dead-end', to({ type: 'test.pure' }, { edges: [edge(other), edge(one)] }))).toEqual([]);
  });
});

test('a node that collects should lead on by itself, also where the model can move', () => {
  const functions = [{ name: 'go', transitionTo: 'done' }];
  expect(found('collect-without-exit', to({ collect: ['name'], functions }, name))).toEqual([
    'warning key of nodes.node',
  ]);
  expect(found('collect-without-exit', to({ collect: ['name'], functions, defaultTransition: 'done' }, name))).toEqual(
    [],
  );
  expect(found('collect-without-exit', to({ say: 'Well.', functions }))).toEqual([]);
});

test('ways out of a node in which the conversation ends are never used', () => {
  const end = { say: 'Bye.', end: 'booked' };
  const functions = [{ name: 'go', transitionTo: 'done' }];
  const ways = { collect: ['name'], functions, defaultTransition: 'done' };
  expect(found('end-with-way-out', to({ ...end, ...ways }, { ...name, edges: [edge()] }))).toEqual([
    'warning key of nodes.node.collect',
    'warning key of nodes.node.functions',
    'warning key of nodes.node.defaultTransition',
    'warning edges[0].from',
  ]);
  expect(found('end-with-way-out', to({ ...end, functions: [] }))).toEqual([]);
});
