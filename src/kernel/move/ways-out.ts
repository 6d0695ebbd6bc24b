import { evaluateWhen } from '../../flow/expression/when.ts';
import { resolvePath } from '../../flow/expression/path.ts';
import { ownValue } from '../../flow/expression/own-value.ts';
import { type TransferOutcome, transferOutcomes } from '../../model/transfer.ts';
import { scalarText } from '../../flow/expression/same-value.ts';
import type { ToolPayload } from '../../model/effect.ts';
import type { TransitionCause } from '../../model/events/event.ts';
import type { Json } from '../../model/json.ts';
import type { Graph, GraphNode, Target } from '../../flow/graph/graph.ts';
import { conditionNames, type Moment } from '../state/names.ts';
import { confirmationIn, waitOf } from '../state/draft.ts';
import { type Retaken, retakenWay } from './decisions.ts';
import { awaitedCall } from '../call/node-call.ts';
import { isAskedAgain, nextNeed, ungroundedIn } from '../state/slots.ts';
import { outdatedMove } from '../call/outdated-results.ts';
import type { SettledCall } from '../../model/signals/signal.ts';
import { functionIn, nodeOf } from './offers.ts';
import { returnTarget } from '../../flow/document/function.ts';
import type { SessionState } from '../state/state.ts';

/** A transition to take. */
export interface Move {
  readonly to: string;
  readonly cause: TransitionCause;
  readonly function?: string;
  readonly edge?: number;
  /** `$return` can come back to the source. */
  readonly digression?: boolean;
  /** The revised decision that leads here after a correction. */
  readonly retaken?: Retaken;
  /** The calls whose confirmation was open at the target before the digression. */
  readonly asked?: readonly ToolPayload[];
}

/**
 * Returns the way out of a node without a function: the first edge whose condition holds, then `default_transition`.
 * Edges without a condition need a complete `collect` and a completed call of the node.
 */
export function wayOut({ graph, state, civil }: Moment, node: GraphNode): Move | null {
  // Only the awaited event leaves the node.
  if (node.interrupt !== null && isUndecided(state, node)) return null;
  const led = node.interrupt?.leadsTo.find(
    ({ outcome }) => outcome !== undefined && outcome === outcomeOf(state, node),
  );
  if (led !== undefined) return { to: led.to, cause: 'outcome' };
  // A caller who was put through needs no other way.
  if (node.interrupt?.isTransfer === true && outcomeOf(state, node) === 'answered') return null;
  // An ungrounded value is read back before it decides anything.
  if (ungroundedIn(graph, state, node) !== null) return null;
  const stale = retakenWay({ graph, state, civil }) ?? outdatedMove({ graph, state }, node);
  if (stale !== null) return stale;
  const awaited = awaitedCall(graph, state, node);
  const complete = awaited === null && (node.collect.length === 0 || nextNeed(graph, state, node) === null);
  for (const edge of node.edges) {
    // The result of an earlier visit's call does not count.
    if (awaited !== null && edge.when?.references.some(({ path: [name] }) => name === awaited.saveAs) === true)
      continue;
    // A value that is being asked for again decides nothing.
    if (edge.when?.references.some(({ path: [name] }) => isAskedAgain(graph, state, node, String(name))) === true)
      continue;
    const holds = edge.when === null ? complete : evaluateWhen(edge.when, conditionNames({ graph, state, civil }));
    if (holds) return { to: edge.to, cause: 'edge', edge: edge.index };
  }
  return complete && node.defaultTransition !== null ? { to: node.defaultTransition, cause: 'default' } : null;
}

/** Returns the outcome of a node's transfer; null before it, and for other nodes. */
export function outcomeOf(
  { knowledge: { outputs } }: Pick<SessionState, 'knowledge'>,
  { id, interrupt }: GraphNode,
): TransferOutcome | null {
  const outcome =
    interrupt?.isTransfer === true && Object.hasOwn(outputs, id) ? ownValue(outputs[id], 'outcome') : null;
  return transferOutcomes.find((one) => one === outcome) ?? null;
}

