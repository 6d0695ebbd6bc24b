import { describe, expect, test } from 'vitest';
import { flow, found, problemsOf } from './found.ts';

const lost = { say: 'Nobody hears this.', end: true };
const go = { name: 'go', transitionTo: 'lost' };

test('nothing leads to a node', () => {
  expect(found('unreachable-node', flow({ lost }))).toEqual(['warning key of nodes.lost']);
  const list = [
    { id: 'start', say: 'Bye.', end: true },
    { id: 'lost', ...lost },
  ];
  expect(found('unreachable-node', { initialNode: 'start', nodes: list })).toEqual(['warning nodes[1].id']);
});

test('what only unreachable nodes lead to is unreachable too', () => {
  const one = { say: 'One.', defaultTransition: 'lost' };
  expect(found('unreachable-node', flow({ one, lost }))).toEqual([
    'warning key of nodes.one',
    'warning key of nodes.lost',
  ]);
});

test('what only a node leads to in which the conversation ends is unreachable', () => {
  expect(found('unreachable-node', flow({ lost, done: { say: 'Bye.', end: true, functions: [go] } }))).toHaveLength(1);
});

test('the functions of the flow are offered only where there is a conversation', () => {
  const start = { type: 'test.pure', defaultTransition: 'done' };
  expect(found('unreachable-node', flow({ start, lost }, { functions: [go] }))).toEqual(['warning key of nodes.lost']);
});

describe('a node is reached', () => {
  test.each([
    ['by a function', flow({ lost, start: { say: 'Hi.', functions: [go], defaultTransition: 'done' } })],
    [
      'by a branch',
      flow({
        lost,
        start: {
          say: 'Hi.',
          functions: [
            { name: 'go', handler: 'tool', transitionTo: { field: 'a', cases: { b: 'done' }, default: 'lost' } },
          ],
        },
      }),
    ],
    ['by a function of the flow', flow({ lost }, { functions: [go] })],
    ['by an edge', flow({ lost }, { edges: [{ from: 'start', to: 'lost' }] })],
    ['by default_transition', flow({ lost, start: { say: 'Hi.', defaultTransition: 'lost' } })],
    ['by on_error of a node', flow({ lost, start: { say: 'Hi.', defaultTransition: 'done', onError: 'lost' } })],
    ['by on_error of the flow', flow({ lost }, { onError: 'lost' })],
  ])('%s', (_what, document) => {
    expect(found('unreachable-node', document)).not.toContain('warning key of nodes.lost');
  });
});

test('where the flow begins nowhere, every node could be reached', () => {
  expect(found('unreachable-node', flow({ lost }, { initialNode: 'begin' }))).toEqual([]);
});

test.each([
  ['target', flow({ lost, start: { say: 'Hi.', functions: [{ ...go, transitionTo: 'lots' }] } })],
  ['source', flow({ lost }, { edges: [{ from: 'strat', to: 'lost' }] })],
])('where a %s is misspelt, nothing is told of what it was to lead to', (what, document) => {
  expect(found(`unknown-${what}`, document)).toHaveLength(1);
  expect(found('unreachable-node', document)).toEqual([]);
});

test.each([{ name: 'tool' }, { name: 'go', transitionCallback: 'choose' }])(
  'the hint says that code may lead there where it can: %j',
  (offered) => {
    const hint = (document: object): string | undefined =>
      problemsOf(document).find(({ code }) => code === 'unreachable-node')?.hint;
    expect(hint(flow({ lost }, { functions: [offered] }))).toContain('code');
    expect(hint(flow({ lost }))).not.toContain('code');
  },
);
