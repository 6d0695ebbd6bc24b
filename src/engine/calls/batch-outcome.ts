import type { FlowEvents, FlowFact } from '../../model/events/event.ts';
import type { SettledCall } from '../../model/signals/signal.ts';
import type { Graph } from '../../flow/graph/graph.ts';
import { functionIn, nodeOf } from '../../kernel/move/offers.ts';
import type { SessionState } from '../../kernel/state/state.ts';
import { targetFor } from '../../kernel/move/ways-out.ts';

/**
 * Returns notes for the model, by call id, about calls whose transition was not taken. Without them it
 * would assume that all transitions happened. `facts` are those of the step that settled the calls.
 */
export function droppedTransitions(
  graph: Graph,
  state: SessionState,
  calls: readonly SettledCall[],
  facts: readonly FlowFact[],
): ReadonlyMap<string, string> {
  const notes = new Map<string, string>();
  // Facts are in the order of `calls`. The call without a fact is the one whose transition was taken.
  const dropped = facts.flatMap((fact) => (fact.type === 'transition:dropped' ? [fact.data] : []));
  let taken = false;
  for (const call of calls) {
    const [next] = dropped;
    if (next === undefined) break;
    const to = targetOf(graph, state, call);
    if (to === null) continue;
    const isNext = next.function === call.name && next.to === to;
    // A call that lost to another comes after the winner.
    if (!isNext || (next.reason === 'another-won' && !taken)) {
      taken = true;
      continue;
    }
    const why = next.problem === undefined ? `${reasons[next.reason]}.` : `${reasons[next.reason]}: ${next.problem}`;
    notes.set(call.callId, `Its transition was not taken: ${why}`);
    dropped.shift();
  }
  return notes;
}

const reasons: Readonly<Record<FlowEvents['transition:dropped']['reason'], string>> = {
  'another-won': 'another call decided where to go',
  superseded: 'the caller said something else',
  stale: 'the conversation had moved on',
  'unknown-node': 'there is no such node',
  'invalid-node': 'the node made on the spot is not valid',
  corrected: 'the caller corrected what was asked about, and is asked anew',
  unconfirmed: 'a call of the same reply waits for the yes of the caller, and the conversation would end before it',
};

/** Returns the node that a call leads to. */
function targetOf(graph: Graph, state: SessionState, call: SettledCall): string | null {
  if (call.state !== 'done') return null;
  if (call.next !== undefined) return call.next.kind === 'stay' ? null : call.next.to;
  const node = nodeOf(graph, state, call.node);
  const offered = node === null ? null : functionIn(graph, node, call.name);
  return offered === null ? null : targetFor(offered.target, call.result);
}

/** Returns the language that the last of these calls chose; null if none did. */
export function languageChosen(graph: Graph, state: SessionState, calls: readonly SettledCall[]): string | null {
  const chosen = calls.findLast((call) => {
    const node = call.state === 'done' ? nodeOf(graph, state, call.node) : null;
    return node !== null && functionIn(graph, node, call.name)?.body === 'language';
  });
  const language = chosen?.arguments['language'];
  return typeof language === 'string' ? language : null;
}
