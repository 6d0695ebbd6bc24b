import type { SettledCall } from '../../model/signals/signal.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import { bindingReferences, boundNames, resolveBinding } from '../../flow/expression/binding.ts';
import { type Lookup, resolvePath } from '../../flow/expression/path.ts';
import type { Graph, GraphFunction, GraphNode, GraphSlot } from '../../flow/graph/graph.ts';
import { type Draft, intend } from '../state/draft.ts';
import { lookupOf, sourcesOf, withMember } from '../state/names.ts';
import { functionIn, nodeOf } from '../move/offers.ts';
import { callUnderWay } from './pending-calls.ts';
import { provenanceOf } from '../state/provenance.ts';
import type { SessionState } from '../state/state.ts';

/**
 * Makes the call that a node names, as the model would, if every required argument is known and this visit has not made
 * it with the same arguments. Returns false if there is nothing to call.
 */
export function callByNode(draft: Draft, node: GraphNode): boolean {
  const { graph, state } = draft;
  const offered = node.call === null ? null : calledBy(graph, node);
  if (offered === null || node.call === null || callUnderWay(state)) return false;
  // After a refusal the caller must speak once more before the call is proposed again.
  if (state.dialogue.refused.includes(offered.name)) return false;
  const given = argumentsOf(graph, state, node.call.input, offered);
  const before = state.position.nodeCall?.visit === state.position.visit ? state.position.nodeCall : null;
  if (given === null || (before !== null && sameArguments(before.arguments, given))) return false;
  const { number: turn, ordinal } = state.turn;
  const { visit } = state.position;
  const provenance = provenanceOf(draft, given);
  state.position.nodeCall = { visit, arguments: given, isDone: false };
  if (offered.saveAs !== null && !offered.write)
    state.knowledge.computed = withMember(state.knowledge.computed, offered.saveAs, {
      node: node.id,
      arguments: given,
    });
  intend(draft, {
    kind: 'tool',
    payload: {
      name: offered.name,
      node: node.id,
      visit,
      handler: offered.handler,
      callId: `node_${turn}_${ordinal}`,
      arguments: given,
      write: offered.write,
      confirmed: false,
      ...(provenance === undefined ? {} : { provenance }),
      isByNode: true,
    },
  });
  return true;
}

/** Makes the node's call again if it did not succeed: the caller has spoken since. */
export function callAgain(draft: Draft, node: GraphNode): boolean {
  const { state } = draft;
  if (awaitedCall(draft.graph, state, node) === null) return false;
  const before = state.position.nodeCall;
  state.position.nodeCall = null;
  if (callByNode(draft, node)) return true;
  state.position.nodeCall = before;
  return false;
}

/** Returns the node's call that has not succeeded in this visit; null if there is none. */
export function awaitedCall(graph: Graph, state: SessionState, node: GraphNode): GraphFunction | null {
  if (node.call === null) return null;
  const isDone = state.position.nodeCall?.visit === state.position.visit && state.position.nodeCall.isDone;
  return isDone ? null : calledBy(graph, node);
}

/** Records the outcome of the node's call, made by the node or the model. A cancelled call is due again. */
export function noteNodeCall({ graph, state }: Draft, call: SettledCall): void {
  const node = call.visit === state.position.visit ? nodeOf(graph, state, call.node) : null;
  const offered = node === null ? null : calledBy(graph, node);
  if (node?.call == null || offered?.name !== call.name || call.state === 'blocked') return;
  const { nodeCall, visit } = state.position;
  const isOwn = nodeCall?.visit === visit && sameArguments(nodeCall.arguments, call.arguments);
  // If the model made the call, the node does not repeat it with the known values.
  const known = isOwn ? null : argumentsOf(graph, state, node.call.input, offered);
  const isDone = call.state === 'done';
  state.position.nodeCall = call.state === 'cancelled' ? null : { visit, arguments: known ?? call.arguments, isDone };
}

