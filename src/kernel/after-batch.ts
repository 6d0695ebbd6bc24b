import type { BatchSettled, SettledCall } from '../events/signal.ts';
import { endsInQuestion } from '../expression/wordings.ts';
import type { GraphFunction, GraphNode } from '../graph/graph.ts';
import { type Arrival, askNext, reply } from './answer.ts';
import { askInstead } from './confirmation.ts';
import type { Draft } from './draft.ts';
import { askAgain, noteAside } from './ladder.ts';
import { plainReason } from './ladder-help.ts';
import { questionId } from './names.ts';
import { callByNode, calledBy } from './node-call.ts';
import { functionIn, nodeOf } from './offers.ts';
import { takeSaid } from './said.ts';
import { nextNeed } from './slots.ts';
import { travel } from './travel.ts';
import { rescue } from './trouble.ts';

/** Nothing moved: the model hears what its calls brought, or the node asks on. */
export function answerBatch(draft: Draft, node: GraphNode, batch: BatchSettled, arrival: Arrival): void {
  if (batch.reply === null && batch.calls.some((call) => isOwnFailure(draft, node, call))) {
    const move = rescue(draft, node);
    if (move !== null) return travel(draft, move, 'answer');
  }
  if (batch.reply !== null && batch.calls.length === 0 && takeSaid(draft, node, arrival)) return;
  const need = nextNeed(draft.graph, draft.state, node);
  // A model that is to ask and did not would not the second time either.
  const wasToAsk = batch.calls.length === 0 && need?.known === null && need.slot.ask === null;
  const isRefused = batch.calls.some((call) => draft.state.refused.includes(call.name));
  const isSilent =
    batch.reply !== null && batch.calls.length === 0 && batch.asks === false && draft.state.refused.length > 0;
  // The model made the call again that the caller has just refused, or has nothing to ask instead.
  if (isRefused || isSilent) {
    if (arrival !== 'asked') askInstead(draft);
  } else if (batch.calls.some((call) => needsReply(draft, call))) reply(draft, node, 'answer');
  // A completion of nothing at all is no answer to what the caller said.
  else if (batch.reply !== null && batch.calls.length === 0 && batch.text === '') askAgain(draft, node, 'no-match');
  else if (wasToAsk && batch.asks === false) askAgain(draft, node, need.slot.optional ? 'refused' : 'aside');
  else if (need !== null && arrival !== 'asked' && refusalOf(draft, need) !== null)
    askAgain(draft, node, 'no-match', refusalOf(draft, need) ?? '');
  else if (need !== null && batch.calls.length === 0 && wasPut(draft, need)) {
    if (arrival === 'asked') noteAside(draft, node);
    else if (need.slot.optional) askAgain(draft, node, 'refused');
    else askAgain(draft, node, 'aside');
  } else if (need !== null && isPassedOver(draft, need, arrival)) askAgain(draft, node, 'refused');
  else if (need !== null) askNext(draft, node, wasToAsk && batch.text !== '' ? 'spoken' : arrival);
  // The line of the node is the question that is still open.
  else if (batch.calls.length === 0 && batch.asks === false && asksByLine(node)) askAgain(draft, node, 'aside');
  else if (callByNode(draft, node)) return;
  else if (batch.calls.length > 0) reply(draft, node, arrival);
}

function asksByLine({ functions, say }: GraphNode): boolean {
  return functions.length > 0 && say !== null && endsInQuestion(say);
}

type Need = NonNullable<ReturnType<typeof nextNeed>>;

/** Why the value could not be taken that was just given for what the node needs; null where none was given. */
function refusalOf(draft: Draft, { slot, known }: Need): string | null {
  if (known !== null || slot.ask === null) return null;
  const fact = draft.facts.findLast((one) => one.type === 'slot:rejected' && one.data.slot === slot.name);
  return fact?.type === 'slot:rejected' ? plainReason(draft, slot, fact.data.problem) : null;
}

/** The caller was asked for an optional slot, and has said other things: it is asked for once. */
function isPassedOver(draft: Draft, need: Need, arrival: Arrival): boolean {
  return need.slot.optional && wasPut(draft, need) && arrival !== 'asked';
}

/** The slot's own question was put before, and is still open. */
function wasPut({ state }: Draft, { slot, known }: Need): boolean {
  return known === null && slot.ask !== null && state.asked === questionId(state, `slot:${slot.name}`);
}

/** A call that the node makes itself has failed: no model has asked for it that could try something else. */
function isOwnFailure({ graph, state }: Draft, node: GraphNode, call: SettledCall): boolean {
  return call.state === 'failed' && call.visit === state.visit && calledBy(graph, node)?.name === call.name;
}

/** Whether the model has to read what became of a call before the caller has an answer. */
export function needsReply(draft: Draft, call: SettledCall): boolean {
  const body = offeredTo(draft, call)?.body;
  return hasFailed(draft, call) || (call.state === 'done' && (body === 'tool' || body === 'flow'));
}

export function hasFailed(draft: Draft, call: SettledCall): boolean {
  return call.state === 'failed' || call.state === 'blocked' || offeredTo(draft, call) === null;
}

/** The function that a call is of, or null where its node does not offer it. */
export function offeredTo({ graph, state }: Draft, call: SettledCall): GraphFunction | null {
  const node = nodeOf(graph, state, call.node);
  return node === null ? null : functionIn(graph, node, call.name);
}
