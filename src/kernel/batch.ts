import type { Effect, ToolPayload } from '../events/effect.ts';
import type { BatchSettled, SettledCall } from '../events/signal.ts';
import type { GraphFunction, GraphNode } from '../graph/graph.ts';
import { type Arrival, askNext, reply } from './answer.ts';
import { arbitrate } from './arbiter.ts';
import { type Draft, openEffect, openOfKind, passKey, settle, tell } from './draft.ts';
import { withMember } from './names.ts';
import { functionIn, nodeOf } from './offers.ts';
import { fillSlot, isNothing, nextNeed } from './slots.ts';
import { travel } from './travel.ts';
import { askNextConfirmation, tellCancelled } from './waits.ts';
import { wayOut } from './ways-out.ts';

/**
 * All calls of one completion have settled. What they learned is kept in the order of calling; then at most one
 * transition is taken: a call's, before an edge's, before the default; then the node speaks if nobody has.
 */
export function settleBatch(draft: Draft, batch: BatchSettled): void {
  const { graph, state } = draft;
  const superseded = closeReply(draft, batch);
  for (const call of batch.calls) keepWhatItLearned(draft, call, superseded);
  // A write that outlived the conversation is kept; it moves nothing any more.
  if (state.status !== 'active') return;
  const { move, dropped } = arbitrate(graph, state, batch.calls, superseded);
  for (const one of dropped) tell(draft, { type: 'transition:dropped', data: one });
  const node = nodeOf(graph, state, state.node);
  const waiting = state.confirmations.length > 0;
  const arrival: Arrival = superseded ? 'superseded' : waiting || batch.text !== '' ? 'spoken' : 'answer';
  const way = move ?? (superseded || waiting || node === null ? null : wayOutAfter(draft, node, batch));
  if (way !== null) {
    const unanswered = superseded ? openOfKind(state, 'reply') : undefined;
    travel(draft, way, arrival);
    if (unanswered !== undefined) answerUnderNewNode(draft, unanswered);
  } else if (node !== null && !superseded && !waiting) answerBatch(draft, node, batch, arrival);
  if (!superseded && state.status === 'active') askNextConfirmation(draft);
}

/** Settles the reply that the batch belongs to. A batch whose reply is void was overtaken by the caller. */
function closeReply(draft: Draft, batch: BatchSettled): boolean {
  const { state } = draft;
  const confirmedOrRepeated = batch.reply === null;
  const open = confirmedOrRepeated ? undefined : openEffect(state, batch.reply);
  if (open !== undefined) settle(draft, open, 'done');
  if (open !== undefined || confirmedOrRepeated) state.failures = 0;
  return batch.superseded === true || (!confirmedOrRepeated && open === undefined);
}

function keepWhatItLearned(draft: Draft, call: SettledCall, superseded: boolean): void {
  const { graph, state } = draft;
  passKey(draft, call.key);
  const open = openEffect(state, call.key);
  if (open?.kind === 'tool') settle(draft, open, call.state === 'done' ? 'done' : 'failed');
  const node = nodeOf(graph, state, call.node);
  const offered = node === null ? null : functionIn(graph, node, call.name);
  if (call.state === 'blocked' || offered === null) {
    tell(draft, { type: 'tool:blocked', data: { function: call.name, reason: offered === null ? 'not-in-node' : 'over' } });
    return;
  }
  tell(draft, { type: 'tool:settled', data: { function: call.name, key: call.key, state: call.state } });
  if (call.state === 'waiting') {
    const payload = toolPayload(offered, call);
    // A question that would be asked into the caller's next words is not asked.
    if (superseded) tellCancelled(draft, payload);
    else state.confirmations = [...state.confirmations, payload];
  }
  if (call.state !== 'done') return;
  if (call.next?.kind === 'dynamic') state.dynamicNodes = withMember(state.dynamicNodes, call.next.to, call.next.node);
  if (offered.body === 'record' || offered.body === 'edge') keepArguments(draft, offered, call);
  if (offered.saveAs !== null) setVariable(draft, offered.saveAs, call.result ?? null);
}

/** Arguments fill slots of the same name; those of an edge function that are no slots become variables. */
function keepArguments(draft: Draft, offered: GraphFunction, call: SettledCall): void {
  for (const [name, value] of Object.entries(call.arguments)) {
    const slot = draft.graph.slots.get(name);
    if (slot !== undefined && !isNothing(value)) fillSlot(draft, slot, value);
    else if (slot === undefined && offered.body === 'edge') setVariable(draft, name, value);
    else if (slot === undefined) tell(draft, { type: 'slot:rejected', data: { slot: name, problem: 'no such slot' } });
  }
}

function setVariable(draft: Draft, name: string, value: SettledCall['arguments'][string]): void {
  draft.state.variables = withMember(draft.state.variables, name, value);
  tell(draft, { type: 'variable:set', data: { name } });
}

function wayOutAfter(draft: Draft, node: GraphNode, batch: BatchSettled): ReturnType<typeof wayOut> {
  const { graph, state } = draft;
  const way = wayOut(graph, state, node);
  if (way === null || node.collect.length > 0) return way;
  // Without `collect`, a node that only talks is left on the caller's turn, not by its own reply.
  const onlyTalks = node.functions.length === 0 && batch.calls.length === 0;
  return onlyTalks || batch.calls.some((call) => call.state === 'failed' || call.state === 'blocked') ? null : way;
}

/** Nothing moved: the model hears what its calls brought, or the node asks on. */
function answerBatch(draft: Draft, node: GraphNode, batch: BatchSettled, arrival: Arrival): void {
  if (batch.calls.some((call) => needsReply(draft, node, call))) reply(draft, node, 'answer');
  else if (node.collect.length > 0 && nextNeed(draft.graph, draft.state, node) !== null) askNext(draft, node, arrival);
  else if (batch.calls.length > 0) reply(draft, node, arrival);
}

/** Whether the model has to read what became of a call before the caller has an answer. */
function needsReply(draft: Draft, node: GraphNode, call: SettledCall): boolean {
  if (call.state === 'failed' || call.state === 'blocked') return true;
  const offered = functionIn(draft.graph, node, call.name);
  return call.state === 'done' && (offered?.body === 'tool' || offered?.body === 'flow');
}

/** A write that the caller overtook has moved the flow: their words are answered by the node they are in now. */
function answerUnderNewNode(draft: Draft, unanswered: Effect): void {
  const { graph, state } = draft;
  settle(draft, unanswered, 'cancelled');
  const node = nodeOf(graph, state, state.node);
  if (node !== null && state.status === 'active') reply(draft, node, 'answer');
}

/** The effect's payload of a call. */
function toolPayload(offered: GraphFunction, call: SettledCall): ToolPayload {
  return {
    name: call.name,
    node: call.node,
    visit: call.visit,
    handler: offered.handler,
    callId: call.callId,
    arguments: call.arguments,
    write: offered.write,
    confirmed: false,
  };
}

