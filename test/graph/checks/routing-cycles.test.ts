import { describe, expect, test } from 'vitest';
import { flow, found, problemsOf } from './found.ts';

const pure = { type: 'test.pure' };
const agent = { type: 'test.agent' };
const slots = { slots: { x: { type: 'text', ask: 'X?' }, y: { type: 'text', ask: 'Y?' } } };
const when = { equals: { var: 'a.route', value: 'again' } };
const start = { say: 'Hi.', defaultTransition: 'a' };

describe('nodes that wait for nobody lead round', () => {
  test.each([
    [
      'by edges',
      flow(
        { start, a: pure, b: pure },
        {
          edges: [
            { from: 'a', to: 'b' },
            { from: 'b', to: 'a' },
          ],
        },
      ),
      'error edges[1].to',
      'a -> b -> a',
    ],
    [
      'by defaults',
      flow({ start, a: { ...pure, defaultTransition: 'b' }, b: { ...pure, defaultTransition: 'a' } }),
      'error nodes.b.defaultTransition',
      'a -> b -> a',
    ],
    [
      'through nodes whose slots are known',
      flow(
        { start, a: { collect: ['x'], defaultTransition: 'b' }, b: { collect: ['y'], defaultTransition: 'a' } },
        slots,
      ),
      'error nodes.b.defaultTransition',
      'a -> b -> a',
    ],
    [
      'in one node whose slots are known',
      flow({ start, a: { collect: ['x'], defaultTransition: 'a' } }, slots),
      'error nodes.a.defaultTransition',
      'a -> a',
    ],
    [
      'whatever the condition, if each way stays inside',
      flow(
        {
          start,
          a: { ...pure, defaultTransition: 'c' },
          b: { ...pure, defaultTransition: 'a' },
          c: { ...agent, defaultTransition: 'a' },
        },
        { edges: [{ from: 'a', to: 'b', when }] },
      ),
      'error nodes.b.defaultTransition',
      'a -> b -> a',
    ],
    [
      'also of agents, if nothing leads out',
      flow({ start, a: { ...agent, defaultTransition: 'b' }, b: { ...agent, defaultTransition: 'a' } }),
      'error nodes.b.defaultTransition',
      'a -> b -> a',
    ],
    [
      'with a condition to leave, which may never hold',
      flow(
        { start, a: { ...pure, defaultTransition: 'b' }, b: { ...pure, defaultTransition: 'a' } },
        { edges: [{ from: 'b', to: 'done', when }] },
      ),
      'warning nodes.b.defaultTransition',
      'a -> b -> a',
    ],
    [
      'back to a node that asks for nothing new',
      flow(
        { start, a: { collect: ['x'], defaultTransition: 'b' }, b: { ...pure, defaultTransition: 'done' } },
        { ...slots, edges: [{ from: 'b', to: 'a', when }] },
      ),
      'warning edges[0].to',
      'a -> b -> a',
    ],
  ])('%s', (_what, document, place, circle) => {
    expect(found('routing-cycle', document)).toEqual([place]);
    expect(problemsOf(document).find(({ code }) => code === 'routing-cycle')?.message).toContain(` ${circle}.`);
  });

  test('a way out to a node that runs at once is a way out too', () => {
    const nodes = {
      a: { ...pure, defaultTransition: 'b' },
      b: { ...pure, defaultTransition: 'a' },
      c: { ...pure, defaultTransition: 'done' },
    };
    const document = flow({ start, ...nodes }, { edges: [{ from: 'a', to: 'c', when }] });
    expect(found('routing-cycle', document)).toEqual(['warning nodes.b.defaultTransition']);
  });

  test('of circles within circles the one through the first node is named', () => {
    const nodes = {
      a: { ...pure, defaultTransition: 'b' },
      b: { ...pure, defaultTransition: 'c' },
      c: { ...pure, defaultTransition: 'a' },
    };
    const document = flow({ start, ...nodes }, { edges: [{ from: 'c', to: 'b', when }] });
    expect(problemsOf(document).find(({ code }) => code === 'routing-cycle')?.message).toContain(' a -> b -> c -> a.');
  });

  test('one report stands for all circles of a knot', () => {
    const nodes = {
      a: { ...pure, defaultTransition: 'b' },
      b: { ...pure, defaultTransition: 'a' },
      c: { ...pure, defaultTransition: 'a' },
    };
    const document = flow({ start, ...nodes }, { edges: [{ from: 'b', to: 'c', when }] });
    expect(found('routing-cycle', document)).toHaveLength(1);
  });

  test('a long circle is named in short', () => {
    const nodes = Object.fromEntries(
      Array.from({ length: 20 }, (_, i) => [`n${i}`, { ...pure, defaultTransition: `n${(i + 1) % 20}` }]),
    );
    const message = problemsOf(flow(nodes)).find(({ code }) => code === 'routing-cycle')?.message;
    expect(message).toContain('n0 -> n1 -> n2 -> n3 -> n4 -> n5 -> n6 -> n7 -> (12 more) -> n0.');
  });
});

describe('a circle is fine', () => {
  const edges = [
    { from: 'a', to: 'b' },
    { from: 'b', to: 'a' },
  ];
  test.each([
    ['if a node in it speaks and waits', flow({ start, a: pure, b: { say: 'Once more.' } }, { edges })],
    [
      'if a node in it prompts',
      flow({ start, a: pure, b: { taskMessages: [{ role: 'system', content: 'Ask.' }] } }, { edges }),
    ],
    ['if it ends the conversation', flow({ start, a: pure, b: { say: 'Bye.', end: true } }, { edges })],
    ['if a node in it always fails', flow({ start, a: pure, b: { type: 'test.fail' } }, { edges })],
    [
      'if an agent decides when to leave',
      flow({ start, a: agent, b: pure }, { edges: [{ from: 'a', to: 'done', when }, ...edges] }),
    ],
    [
      'if what would close it is never tried',
      flow(
        { start, a: pure, b: { ...pure, defaultTransition: 'a' } },
        {
          edges: [
            { from: 'a', to: 'b' },
            { from: 'b', to: 'done' },
          ],
        },
      ),
    ],
    [
      'if the edge that closes it is never tried',
      flow({ start, a: pure, b: pure }, { edges: [{ from: 'b', to: 'done' }, ...edges] }),
    ],
    [
      'if only a function closes it',
      flow({
        start,
        a: { ...pure, defaultTransition: 'b' },
        b: { say: 'W.', functions: [{ name: 'go', transitionTo: 'a' }] },
      }),
    ],
  ])('%s', (_what, document) => {
    expect(found('routing-cycle', document)).toEqual([]);
  });
});

test('a node that asks on each visit is no part of a circle', () => {
  const round = (a: object, b: object): readonly string[] =>
    found(
      'routing-cycle',
      flow({ start, a: { ...a, defaultTransition: 'b' }, b: { ...b, defaultTransition: 'a' } }, slots),
    );
  expect(round({ collect: ['x'] }, { collect: ['y'] })).toHaveLength(1);
  expect(round({ collect: [{ slot: 'x', again: true }] }, { collect: ['y'] })).toEqual([]);
  expect(round({ forget: ['x'], collect: ['x'] }, { collect: ['y'] })).toEqual([]);
  expect(round({ collect: ['x'] }, { forget: ['x'], collect: ['y'] })).toEqual([]);
  expect(round({ collect: ['x'] }, { forget: ['z'], collect: ['y'] })).toHaveLength(1);
});
