import fc from 'fast-check';
import { expect, test } from 'vitest';
import { strongComponents } from '../../../src/flow/check/ways/strong-components.ts';

const graphs = fc.integer({ min: 0, max: 9 }).chain((size) => {
  const successors =
    size === 0 ? fc.constant<number[]>([]) : fc.array(fc.integer({ min: 0, max: size - 1 }), { maxLength: 4 });
  return fc.array(successors, { minLength: size, maxLength: size });
});

test('two vertices are in one component if and only if each leads to the other', () => {
  fc.assert(
    fc.property(graphs, (successors) => {
      const components = strongComponents(successors);
      const reach = successors.map((_, from) => reachedFrom(successors, from));
      const expected = successors.map((_, a) =>
        successors.flatMap((_next, b) => (a === b || (reach[a]?.has(b) && reach[b]?.has(a)) ? [b] : [])),
      );
      expect(components.flat().toSorted((a, b) => a - b)).toEqual([...successors.keys()]);
      for (const component of components)
        for (const vertex of component) expect(component.toSorted((a, b) => a - b)).toEqual(expected[vertex]);
    }),
    { numRuns: 1_000 },
  );
});

test('a chain and a circle of a hundred thousand are no matter', () => {
  const size = 100_000;
  const chain = Array.from({ length: size }, (_, vertex) => (vertex + 1 < size ? [vertex + 1] : []));
  expect(strongComponents(chain)).toHaveLength(size);
  expect(strongComponents(chain.map((next) => (next.length === 0 ? [0] : next)))).toHaveLength(1);
});

function reachedFrom(successors: readonly (readonly number[])[], from: number): ReadonlySet<number> {
  const reached = new Set<number>();
  const open = [...(successors[from] ?? [])];
  for (let vertex = open.pop(); vertex !== undefined; vertex = open.pop()) {
    if (reached.has(vertex)) continue;
    reached.add(vertex);
    open.push(...(successors[vertex] ?? []));
  }
  return reached;
}
