import type { JsonObject } from '../../model/json.ts';
import { evaluateWhen } from '../../flow/expression/when.ts';
import { namesRead } from '../../flow/expression/wordings.ts';
import type { GraphNode, GraphSlot } from '../../flow/graph/graph.ts';
import { canonical } from '../../flow/graph/hash.ts';
import { type Draft, emit } from '../state/draft.ts';
import { evaluateTask, namesReadBy } from '../call/evaluate-task.ts';
import { conditionNames, type Moment, sourcesOf, withMember } from '../state/names.ts';
import { nodeOf } from './offers.ts';
import { isUnread } from '../state/proposed.ts';
import { isMissing } from './due-slots.ts';
import type { PathStep } from '../state/position.ts';
import type { SessionState } from '../state/state.ts';
import type { Move } from './ways-out.ts';

/** Number of remembered steps of the path. Older decisions cannot be corrected. */
const stepsKept = 64;

/** A decision that was revised. */
export interface Retaken {
  readonly node: string;
  readonly from: string;
  readonly path: readonly PathStep[];
}

/** Adds a node to the path. If the path already contains it, later steps are dropped because they will be decided again. */
export function notePath({ state }: Draft, { id }: GraphNode): void {
  if (isInDigression(state)) return;
  const before = state.position.path.findIndex(({ node }) => node === id);
  const kept = before < 0 ? state.position.path : state.position.path.slice(0, before);
  state.position.path = [...kept, { node: id }].slice(-stepsKept);
}

/** Records the slots that decided how a node was left. */
export function noteDecision(draft: Draft, { cause, edge, to }: Move): void {
  const { graph, state } = draft;
  if (isInDigression(state) || (cause !== 'edge' && cause !== 'default')) return;
  const node = nodeOf(graph, state, state.position.node);
  if (node === null) return;
  adoptCorrected(draft, sourcesOf(graph, node.edges.filter(({ index }) => index === edge).flatMap(readsOfEdge)));
  const names = readsOf({ graph, state }, node, edge);
  if (names.length === 0) return;
  const others = state.position.path.filter((step) => step.node !== node.id);
  state.position.path = [...others, { node: node.id, to, reads: valuesOf(state, names) }].slice(-stepsKept);
}

/** Makes all decisions so far final, after a write or after code has moved the conversation. */
export function keepDecisions({ state }: Draft): void {
  if (state.position.path.length > 0) state.position.path = [];
}

/** Accepts a slot value that code has set: earlier decisions by this slot stay. */
export function adoptValue({ state }: Draft, name: string): void {
  const value = state.knowledge.slots[name]?.value;
  state.position.path = state.position.path.map((step) =>
    step.reads === undefined || !Object.hasOwn(step.reads, name) || value === undefined
      ? step
      : { ...step, reads: withMember(step.reads, name, value) },
  );
}

/** Recomputes the outputs of pure nodes that depend on a corrected slot, in path order. */
export function recompute(draft: Draft, name: string): void {
  const { graph, state } = draft;
  const compared = comparedWith(draft, name);
  for (const { node: id, reads = {} } of state.position.path) {
    const node = Object.hasOwn(reads, name) && !compared.has(id) ? nodeOf(graph, state, id) : null;
    if (node?.task == null || !('evaluate' in node.task.type)) continue;
    const ended = evaluateTask(node.task, conditionNames(draft));
    if (ended.ok) state.knowledge.outputs = withMember(state.knowledge.outputs, id, ended.output);
  }
}

/**
 * Returns the names that a currently true edge compares the slot with. An output that detects the change of a slot must
 * keep its old value.
 */
function comparedWith(draft: Draft, name: string): ReadonlySet<string> {
  return new Set(sourcesOf(draft.graph, ownWays(draft, [name]).flatMap(readsOfEdge)));
}

/** Returns the current node's edges that read one of these slots and hold. */
function ownWays(moment: Moment, names: readonly string[]): readonly GraphNode['edges'][number][] {
  const edges = names.length === 0 ? [] : (nodeOf(moment.graph, moment.state, moment.state.position.node)?.edges ?? []);
  return edges.filter(
    (edge) =>
      edge.when !== null &&
      sourcesOf(moment.graph, readsOfEdge(edge)).some((name) => names.includes(name)) &&
      evaluateWhen(edge.when, conditionNames(moment)),
  );
}

function readsOfEdge({ when }: GraphNode['edges'][number]): readonly string[] {
  return (when?.references ?? []).map(({ path: [name] }) => String(name));
}

/** Keeps earlier decisions if the author's own edge handles the corrected slots. */
export function adoptCorrected(draft: Draft, names: readonly string[]): void {
  const corrected = correctedReads(draft.state).filter((name) => !isWaiting(draft.state, name));
  for (const name of names) if (corrected.includes(name)) adoptValue(draft, name);
}

/**
 * Returns the new target of the earliest decision that a corrected slot changes. Returns null if there is none, while
 * the slot waits for its read-back, and while a write is under way.
 */
