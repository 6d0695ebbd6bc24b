import type { Graph, GraphEdge, GraphNode } from '../../graph/graph.ts';
import type { NodeSources } from '../../graph/nodes/node-source.ts';
import { type Report, addProblem } from '../../graph/report.ts';
import { conditionKey } from './condition-key.ts';

/** Reports edges of a node that contradict or hide each other, and catalog nodes that lead to themselves. */
export function checkEdges(report: Report, graph: Graph, sources: NodeSources): void {
  for (const { id, path } of sources.values()) {
    const node = graph.nodes.get(id);
    if (node === undefined) continue;
    if (node.edges.filter(({ when }) => when !== null).length > 1) reportAmbiguous(report, graph, node);
    const always = node.edges.find(({ when }) => when === null);
    if (always !== undefined) reportShadowed(report, node, always, [...path, 'defaultTransition']);
    if (node.task !== null) reportSelfLoops(report, node, [...path, 'defaultTransition']);
  }
}

function reportAmbiguous(report: Report, graph: Graph, node: GraphNode): void {
  const first = new Map<string, string>();
  for (const { index, to } of node.edges) {
    const when = graph.document.edges?.[index]?.when;
    if (when === undefined) continue;
    const key = conditionKey(when);
    const other = first.get(key);
    if (other === undefined) first.set(key, to);
    else if (other !== to)
      addProblem(
        report,
        'warning',
        'ambiguous-edges',
        ['edges', index, 'when'],
        `this condition leads from "${node.id}" to "${other}" already, so never to "${to}".`,
        {
          hint: 'Change one of the conditions, or remove this edge.',
        },
      );
  }
}

function reportShadowed(
  report: Report,
  node: GraphNode,
  always: GraphEdge,
  defaultPath: readonly (string | number)[],
): void {
  const fact = `the edge from "${node.id}" to "${always.to}" has no condition and is tried first, so this is never taken.`;
  const hint = 'Give that edge a when, move it behind, or remove this.';
  for (const { index, when } of node.edges.slice(node.edges.indexOf(always) + 1)) {
    // While slots are missing, only edges with a condition are tried.
    if (when !== null && node.collect.length > 0) continue;
    addProblem(report, 'warning', 'shadowed-edge', ['edges', index], fact, { hint });
  }
  if (node.defaultTransition !== null)
    addProblem(report, 'warning', 'shadowed-edge', defaultPath, fact, { hint, atKey: true });
}

function reportSelfLoops(report: Report, node: GraphNode, defaultPath: readonly (string | number)[]): void {
  const fact = `node "${node.id}" runs on entry and leads to itself.`;
  const hint = 'Lead to a node that waits for the caller.';
  for (const { to, index } of node.edges)
    if (to === node.id) addProblem(report, 'error', 'self-loop', ['edges', index, 'to'], fact, { hint });
  if (node.defaultTransition === node.id) addProblem(report, 'error', 'self-loop', defaultPath, fact, { hint });
}
