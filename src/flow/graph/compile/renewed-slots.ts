import type { Graph } from '../graph.ts';

const known = new WeakMap<Graph, ReadonlySet<string>>();

/** Returns the slots that any node forgets or asks for again. */
export function renewedSlots(graph: Graph): ReadonlySet<string> {
  const before = known.get(graph);
  if (before !== undefined) return before;
  const names = new Set([...graph.nodes.values()].flatMap(({ again, forget }) => [...again, ...forget]));
  known.set(graph, names);
  return names;
}
