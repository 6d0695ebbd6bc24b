import type { SettledCall } from '../../model/signals/signal.ts';
import type { Graph } from '../../flow/graph/graph.ts';
import { functionIn, nodeOf } from '../move/offers.ts';
import { returnTarget } from '../../flow/document/function.ts';
import type { SessionState } from '../state/state.ts';
import { type Move, targetFor } from '../move/ways-out.ts';

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
