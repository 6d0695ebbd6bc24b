import type { Path } from '../../expression/path.ts';
import { transferOutcomes } from '../../../model/transfer.ts';
import type { Registered } from '../../graph/compile/registered.ts';
import type { Graph, GraphFunction, GraphNode } from '../../graph/graph.ts';
import type { NodeSource, NodeSources } from '../../graph/nodes/node-source.ts';
import { type Report, addProblem } from '../../graph/report.ts';
import { hasOpposites } from './condition-key.ts';
import { leadingByCode, leads } from '../offers.ts';
import { isSurelyAsked } from '../known-slots.ts';
import { placeOf } from '../place.ts';

/** Reports nodes without a way out, and ways out of nodes that end the conversation. */
export function checkWaysOut(report: Report, graph: Graph, sources: NodeSources, registered: Registered): void {
  const offersMove = offering(graph, leads);
  const offersCode = offering(graph, leadingByCode(registered));
  for (const source of sources.values()) {
    const node = graph.nodes.get(source.id);
    if (node === undefined || endsByAction(node) || isOfUnknownType(node, source)) continue;
    if (node.end !== null) {
      reportWaysOutOfEnd(report, node, source);
      continue;
    }
    const isTask = node.task !== null || node.interrupt !== null;
    const found = isTask ? deadEndOfTask(graph, node) : deadEndOf(graph, node, offersMove, offersCode);
    if (found === null) continue;
    const { code, message, hint } = found;
    const { path, atKey } = placeOf(source);
    const severity = code === 'dead-end' ? 'error' : code === 'open-ended' ? 'note' : 'warning';
    addProblem(report, severity, code, path, message, { hint, atKey });
  }
}

/** Checks whether an edge or the default always leads on from a node once its work is done. */
export function alwaysLeads(node: GraphNode): boolean {
  return node.defaultTransition !== null || node.edges.some(({ when }) => when === null);
}

/** Like `alwaysLeads`, but also true for two opposite conditions. */
export function surelyLeaves(graph: Graph, node: GraphNode): boolean {
  if (alwaysLeads(node) || leadsAfterTransfer(graph, node)) return true;
  const whens = node.edges.flatMap(({ index }) => graph.document.edges?.[index]?.when ?? []);
  return whens.length > 1 && hasOpposites(whens, (name) => isSurelyKnown(graph, node, name));
}

/** Checks whether every failure of a transfer leads on. An answered one ends the conversation by default. */
function leadsAfterTransfer(graph: Graph, { interrupt, trouble }: GraphNode): boolean {
  if (interrupt?.isTransfer !== true) return false;
  const led = new Set(interrupt.leadsTo.map(({ outcome }) => outcome));
  const isRescued = [trouble.onError, graph.trouble.onError, graph.onTrouble].some((to) => to !== null);
  return isRescued || transferOutcomes.every((outcome) => outcome === 'answered' || led.has(outcome));
}

/** Checks whether a name always has a value when a node is left. Values that code sets count as set. */
function isSurelyKnown(graph: Graph, node: GraphNode, [name = '', field]: Path): boolean {
  const slot = graph.slots.get(name);
  if (slot !== undefined) return isSurelyAsked(graph, name);
  const input = graph.input.get(name);
  if (input !== undefined) return input.required || input.default !== undefined;
  if (node.task?.policy.continueOnError === true && name === node.id) return field === undefined;
  return graph.variables.get(name) !== null;
}

/** Returns a check whether a node offers a function that passes the test, its own or a visible one of the flow. */
function offering(graph: Graph, test: (offered: GraphFunction) => boolean): (node: GraphNode) => boolean {
  const everywhere = graph.functions.filter(test);
  return (node) => {
    if (node.functions.some(test)) return true;
    const own = new Set(everywhere.length === 0 ? [] : node.functions.map(({ name }) => name));
    return everywhere.some(({ name }) => !own.has(name));
  };
}

