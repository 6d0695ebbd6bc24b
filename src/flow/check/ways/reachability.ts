import type { Registered } from '../../graph/compile/registered.ts';
import type { Graph, GraphFunction, LadderRule } from '../../graph/graph.ts';
import type { NodeSources } from '../../graph/nodes/node-source.ts';
import { type Report, addProblem } from '../../graph/report.ts';
import { leadingByCode, type Offer, targetsOf } from '../offers.ts';
import { placeOf } from '../place.ts';

/** Returns the nodes that the document leads to; all of them if the initial node is unknown. */
export function reachableNodes(graph: Graph): ReadonlySet<string> {
  if (!graph.nodes.has(graph.initial)) return new Set(graph.nodes.keys());
  const reached = new Set<string>();
  const open: string[] = [];
  const reach = (id: string | null): void => {
    if (id === null || reached.has(id) || !graph.nodes.has(id)) return;
    reached.add(id);
    open.push(id);
  };
  const reachAll = (functions: readonly GraphFunction[]): void => {
    for (const offered of functions) for (const { to } of targetsOf(offered)) reach(to);
  };
  const reachAfter = ({ onNoInput, onNoMatch }: LadderRule): void => {
    reach(onNoInput);
    reach(onNoMatch);
  };
  let talks = false;
  reach(graph.initial);
  reach(graph.trouble.onError);
  reach(graph.onTrouble);
  reachAfter(graph.trouble.ladder);
  for (const { ladder } of graph.slots.values()) reachAfter(ladder);
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const node = graph.nodes.get(id);
    if (node === undefined) continue;
    reach(node.trouble.onError);
    reachAfter(node.trouble.ladder);
    for (const { to } of node.interrupt?.leadsTo ?? []) reach(to);
    if (node.end !== null) continue;
    reachAll(node.functions);
    for (const target of node.keys.values()) reach(target);
    for (const { to } of node.edges) reach(to);
    reach(node.defaultTransition);
    if (talks || node.task !== null) continue;
    talks = true;
    reachAll(graph.functions);
  }
  return reached;
}

/** Reports nodes that no part of the document leads to. */
export function checkReachability(
  report: Report,
  sources: NodeSources,
  offers: readonly Offer[],
  registered: Registered,
  reachable: ReadonlySet<string>,
): void {
  // Nodes behind a misspelled name are not reported again.
  if (report.problems.some(({ code }) => code === 'unknown-target' || code === 'unknown-source')) return;
  const byCode = offers.map(({ offered }) => offered).some(leadingByCode(registered));
  for (const source of sources.values()) {
    if (reachable.has(source.id)) continue;
    const { path, atKey } = placeOf(source);
    addProblem(report, 'warning', 'unreachable-node', path, `nothing in the flow leads to node "${source.id}".`, {
      hint: byCode
        ? 'Lead to it or remove it, unless code returns it as the next node.'
        : 'Lead to it by a function, an edge or a default_transition, or remove it.',
      atKey,
    });
  }
}