export function retakenWay(moment: Moment): Move | null {
  const { graph, state } = moment;
  if (state.position.path.every(({ reads }) => reads === undefined)) return null;
  if (isInDigression(state) || Object.values(state.effects).some(isWrite)) return null;
  // The author's own edge for the corrected value has priority.
  if (ownWays(moment, correctedReads(state)).length > 0) return null;
  for (const [index, { node: id, reads, to: from }] of state.position.path.entries()) {
    if (reads === undefined || from === undefined) continue;
    const changed = changedIn(state, reads);
    const node = changed.length === 0 ? null : nodeOf(graph, state, id);
    if (node === null) continue;
    if (changed.some((name) => isWaiting(state, name))) return null;
    // The caller decided about other values, so the node asks again.
    if (saidToCaller(node).some((name) => changed.includes(name)))
      return { to: id, cause: 'stale', retaken: { node: id, from, path: state.position.path.slice(0, index) } };
    if (asksNow(moment, node, changed))
      return { to: id, cause: 'stale', retaken: { node: id, from, path: state.position.path.slice(0, index) } };
    const { to, edge } = decidedNow(moment, node);
    if (to === null || to === from) continue;
    const names = [...new Set([...Object.keys(reads), ...readsOf(moment, node, edge)])];
    const path = [...state.position.path.slice(0, index), { node: id, to, reads: valuesOf(state, names) }];
    return { to, cause: 'stale', retaken: { node: id, from, path } };
  }
  return null;
}

/** Returns the slots that decisions have read and that were corrected since. */
export function correctedReads(state: SessionState): readonly string[] {
  return [...new Set(state.position.path.flatMap(({ reads = {} }) => changedIn(state, reads)))];
}

export function tellRetaken(draft: Draft, { node, from, path }: Retaken, to: string): void {
  draft.state.position.path = path;
  emit(draft, { type: 'decision:retaken', data: { node, from, to } });
}

function isInDigression({ position: { stack } }: SessionState): boolean {
  return stack.at(-1)?.kind === 'digression';
}

function isWrite(effect: SessionState['effects'][string]): boolean {
  return effect.kind === 'tool' && effect.payload.write;
}

function isWaiting({ knowledge: { slots } }: SessionState, name: string): boolean {
  const known = slots[name];
  return known !== undefined && isUnread(known);
}

/** A slot that became unknown is asked for first, so it does not count as changed. */
function changedIn({ knowledge: { slots } }: SessionState, reads: JsonObject): readonly string[] {
  return Object.keys(reads).filter((name) => {
    const known = Object.hasOwn(slots, name) ? slots[name] : undefined;
    return known !== undefined && canonical(known.value) !== canonical(reads[name]);
  });
}

function valuesOf({ knowledge: { slots } }: SessionState, names: readonly string[]): JsonObject {
  return Object.fromEntries(
    names.flatMap((name) => {
      const known = Object.hasOwn(slots, name) ? slots[name] : undefined;
      return known === undefined ? [] : [[name, known.value] as const];
    }),
  );
}

/** Checks whether a node that was left asks for another slot because of a corrected one. */
function asksNow({ graph, state }: Moment, node: GraphNode, changed: readonly string[]): boolean {
  return node.collect.some((name) => {
    const slot = graph.slots.get(name);
    if (
      slot === undefined ||
      slotsAmong({ graph, state }, readsOfQuestion(slot)).every((one) => !changed.includes(one))
    )
      return false;
    return isMissing(graph, state, slot);
  });
}

function readsOfQuestion(slot: GraphSlot | undefined): readonly string[] {
  return (slot?.askWhen?.references ?? []).map(({ path: [name] }) => String(name));
}

function decidedNow(moment: Moment, node: GraphNode): { readonly to: string | null; readonly edge?: number } {
  const names = conditionNames(moment);
  const edge = node.edges.find(({ when }) => when === null || evaluateWhen(when, names));
  return edge === undefined ? { to: node.defaultTransition } : { to: edge.to, edge: edge.index };
}

/**
 * Returns the slots that the exit of a node depends on, up to the edge taken. Slots behind an earlier pure node's
 * output are included.
 */
function readsOf(
  moment: Pick<Draft, 'graph' | 'state'>,
  node: GraphNode,
  taken: number | undefined,
): readonly string[] {
  const last = node.edges.findIndex(({ index }) => index === taken);
  const edges = last < 0 ? node.edges : node.edges.slice(0, last + 1);
  const read = edges.flatMap(readsOfEdge);
  const { task } = node;
  const byTask =
    task === null || !('evaluate' in task.type)
      ? []
      : namesReadBy(task, conditionNames({ ...moment, civil: '1970-01-01T00:00' }));
  const byQuestions = node.collect.flatMap((name) => readsOfQuestion(moment.graph.slots.get(name)));
  return slotsAmong(moment, [...read, ...byTask, ...byQuestions, ...saidToCaller(node)]);
}

/** Returns the names in the question of a node that asks the caller: the caller's decision is about their values. */
function saidToCaller({ interrupt }: GraphNode): readonly string[] {
  return interrupt?.question == null ? [] : namesRead(interrupt.question);
}

function slotsAmong({ graph, state }: Pick<Draft, 'graph' | 'state'>, names: readonly string[]): readonly string[] {
  return [
    ...new Set(
      sourcesOf(graph, names).flatMap((name) => {
        if (graph.slots.has(name)) return [name];
        return Object.keys(state.position.path.find(({ node }) => node === name)?.reads ?? {});
      }),
    ),
  ];
}
