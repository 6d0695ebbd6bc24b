import { propertiesOf } from '../../graph/compile/function.ts';
import type { Graph, GraphNode } from '../../graph/graph.ts';
import type { Offer, Target } from '../offers.ts';
import { isPassed, movesOf } from './routing-cycles.ts';

/**
 * Returns the target of a function if the flow comes straight back from it: each node on the way collects only known
 * slots, so the caller is asked nothing.
 */
export function passedThrough(
  graph: Graph,
  known: () => ReadonlyMap<string, ReadonlySet<string>>,
  { offered, source, node }: Offer,
  { to, at }: Target,
): GraphNode | null {
  const there = graph.nodes.get(to);
  if (node === null || there === undefined || there.id === node.id || there.end !== null) return null;
  if (there.collect.length === 0 || !isPassed(graph, there)) return null;
  const isRefused = at[0] === 'onRefuse';
  // A function that fills a slot or runs code brings something new.
  if (!isRefused && (offered.body !== 'edge' || givesSlot(graph, source))) return null;
  // It was collected on the way here, or is known the second time.
  if (there.edges.length === 0 && there.defaultTransition === node.id) return there;
  return comesBack(graph, known().get(node.id) ?? new Set(), node, there) ? there : null;
}

function givesSlot(graph: Graph, source: Offer['source']): boolean {
  return Object.keys(propertiesOf(source)).some((name) => graph.slots.has(name));
}

/** Limit of nodes searched per function. */
const mostNodes = 100;

/** Checks whether a way back exists on which the caller is asked nothing. */
function comesBack(graph: Graph, known: ReadonlySet<string>, node: GraphNode, there: GraphNode): boolean {
  const seen = new Set([there.id]);
  const open = [there];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    const asks = one.collect.some((name) => !known.has(name)) || one.forget.length > 0;
    if (asks || !isPassed(graph, one)) continue;
    for (const { to } of movesOf(graph, one, [])) {
      if (to === node.id) return true;
      const next = graph.nodes.get(to);
      if (next === undefined || seen.has(to) || seen.size >= mostNodes) continue;
      seen.add(to);
      open.push(next);
    }
  }
  return false;
}