/** Checks whether the node still waits. */
function isUndecided(state: Moment['state'], { id }: GraphNode): boolean {
  const subject = confirmationIn(state)?.payload.subject;
  return waitOf(state, id) !== undefined || (subject?.kind === 'node' && subject.node === id);
}

/** Returns the target of a function's result; null if the flow stays. */
export function targetFor(target: Target | null, result: Json | undefined): string | null {
  if (target === null) return null;
  if (target.kind === 'node') return target.to;
  const [first = '', ...rest] = target.field;
  // The first segment is looked up in the result itself.
  const value = resolvePath(['result', first, ...rest], () => result);
  const text = scalarText(value);
  return (text === undefined ? undefined : target.cases.get(text)) ?? target.otherwise;
}

/** Returns a way out by a condition, or back to an outdated result, after a correction. */
export function conditionalWay(moment: Moment, node: GraphNode): Move | null {
  const way = wayOut(moment, node);
  if (way?.cause === 'stale') return way;
  if (way === null || way.cause !== 'edge') return null;
  return node.edges.some(({ index, when }) => index === way.edge && when !== null) ? way : null;
}

/** A transition that a call requested and that was not taken. */
export interface Dropped {
  readonly to: string;
  readonly function: string;
  readonly reason:
    | 'another-won'
    | 'superseded'
    | 'stale'
    | 'unknown-node'
    | 'invalid-node'
    | 'corrected'
    | 'unconfirmed';
  /** For a dynamic node: the invalid key, the fact and the remedy. */
  readonly problem?: string;
}

export interface Verdict {
  readonly move: Move | null;
  readonly dropped: readonly Dropped[];
}

/**
 * Chooses the transition of a completion: the first in call order, not in order of finishing, among the calls that
 * succeeded. Calls of an earlier node visit do not move, nor do reads that the caller has overtaken.
 */
export function arbitrate(
  graph: Graph,
  state: SessionState,
  calls: readonly SettledCall[],
  superseded: boolean,
): Verdict {
  const dropped: Dropped[] = [];
  let winner: Move | null = null;
  for (const call of calls) {
    if (call.state === 'done' && call.next?.kind === 'invalid') {
      const { to, problem } = call.next;
      dropped.push({ to, function: call.name, reason: 'invalid-node', problem });
      continue;
    }
    const move = offeredMove(graph, state, call);
    if (move === null) continue;
    const drop = (reason: Dropped['reason']): void => void dropped.push({ to: move.to, function: call.name, reason });
    if (call.visit !== state.position.visit || call.node !== state.position.node) drop('stale');
    else if (superseded && move.isOvertaken) drop('superseded');
    else if (!leadsSomewhere(graph, state, move.to)) drop('unknown-node');
    else if (winner !== null) drop('another-won');
    else winner = move;
  }
  return { move: winner, dropped };
}

function leadsSomewhere(graph: Graph, state: SessionState, to: string): boolean {
  return to === returnTarget ? state.position.stack.at(-1)?.kind === 'digression' : nodeOf(graph, state, to) !== null;
}

/** Returns the target of a call: the handler's choice, otherwise the document's. */
function offeredMove(graph: Graph, state: SessionState, call: SettledCall): (Move & { isOvertaken: boolean }) | null {
  if (call.state !== 'done') return null;
  const node = nodeOf(graph, state, call.node);
  const offered = node === null ? null : functionIn(graph, node, call.name);
  if (offered === null) return null;
  const { cancelOnInterruption: isOvertaken, digression } = offered;
  const next = call.next;
  if (next?.kind === 'stay' || next?.kind === 'invalid') return null;
  if (next !== undefined)
    return {
      to: next.to,
      cause: next.kind === 'dynamic' ? 'dynamic' : 'function',
      function: call.name,
      digression,
      isOvertaken,
    };
  const to = targetFor(offered.target, call.result);
  return to === null ? null : { to, cause: 'function', function: call.name, digression, isOvertaken };
}