/** Returns the slots that a node's call needs, in parameter order, with whether they are required. */
export function slotsOfCall(graph: Graph, node: GraphNode): readonly { slot: GraphSlot; isRequired: boolean }[] {
  const offered = node.call === null ? null : calledBy(graph, node);
  if (offered === null || node.call === null) return [];
  const required = requiredOf(offered);
  const found = new Map<string, { slot: GraphSlot; isRequired: boolean }>();
  for (const name of parametersOf(offered, node.call.input)) {
    const binding = ownBinding(node.call.input, name);
    const names = binding === null ? [name] : sourcesOf(graph, boundNames(binding));
    for (const each of names) {
      const slot = graph.slots.get(each);
      const isRequired = required.has(name) || found.get(each)?.isRequired === true;
      if (slot !== undefined) found.set(each, { slot, isRequired });
    }
  }
  return [...found.values()];
}

/** Returns the function that a node calls on entry; null if it has none. */
export function calledBy(graph: Graph, node: GraphNode): GraphFunction | null {
  return node.call === null ? null : functionIn(graph, node, node.call.function);
}

/** Returns the arguments for the node's call; null if it has no call or a required value is missing. */
export function dueArguments({ graph, state }: Pick<Draft, 'graph' | 'state'>, node: GraphNode): JsonObject | null {
  const offered = calledBy(graph, node);
  return offered === null || node.call === null ? null : argumentsOf(graph, state, node.call.input, offered);
}

/** Returns the known arguments; null if a required one is missing, so no call has blanks. */
function argumentsOf(
  graph: Graph,
  state: SessionState,
  input: NonNullable<GraphNode['call']>['input'],
  offered: GraphFunction,
): JsonObject | null {
  const lookup = lookupOf(graph, state);
  const required = requiredOf(offered);
  let given: Readonly<Record<string, Json>> = {};
  for (const name of parametersOf(offered, input)) {
    const value = argumentOf(graph, state, lookup, input, name);
    if (value !== undefined && value !== null) given = withMember(given, name, value);
    else if (required.has(name)) return null;
  }
  return given;
}

/** Returns the arguments that are bound to changed slots. */
export function boundAnew(
  { graph, state }: Pick<Draft, 'graph' | 'state'>,
  input: NonNullable<GraphNode['call']>['input'],
  changed: readonly string[],
): JsonObject {
  const lookup = lookupOf(graph, state);
  let given: Readonly<Record<string, Json>> = {};
  for (const [name, binding] of Object.entries(input)) {
    if (!sourcesOf(graph, boundNames(binding)).some((each) => changed.includes(each))) continue;
    const value = argumentOf(graph, state, lookup, input, name);
    if (value !== undefined && value !== null) given = withMember(given, name, value);
  }
  return given;
}

function argumentOf(
  graph: Graph,
  state: SessionState,
  lookup: Lookup,
  input: NonNullable<GraphNode['call']>['input'],
  name: string,
): Json | undefined {
  const binding = ownBinding(input, name);
  if (binding === null) {
    const isKnown = graph.slots.has(name) && Object.hasOwn(state.knowledge.slots, name);
    return isKnown ? state.knowledge.slots[name]?.value : undefined;
  }
  const isBlank = bindingReferences(binding).some(({ path }) => resolvePath(path, lookup) === undefined);
  // Documents and bindings are JSON.
  return isBlank ? undefined : (resolveBinding(binding, lookup) as Json);
}

function ownBinding(input: NonNullable<GraphNode['call']>['input'], name: string) {
  return Object.hasOwn(input, name) ? (input[name] ?? null) : null;
}

/** Returns the possible arguments: the function's parameters, and those that the node binds. */
function parametersOf({ parameters }: GraphFunction, input: NonNullable<GraphNode['call']>['input']): Set<string> {
  const properties = parameters['properties'];
  const declared = typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
  return new Set([...declared, ...Object.keys(input)]);
}

function requiredOf({ parameters }: GraphFunction): ReadonlySet<string> {
  const required = parameters['required'];
  return new Set(Array.isArray(required) ? required.map(String) : []);
}

/** Compares the arguments of two calls. */
export function sameArguments(one: JsonObject, other: JsonObject): boolean {
  const text = (given: JsonObject): string =>
    JSON.stringify(Object.entries(given).toSorted(([first], [second]) => (first < second ? -1 : 1)));
  return text(one) === text(other);
}
