import type { ToolPayload } from '../../model/effect.ts';
import { namesRead } from '../../flow/expression/wordings.ts';
import { answerFunctionName } from '../../flow/document/function.ts';
import { answerFunction } from '../../flow/graph/compile/answer-function.ts';
import type { Graph, GraphFunction, GraphNode } from '../../flow/graph/graph.ts';
import { recordFunction } from '../../flow/graph/compile/record.ts';
import { confirmationIn, type Draft, isUnheard } from '../state/draft.ts';
import { withoutSealed } from '../keys/sealed-arguments.ts';
import type { SessionState } from '../state/state.ts';
import type { CallNext } from '../../model/signals/signal.ts';
import { hashOf } from '../../flow/graph/hash.ts';
import { withoutMember } from '../state/names.ts';

/** Returns a node of the graph, or a dynamic node from a handler. */
export function nodeOf(graph: Graph, state: Pick<SessionState, 'position'>, id: string): GraphNode | null {
  const node = graph.nodes.get(id);
  if (node !== undefined) return node;
  const document = Object.hasOwn(state.position.dynamicNodes, id) ? state.position.dynamicNodes[id] : undefined;
  return document === undefined ? null : graph.dynamicNode(document, id);
}

/** Returns all functions of a node: its own, the flow's, `record` if the flow has slots, and `set_language`. */
export function functionsIn(graph: Graph, node: GraphNode): readonly GraphFunction[] {
  const record = graph.record === null ? [] : [recordIn(graph, node, graph.record)];
  const language = graph.setLanguage === null ? [] : [graph.setLanguage];
  if (graph.functions.length + record.length + language.length === 0) return node.functions;
  const own = new Set(node.functions.map((one) => one.name));
  return [...node.functions, ...graph.functions.filter((one) => !own.has(one.name)), ...record, ...language];
}

/**
 * Returns the functions offered now: without those the caller has just refused, and with the function that answers the open
 * question.
 */
export function functionsNow(graph: Graph, state: SessionState, node: GraphNode): readonly GraphFunction[] {
  const all = withoutSealed(graph, state, functionsIn(graph, node));
  const offered =
    state.dialogue.refused.length === 0 ? all : all.filter(({ name }) => !state.dialogue.refused.includes(name));
  const wait = confirmationIn(state);
  if (wait === undefined || isUnheard(state, wait.key)) return offered;
  return [...offered, answerFunction(wait.payload.say)];
}

/** Returns a function of a node by name; null if the node does not offer it. */
export function functionIn(graph: Graph, node: GraphNode, name: string): GraphFunction | null {
  for (const one of node.functions) if (one.name === name) return one;
  for (const one of graph.functions) if (one.name === name) return one;
  if (name === answerFunctionName) return answerFunction('');
  if (graph.setLanguage?.name === name) return graph.setLanguage;
  return graph.record?.name === name ? graph.record : null;
}

const records = new WeakMap<GraphNode, GraphFunction>();

/** Returns `record` with the node's slots first. Cached, so its identity is stable. */
function recordIn(graph: Graph, node: GraphNode, record: GraphFunction): GraphFunction {
  if (node.collect.length === 0) return record;
  const known = records.get(node);
  if (known !== undefined) return known;
  const own = recordFunction(graph.slots, node.collect) ?? record;
  records.set(node, own);
  return own;
}

/** Returns the names in the author's question about a call; null without such a question. */
export function namesInConfirm(graph: Graph, state: SessionState, call: ToolPayload): readonly string[] | null {
  const node = nodeOf(graph, state, call.node);
  const confirm = node === null ? null : (functionIn(graph, node, call.name)?.confirm ?? null);
  return confirm === null || confirm === 'described' ? null : namesRead(confirm);
}

/** Number of dynamic nodes that a session remembers, besides those it may return to. */
const dynamicNodesKept = 32;

/** Checks whether a dynamic node is addressed by its id or by the hash of its content. */
export function isNamedRightly({ to, node }: Extract<CallNext, { kind: 'dynamic' }>): boolean {
  return node['id'] === to || hashOf(node) === to;
}

/** Forgets the oldest dynamic nodes. Each belongs to one call, and the state is stored with every step. */
export function forgetDynamicNodes(draft: Draft): void {
  const { state } = draft;
  const ids = Object.keys(state.position.dynamicNodes);
  if (ids.length <= dynamicNodesKept) return;
  const needed = new Set([
    state.position.node,
    state.position.persona,
    ...state.position.stack.flatMap(({ node, persona }) => [node, persona]),
  ]);
  for (const effect of Object.values(state.effects)) needed.add(effect.node);
  for (const call of state.dialogue.confirmations) needed.add(call.node);
  for (const id of ids.slice(0, -dynamicNodesKept))
    if (!needed.has(id)) state.position.dynamicNodes = withoutMember(state.position.dynamicNodes, id);
}