/** Checks whether an action of a node ends the conversation. */
function endsByAction(node: GraphNode): boolean {
  return [...node.preActions, ...node.postActions].some(({ type }) => type === 'end_conversation');
}

/** Checks for an unknown type, which is reported separately. */
function isOfUnknownType(node: GraphNode, { source }: NodeSource): boolean {
  return source.type !== undefined && node.task === null && node.interrupt === null;
}

interface DeadEnd {
  readonly code: 'dead-end' | 'open-ended' | 'maybe-dead-end' | 'collect-without-exit';
  readonly message: string;
  readonly hint: string;
}

function deadEndOfTask(graph: Graph, node: GraphNode): DeadEnd | null {
  if (node.task?.type.capabilities?.fails === true || surelyLeaves(graph, node)) return null;
  if (node.interrupt?.isTransfer === true)
    return deadEnd(
      node,
      'Add a default_transition for a person who is not reached, or name a node for each outcome under on.',
    );
  return node.edges.length > 0 ? leavesByCondition(node) : deadEnd(node, 'Add an edge or a default_transition.');
}

function deadEndOf(
  graph: Graph,
  node: GraphNode,
  offersMove: (node: GraphNode) => boolean,
  offersCode: (node: GraphNode) => boolean,
): DeadEnd | null {
  const collects = node.collect.length > 0;
  if (!collects && [...node.keys.values()].some((target) => graph.nodes.has(target))) return null;
  const leaves = collects ? surelyLeaves(graph, node) : node.defaultTransition !== null || node.edges.length > 0;
  if (leaves) return null;
  if (node.edges.length > 0) return offersMove(node) ? null : leavesByCondition(node);
  if (offersMove(node)) return collects ? leavesByModel(node) : null;
  if (offersCode(node)) return leavesByCode(node);
  // The model answers until the caller hangs up.
  if (!collects && node.functions.length === 0 && node.messages.length > 0) return openEnded(node);
  return deadEnd(
    node,
    collects ? 'Add a default_transition.' : 'Add a transition_to, a default_transition, or end: true.',
  );
}

function deadEnd({ id }: GraphNode, hint: string): DeadEnd {
  return { code: 'dead-end', message: `nothing leads on from node "${id}".`, hint };
}

function openEnded({ id }: GraphNode): DeadEnd {
  return {
    code: 'open-ended',
    message: `in node "${id}" the model answers whatever the caller says, and nothing leads on.`,
    hint: 'Fine where the caller is to hang up. Else add a function with a transition_to, a default_transition, or end: true.',
  };
}

function leavesByCondition({ id }: GraphNode): DeadEnd {
  return {
    code: 'maybe-dead-end',
    message: `node "${id}" leaves only by conditions. If none holds, nothing leads on.`,
    hint: 'Add a default_transition, or an edge without when.',
  };
}

function leavesByCode({ id }: GraphNode): DeadEnd {
  return {
    code: 'maybe-dead-end',
    message: `nothing leads on from node "${id}", unless a tool returns the next node.`,
    hint: 'Add a transition_to, a default_transition, or end: true.',
  };
}

function leavesByModel({ id }: GraphNode): DeadEnd {
  return {
    code: 'collect-without-exit',
    message: `node "${id}" leads nowhere once it has collected everything, unless the model calls a function.`,
    hint: 'Add a default_transition.',
  };
}

function reportWaysOutOfEnd(report: Report, node: GraphNode, { path, source }: NodeSource): void {
  const ways = (['collect', 'call', 'functions', 'keys', 'defaultTransition'] as const)
    .filter((key) => Object.keys(source[key] ?? []).length > 0)
    .map((key) => ({ path: [...path, key], atKey: true }));
  const edges = node.edges.map(({ index }) => ({ path: ['edges', index, 'from'], atKey: false }));
  for (const way of [...ways, ...edges])
    addProblem(
      report,
      'warning',
      'end-with-way-out',
      way.path,
      `the conversation ends in node "${node.id}", so this is never used.`,
      {
        hint: 'Remove it, or remove end.',
        atKey: way.atKey,
      },
    );
}
