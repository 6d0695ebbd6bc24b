import type { Graph } from '../graph/graph.ts';
import type { SessionState } from '../kernel/state.ts';

/** A session in the flow that it runs. */
export interface PlaceInFlow {
  readonly graph: Graph;
  readonly state: SessionState;
}

/** Whether a version of the active flow has the node that the session is at. */
export function isAtHome(version: Graph, { graph, state }: PlaceInFlow): boolean {
  return graph.generator === null && version.generator === null && version.nodes.has(state.node);
}

/** Whether that node, with all that it asks for, is the same in the version as in the flow that the session is in. */
export function isSameThere(version: Graph, { graph, state }: PlaceInFlow): boolean {
  const partOf = ({ document }: Graph): string =>
    JSON.stringify([nodeIn(document, state.node), document.slots ?? null]);
  return partOf(version) === partOf(graph);
}

function nodeIn({ nodes }: Graph['document'], id: string): unknown {
  return Array.isArray(nodes) ? nodes.find((node) => node.id === id) : nodes[id];
}
