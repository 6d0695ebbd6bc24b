import { propertiesOf } from '../../graph/compile/function.ts';
import type { Graph, GraphNode } from '../../graph/graph.ts';
import type { Offer, Target } from '../offers.ts';
import { isPassed, movesOf } from './routing-cycles.ts';

/**
 * The node that a move of a function leads to where it comes straight back to the node of the function: each node on the way
 * collects only what is known by then, and the caller is asked nothing.
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
  // Only a function that does nothing else brings nothing new.
  if (!isRefused && (offered.body !== 'edge' || givesSlot(graph, source))) return null;
  // It was collected on the way here, or is known at the latest the second time.
  if (there.edges.length === 0 && there.defaultTransition === node.id) return there;
  return comesBack(graph, known().get(node.id) ?? new Set(), node, there) ? there : null;
}

function givesSlot(graph: Graph, source: Offer['source']): boolean {
  return Object.keys(propertiesOf(source)).some((name) => graph.slots.has(name));
}

/** The most nodes that are looked at on the ways from one function. */
const mostNodes = 100;

/** Whether a way leads back that nobody is asked on. */
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
