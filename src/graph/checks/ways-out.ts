import type { Graph, GraphFunction, GraphNode } from '../graph.ts';
import type { NodeSource, NodeSources } from '../node-source.ts';
import { type Report, tell } from '../report.ts';
import { hasOpposites } from './condition-key.ts';
import { leads } from './offers.ts';
import { placeOf } from './place.ts';

/** Reports nodes that nothing leads on from, and ways out of nodes where the conversation ends. */
export function checkWaysOut(report: Report, graph: Graph, sources: NodeSources): void {
  for (const source of sources.values()) {
    const node = graph.nodes.get(source.id);
    if (node === undefined) continue;
    if (node.end !== null) reportWaysOutOfEnd(report, node, source);
    else if (!endsByAction(node) && !isOfUnknownType(node, source)) reportDeadEnd(report, graph, node, source);
  }
}

/** Whether an action of a node ends the conversation. */
export function endsByAction(node: GraphNode): boolean {
  return [...node.preActions, ...node.postActions].some(({ type }) => type === 'end_conversation');
}

/** Whether, once nothing else is to be done in a node, an edge or its default leads on. */
export function surelyLeaves(graph: Graph, node: GraphNode): boolean {
  if (node.defaultTransition !== null || node.edges.some(({ when }) => when === null)) return true;
  return node.edges.length > 1 && hasOpposites(node.edges.flatMap(({ index }) => graph.document.edges?.[index]?.when ?? []));
}

/** Nothing is known of such a node, and its type is reported already. */
function isOfUnknownType(node: GraphNode, { source }: NodeSource): boolean {
  return source.type !== undefined && node.task === null;
}

function reportDeadEnd(report: Report, graph: Graph, node: GraphNode, source: NodeSource): void {
  const { path, atKey } = placeOf(source);
  const told = (severity: 'error' | 'warning', code: string, message: string, hint: string): void =>
    tell(report, severity, code, path, message, { hint, atKey });
  const onlyByCondition = (): void =>
    told(
      'warning',
      'maybe-dead-end',
      `node "${node.id}" leaves only by conditions; where none holds, nothing leads on.`,
      'Add a default_transition, or an edge without when.',
    );
  if (node.task !== null) {
    if (node.task.type.capabilities?.fails === true || surelyLeaves(graph, node)) return;
    if (node.edges.length > 0) onlyByCondition();
    else told('error', 'dead-end', `nothing leads on from node "${node.id}".`, 'Add an edge or a default_transition.');
    return;
  }
  const collects = node.collect.length > 0;
  if (collects ? surelyLeaves(graph, node) : node.defaultTransition !== null || node.edges.length > 0) return;
  const offered = offeredIn(graph, node);
  const moves = offered.some(leads);
  if (collects && node.edges.length > 0) {
    if (!moves) onlyByCondition();
  } else if (moves) {
    if (collects)
      told(
        'warning',
        'collect-without-exit',
        `node "${node.id}" leads nowhere once it has collected everything, unless the model calls a function.`,
        'Add a default_transition, or an edge.',
      );
  } else if (offered.some(({ body }) => body === 'tool'))
    told(
      'warning',
      'maybe-dead-end',
      `nothing leads on from node "${node.id}" unless a tool returns the next node.`,
      'Add a transition_to or a default_transition, or end: true.',
    );
  else
    told(
      'error',
      'dead-end',
      `nothing leads on from node "${node.id}".`,
      collects ? 'Add a default_transition, or an edge.' : 'Add a transition_to, a default_transition, or end: true.',
    );
}

function offeredIn(graph: Graph, node: GraphNode): readonly GraphFunction[] {
  if (graph.functions.length === 0) return node.functions;
  const own = new Set(node.functions.map(({ name }) => name));
  return [...node.functions, ...graph.functions.filter(({ name }) => !own.has(name))];
}

function reportWaysOutOfEnd(report: Report, node: GraphNode, { path, source }: NodeSource): void {
  const ways = (['collect', 'functions', 'defaultTransition'] as const)
    .filter((key) => source[key] !== undefined && source[key].length > 0)
    .map((key) => ({ path: [...path, key], atKey: true }));
  const edges = node.edges.map(({ index }) => ({ path: ['edges', index, 'from'], atKey: false }));
  for (const way of [...ways, ...edges])
    tell(report, 'warning', 'end-with-way-out', way.path, `the conversation ends in node "${node.id}", so this is never used.`, {
      hint: 'Remove it, or remove end.',
      atKey: way.atKey,
    });
}
