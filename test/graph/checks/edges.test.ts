import { describe, expect, test } from 'vitest';
import { flow, found } from './found.ts';

const pure = { type: 'test.pure', defaultTransition: 'done' };
const other = { say: 'Other.', defaultTransition: 'done' };
const start = { say: 'Hi.', defaultTransition: 'a' };
const equals = (value: unknown): object => ({ equals: { var: 'a.route', value } });
const withEdges = (edges: object[], a: object = pure, parts: object = {}): object =>
  flow({ start, a, other }, { edges: edges.map((edge) => ({ from: 'a', ...edge })), ...parts });

test('equal conditions lead to one target only', () => {
  const ambiguous = withEdges([
    { to: 'other', when: equals(true) },
    { to: 'done', when: equals('true') },
  ]);
  expect(found('ambiguous-edges', ambiguous)).toEqual(['warning edges[1].when']);
  const nested = (value: unknown): object => ({ any: [{ not: equals(value) }, { in: { var: 'a', values: [value] } }] });
  expect(
    found(
      'ambiguous-edges',
      withEdges([
        { to: 'other', when: nested(1) },
        { to: 'done', when: nested('1') },
      ]),
    ),
  ).toHaveLength(1);

  expect(
    found(
      'ambiguous-edges',
      withEdges([
        { to: 'other', when: equals(1) },
        { to: 'done', when: equals(2) },
      ]),
    ),
  ).toEqual([]);
  expect(
    found(
      'ambiguous-edges',
      withEdges([
        { to: 'done', when: equals(1) },
        { to: 'done', when: equals(1) },
      ]),
    ),
  ).toEqual([]);
  const ofTwoNodes = withEdges([
    { to: 'done', when: equals(1) },
    { from: 'other', to: 'start', when: equals(1) },
  ]);
  expect(found('ambiguous-edges', ofTwoNodes)).toEqual([]);
});

test('what stands behind an edge without condition is never taken', () => {
  const edges = [{ to: 'other' }, { to: 'done', when: equals(1) }, { to: 'start' }];
  expect(found('shadowed-edge', withEdges(edges))).toEqual([
    'warning edges[1]',
    'warning edges[2]',
    'warning key of nodes.a.defaultTransition',
  ]);
  const sound = [{ to: 'done', when: equals(1) }, { to: 'other' }];
  expect(found('shadowed-edge', withEdges(sound, { type: 'test.pure' }))).toEqual([]);
});

test('while slots are missing an edge with a condition is tried, wherever it stands', () => {
  const edges = [{ to: 'other' }, { to: 'done', when: equals(1) }];
  const slots = { slots: { x: { type: 'text', ask: 'X?' } } };
  expect(found('shadowed-edge', withEdges(edges, { collect: ['x'] }, slots))).toEqual([]);
  expect(found('shadowed-edge', withEdges(edges, { collect: ['x'], defaultTransition: 'done' }, slots))).toEqual([
    'warning key of nodes.a.defaultTransition',
  ]);
});

test('a catalog node does not lead to itself', () => {
  expect(found('self-loop', withEdges([{ to: 'a', when: equals(1) }]))).toEqual(['error edges[0].to']);
  const byDefault = flow({ start, a: { type: 'test.pure', defaultTransition: 'a' } });
  expect(found('self-loop', byDefault)).toEqual(['error nodes.a.defaultTransition']);
  expect(found('routing-cycle', byDefault)).toEqual([]);
  expect(found('self-loop', withEdges([{ to: 'a', when: equals(1) }], other))).toEqual([]);
});

describe('a decision that a write has made final', () => {
  const write = (name: string, to: string, more: object = {}): object => ({
    say: 'x',
    functions: [{ name, effect: 'write', confirm: 'Shall I?', transitionTo: to, ...more }],
  });
  const slots = { way: { type: 'text', ask: 'Which?' } };
  const reads = { confirm: 'Shall I go {{ way }}?' };
  const byWay = { from: 'start', to: 'pay', when: { equals: { var: 'way', value: 'post' } } };
  const told = (nodes: object, edges: object[] = [byWay]): readonly string[] =>
    found(
      'settled-decision',
      flow({ start: { collect: ['way'], defaultTransition: 'done' }, ...nodes }, { slots, edges }),
    );

  test('is reported if a later write on one of its ways reads the slot', () => {
    expect(told({ pay: write('tool', 'send'), send: write('book', 'done', reads) })).toEqual([
      'note key of nodes.start',
    ]);
    const properties = { parameters: { properties: { way: { type: 'string' } } } };
    expect(told({ pay: write('tool', 'send'), send: write('book', 'done', properties) })).toHaveLength(1);
  });

  test('is reported if a catalog node decides by the slot', () => {
    const nodes = {
      start: { collect: ['way'], defaultTransition: 'which' },
      which: { type: 'test.pure', input: { by: '{{ way }}' }, defaultTransition: 'done' },
      pay: write('tool', 'send'),
      send: write('book', 'done', reads),
    };
    const edge = { from: 'which', to: 'pay', when: { equals: { var: 'which.route', value: 'post' } } };
    expect(told(nodes, [edge])).toEqual(['note key of nodes.which']);
  });

  test('is not reported if the later write does not read it, is on all ways, or is behind the same decision again', () => {
    expect(told({ pay: write('tool', 'send'), send: write('book', 'done') })).toEqual([]);
    expect(
      told({
        start: { collect: ['way'], defaultTransition: 'send' },
        pay: write('tool', 'send'),
        send: write('book', 'done', reads),
      }),
    ).toEqual([]);
    const again = { from: 'again', to: 'send', when: { equals: { var: 'way', value: 'post' } } };
    expect(
      told(
        {
          pay: write('tool', 'again'),
          again: { say: 'x', listen: false, defaultTransition: 'done' },
          send: write('book', 'done', reads),
        },
        [byWay, again],
      ),
    ).toEqual([]);
    expect(told({ pay: write('tool', 'done', reads) })).toEqual([]);
  });
});
