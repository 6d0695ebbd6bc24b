import type { Graph } from '../flow/graph/graph.ts';
import type { SessionState } from '../kernel/state/state.ts';

/** A session with the flow that it runs. */
export interface PlaceInFlow {
  readonly graph: Graph;
  readonly state: SessionState;
}

/** Checks whether a version of the active flow has the session's current node. */
export function hasCurrentNode(version: Graph, { graph, state }: PlaceInFlow): boolean {
  return graph.generator === null && version.generator === null && version.nodes.has(state.position.node);
}

/** Checks whether the current node, with its slots, is the same in both versions. */
export function isNodeUnchanged(version: Graph, { graph, state }: PlaceInFlow): boolean {
  const partOf = ({ document }: Graph): string =>
    JSON.stringify([nodeIn(document, state.position.node), document.slots ?? null]);
  return partOf(version) === partOf(graph);
}

function nodeIn({ nodes }: Graph['document'], id: string): unknown {
  return Array.isArray(nodes) ? nodes.find((node) => node.id === id) : nodes[id];
}
