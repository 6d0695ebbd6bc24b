import { createSeededRandom } from '../../testing/seeded-random.ts';
import type { Arrow } from '../arrows.ts';
import type { OpenedFlow } from '../opened-test.ts';
import { pick } from './sample-values.ts';
import { type Beginning, type Walk, type WayCounts, wayOf } from './walk.ts';

/** Nodes that walks have reached, and how to reach them again. */
export interface Places {
  add(walk: Walk): void;
  /** The beginning of a walk that leads near transitions without coverage, or null if none is known. */
  next(seed: number): Beginning | null;
  /** Whether every node was entered, and every transition was taken. */
  isAllKnown(): boolean;
}

/** How many beginnings are stored for one node. */
const mostKept = 6;

export function createPlaces({ graph, arrows }: OpenedFlow, counts: WayCounts): Places {
  const known = new Map<string, Beginning[]>();
  const tries = new Map<string, number>();
  const isOpen = ({ from, function: name, cause, to, edge }: Arrow): boolean =>
    !counts.has(wayOf(from, name ?? cause, to, edge));
  /** How much can be discovered from a node: its own transitions, and those of the nodes after it that do not wait. */
  const worth = (id: string): number => {
    const own = arrows.filter(({ from }) => from === id);
    const behind = own.flatMap(({ to }) => (known.has(to) ? [] : arrows.filter(({ from }) => from === to)));
    return own.filter(isOpen).length + behind.filter(isOpen).length / 2;
  };
  return {
    add({ turns, tools, stops }) {
      for (const [index, id] of stops.entries()) {
        if (id === '') continue;
        const all = known.get(id) ?? [];
        const beginning = { turns: turns.slice(0, index + 1), tools };
        // The shortest one stays.
        const sorted = [...all, beginning].toSorted((one, other) => one.turns.length - other.turns.length);
        known.set(id, sorted.slice(0, mostKept));
      }
    },
    next(seed) {
      const random = createSeededRandom(seed * 31 + 7);
      const rated = [...known.keys()].map((id) => ({ id, rate: worth(id) / (1 + (tries.get(id) ?? 0)) }));
      const best = rated.toSorted((one, other) => other.rate - one.rate)[0];
      if (best === undefined || best.rate === 0) return null;
      tries.set(best.id, (tries.get(best.id) ?? 0) + 1);
      return pick(random, known.get(best.id) ?? []) ?? null;
    },
    isAllKnown: () => [...graph.nodes.keys()].every((id) => counts.has(`node ${id}`)) && !arrows.some(isOpen),
  };
}
