import type { BatchSettled, SettledCall } from '../events/signal.ts';
import { recordFunctionName } from '../flow/function.ts';
import type { GraphFunction, GraphNode } from '../graph/graph.ts';
import { type Arrival, askNext, asksByLine, reply, sayDueLine } from './answer.ts';
import { isWaitingIn, keepCompany } from './company.ts';
import { askInstead } from './confirmation.ts';
import { type Draft, openOfKind } from './draft.ts';
import { hasAct, sideOf } from './dialogue/utterance.ts';
import { askAgain, askByModel, noteAside } from './ladder.ts';
import { plainReason } from './ladder-help.ts';
import { questionId } from './names.ts';
import { callAgain, callByNode, calledBy } from './node-call.ts';
import { functionIn, nodeOf } from './offers.ts';
import { takeCorrection, takeSaid } from './said.ts';
import { isNothing, nextNeed } from './slots.ts';
import { travel } from './travel.ts';
import { rescue } from './trouble.ts';
import { leaveByCondition } from './leave-by-condition.ts';

/** Nothing moved: the model hears what its calls brought, or the node asks on. */
export function answerBatch(draft: Draft, node: GraphNode, batch: BatchSettled, arrival: Arrival): void {
  if (batch.reply === null && batch.calls.some((call) => isOwnFailure(draft, node, call))) {
    const move = rescue(draft, node);
    if (move !== null) return travel(draft, move, 'answer');
  }
  // The flow that the reply leads to has the word.
  if (batch.reply !== null && batch.text === '' && openOfKind(draft.state, 'handoff') !== undefined) return;
  const isTalk = batch.reply !== null && batch.calls.every(keepsNothing);
  if (isTalk && takeSaid(draft, node, arrival)) return;
  const isCorrected = isTalk && takeCorrection(draft);
  if (isCorrected && leaveByCondition(draft, node, arrival)) return;
  if (isWaitingIn(draft, node)) {
    if (batch.calls.some((call) => needsReply(draft, call))) reply(draft, node, 'answer');
    else if (arrival !== 'asked') keepCompany(draft, node);
    return;
  }
  const hasNothing = batch.calls.length === 0 && !isCorrected;
  const need = nextNeed(draft.graph, draft.state, node);
  // A model that is to ask and did not would not the second time either.
  const wasToAsk = hasNothing && need?.known === null && need.slot.ask === null;
  const isRefused = batch.calls.some((call) => draft.state.refused.includes(call.name));
  const isSilent = batch.reply !== null && hasNothing && batch.asks === false && draft.state.refused.length > 0;
  // The model made the call again that the caller has just refused, or has nothing to ask instead.
  if (isRefused || isSilent) {
    if (arrival !== 'asked') askInstead(draft);
  } else if (batch.calls.some((call) => needsReply(draft, call))) reply(draft, node, 'answer');
  else if (batch.reply !== null && arrival !== 'asked' && sayDueLine(draft, node)) return;
  // A completion of nothing at all is no answer to what the caller said.
  else if (batch.reply !== null && hasNothing && batch.text === '') askAgain(draft, node, 'no-match');
  else if (wasToAsk && batch.asks === false) askAgain(draft, node, 'aside');
  else if (need !== null && arrival !== 'asked' && refusalOf(draft, need) !== null)
    askAgain(draft, node, 'no-match', refusalOf(draft, need) ?? '');
  else if (need !== null && hasNothing && wasPut(draft, need)) {
    if (arrival === 'asked') noteAside(draft, node, missIn(draft));
    else askAgain(draft, node, missIn(draft));
  } else if (need !== null && arrival !== 'asked' && wasPut(draft, need)) askAgain(draft, node, missIn(draft));
  else if (need !== null && hasNothing && isHeldBack(draft, need)) askNext(draft, node, 'answer');
  else if (need !== null) askNext(draft, node, wasToAsk && batch.text !== '' ? 'spoken' : arrival);
  // The line of the node is the question that is still open.
  else if (batch.calls.length === 0 && batch.asks === false && asksByLine(node)) askAgain(draft, node, missIn(draft));
  else if (callByNode(draft, node)) return;
  else if (batch.calls.length > 0) reply(draft, node, arrival);
  else if (batch.reply !== null && arrival === 'answer' && needsYes(draft, node)) askForYes(draft, node);
}

