import type { Graph, GraphNode } from '../graph/graph.ts';
import type { NodeSources } from '../graph/nodes/node-source.ts';
import { type Report, addProblem } from '../graph/report.ts';
import { placeOf } from './place.ts';
import { alwaysLeads } from './ways/ways-out.ts';

/** Reports nodes that wait for words of the caller that no later node reads: the flow only talks on, and ends. */
export function checkUnheardWords(report: Report, graph: Graph, sources: NodeSources): void {
  // With functions of the flow the model is called.
  if (graph.functions.length > 0) return;
  const known = new Map<string, GraphNode | null>();
  for (const source of sources.values()) {
    const node = graph.nodes.get(source.id);
    if (node === undefined || !onlyTalks(node) || node.listen === false || !alwaysLeads(node)) continue;
    const end = talksOnToEnd(graph, node, known);
    if (end === null) continue;
    const { path, atKey } = placeOf(source);
    const fact = `node "${node.id}" waits for the caller, but the answer is never read: "${end.id}" only talks and ends.`;
    addProblem(report, 'warning', 'unheard-words', path, fact, {
      hint: 'Add listen: false to go straight on, or collect a slot or offer functions where the answer counts.',
      atKey,
    });
  }
}

/** Checks whether a node leaves on the caller's turn, whatever the words. */
function onlyTalks({ task, interrupt, call, end, collect, functions, keys, say, messages }: GraphNode): boolean {
  if (task !== null || interrupt !== null || call !== null || end !== null) return false;
  if (collect.length > 0 || functions.length > 0 || keys.size > 0) return false;
  return say !== null || messages.length > 0;
}

/**
 * Returns the end that a node reaches by fixed lines alone; null if a node may read the words, or if conditions decide.
 * `known` caches results per node.
 */
function talksOnToEnd(graph: Graph, start: GraphNode, known: Map<string, GraphNode | null>): GraphNode | null {
  const passed = new Set<string>();
  const settle = (end: GraphNode | null): GraphNode | null => {
    for (const id of passed) known.set(id, end);
    return end;
  };
  for (let node = start; !passed.has(node.id);) {
    const found = known.get(node.id);
    if (found !== undefined) return settle(found);
    passed.add(node.id);
    if (node.edges.some(({ when }) => when !== null)) return settle(null);
    const next = graph.nodes.get(node.edges[0]?.to ?? node.defaultTransition ?? '');
    if (next === undefined || next.say === null) return settle(null);
    if (next.end !== null) return settle(next);
    if (!onlyTalks(next)) return settle(null);
    node = next;
  }
  return settle(null);
}