/** Whether a call of `record` holds nothing: small models make it so, and it takes the caller's words no more than talk does. */
export function keepsNothing({ name, arguments: given }: SettledCall): boolean {
  return name === recordFunctionName && Object.values(given).every(isNothing);
}

/** What words that did not answer the open question were instead: a question or a fact is an aside, all else a miss. */
export function missIn({ state, facts }: Draft): 'refused' | 'aside' | 'no-match' {
  const utterance = state.words?.utterance;
  const filled = facts.filter((fact) => fact.type === 'slot:filled');
  // "No, the fourth" says no to what was told before, not to what is asked for.
  if (filled.some(({ data }) => data.corrected)) return 'aside';
  // A sentence that is said twice was not taken.
  if (filled.length === 0 && hasAct(utterance, 'restate') && !hasAct(utterance, 'decline')) return 'no-match';
  if (hasAct(utterance, 'ask')) return 'aside';
  // "No, but I can come on Friday" is a no to what is asked for.
  if (hasAct(utterance, 'decline') || sideOf(utterance) === 'no') return 'refused';
  if (filled.length > 0) return 'aside';
  // Words to a question of the model's own are no attempt at the flow's.
  return state.modelAsked || utterance == null || utterance.foreign || hasAct(utterance, 'hedge', 'stall')
    ? 'aside'
    : 'no-match';
}

/** Whether the node is there for a call that still needs a yes: then the model's talk alone is not the conversation. */
function needsYes({ state }: Draft, { functions }: GraphNode): boolean {
  return state.agreed !== state.visit && functions.some(({ confirm }) => confirm !== null);
}

/** The model has said something and asked nothing, though nothing is open that the caller could answer. */
function askForYes(draft: Draft, node: GraphNode): void {
  if (!callAgain(draft, node)) askByModel(draft, node);
}

type Need = NonNullable<ReturnType<typeof nextNeed>>;

/** Why the value could not be taken that was just given for what the node needs; null where none was given. */
function refusalOf(draft: Draft, { slot, known }: Need): string | null {
  if (known !== null || slot.ask === null) return null;
  const fact = draft.facts.findLast((one) => one.type === 'slot:rejected' && one.data.slot === slot.name);
  return fact?.type === 'slot:rejected' ? plainReason(draft, slot, fact.data.problem) : null;
}

/** The slot's own question was put before, and is still open. */
function wasPut({ state }: Draft, { slot, known }: Need): boolean {
  return known === null && slot.ask !== null && state.asked === questionId(state, `slot:${slot.name}`);
}

/** The model has asked in the place of the slot's own question or read-back, and nothing came of that. */
function isHeldBack(draft: Draft, need: Need): boolean {
  const { slot, known } = need;
  // What the model has just asked about a value that was corrected is the read-back of that.
  const isUnread = known !== null && !draft.facts.some(({ type }) => type === 'wait:answered');
  const isDue = isUnread || (slot.ask !== null && known === null && !wasPut(draft, need));
  return isDue && draft.state.words?.asked === slot.name;
}

/** A call that the node makes itself has failed: no model has asked for it that could try something else. */
function isOwnFailure({ graph, state }: Draft, node: GraphNode, call: SettledCall): boolean {
  return call.state === 'failed' && call.visit === state.visit && calledBy(graph, node)?.name === call.name;
}

/** Whether the model has to read what became of a call before the caller has an answer. */
export function needsReply(draft: Draft, call: SettledCall): boolean {
  const body = offeredTo(draft, call)?.body;
  const isForModel = call.state === 'done' || call.state === 'pending';
  return hasFailed(draft, call) || (isForModel && (body === 'tool' || body === 'flow'));
}

export function hasFailed(draft: Draft, call: SettledCall): boolean {
  return call.state === 'failed' || call.state === 'blocked' || offeredTo(draft, call) === null;
}

/** The function that a call is of, or null where its node does not offer it. */
export function offeredTo({ graph, state }: Draft, call: SettledCall): GraphFunction | null {
  const node = nodeOf(graph, state, call.node);
  return node === null ? null : functionIn(graph, node, call.name);
}
