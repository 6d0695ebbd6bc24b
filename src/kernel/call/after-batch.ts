import type { BatchSettled, SettledCall } from '../../model/signals/signal.ts';
import { recordFunctionName } from '../../flow/document/function.ts';
import { isSameText } from '../../flow/expression/same-value.ts';
import { namesRead } from '../../flow/expression/wordings.ts';
import type { GraphFunction, GraphNode } from '../../flow/graph/graph.ts';
import { type Arrival, askNext, asksByLine, reply, sayDueLine } from '../answer.ts';
import { isWaitingIn, sayWaitingLine } from '../wait/outside-waits.ts';
import { askInstead } from '../question/confirmation.ts';
import { type Draft, isUnheard, openOfKind } from '../state/draft.ts';
import { hasAct, saidValue, sideOf } from '../dialogue/utterance.ts';
import { askAgain, askByModel, noteAside } from '../question/ladder.ts';
import { plainReason } from '../question/ladder-help.ts';
import { questionId, sourcesOf } from '../state/names.ts';
import { callAgain, callByNode, calledBy } from './node-call.ts';
import { functionIn, nodeOf } from '../move/offers.ts';
import { takeCorrection, takeSaid } from '../state/values-in-words.ts';
import { isNothing, nextNeed } from '../state/slots.ts';
import { travel } from '../move/travel.ts';
import { rescue } from '../move/trouble.ts';
import { leaveByCondition } from '../move/leave-by-condition.ts';

/**
 * Continues a node after a batch without a move: the model reads the results of its calls, or the node asks its next
 * question.
 */
export function answerBatch(draft: Draft, node: GraphNode, batch: BatchSettled, arrival: Arrival): void {
  if (batch.reply === null && batch.calls.some((call) => isOwnFailure(draft, node, call))) {
    const move = rescue(draft, node);
    if (move !== null) return travel(draft, move, 'answer');
  }
  // The flow that the reply routed to continues.
  if (batch.reply !== null && batch.text === '' && openOfKind(draft.state, 'handoff') !== undefined) return;
  const isTalk = batch.reply !== null && batch.calls.every((call) => leavesSaid(draft, call));
  if (isTalk && takeSaid(draft, node, arrival)) return;
  const isCorrected = isTalk && takeCorrection(draft);
  if (isCorrected && leaveByCondition(draft, node, arrival)) return;
  if (isWaitingIn(draft, node)) {
    if (batch.calls.some((call) => needsReply(draft, call))) reply(draft, node, 'answer');
    else if (arrival !== 'asked') sayWaitingLine(draft, node);
    return;
  }
  const hasNothing = batch.calls.length === 0 && !isCorrected;
  const need = nextNeed(draft.graph, draft.state, node);
  // If the model was expected to ask and did not, asking it again would not help.
  const wasToAsk = hasNothing && need?.known === null && need.slot.ask === null;
  const isRefused = batch.calls.some((call) => draft.state.dialogue.refused.includes(call.name));
  const isSilent =
    batch.reply !== null && hasNothing && batch.asks === false && draft.state.dialogue.refused.length > 0;
  // The model repeated the call that the caller has just refused, or has nothing else to ask.
  if (isRefused || isSilent) {
    if (arrival !== 'asked') askInstead(draft);
  } else if (batch.calls.some((call) => needsReply(draft, call))) reply(draft, node, 'answer');
  else if (batch.reply !== null && arrival !== 'asked' && sayDueLine(draft, node)) return;
  // An empty completion does not answer the caller.
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
  // The node's line is the question, and it is still open.
  else if (batch.calls.length === 0 && batch.asks === false && asksByLine(node)) askAgain(draft, node, missIn(draft));
  // A yes to a line with an old value would not agree to the new one.
  else if (arrival !== 'asked' && asksByLine(node) && isLineOutdated(draft, node)) askAgain(draft, node, 'aside');
  else if (callByNode(draft, node)) return;
  else if (isEmptyAgain(draft, batch)) askAgain(draft, node, missIn(draft));
  else if (batch.calls.length > 0) reply(draft, node, arrival);
  else if (batch.reply !== null && arrival === 'answer' && needsYes(draft, node)) askForYes(draft, node);
}

/** Checks whether a value in the line of a node was just corrected, also one behind a computed value. */
function isLineOutdated({ graph, facts }: Draft, { say }: GraphNode): boolean {
  const names = say === null ? [] : sourcesOf(graph, namesRead(say));
  return facts.some((fact) => fact.type === 'slot:filled' && fact.data.corrected && names.includes(fact.data.slot));
}

/** Checks whether a `record` call has no values. Small models make such calls; they count as talk. */
function keepsNothing({ name, arguments: given }: SettledCall): boolean {
  return name === recordFunctionName && Object.values(given).every(isNothing);
}

/** Checks whether a call is a `record` that holds nothing, or only values that are known already. */
function bringsNothing({ restated }: Draft, call: SettledCall): boolean {
  if (keepsNothing(call)) return true;
  return call.name === recordFunctionName && Object.keys(call.arguments).every((slot) => restated.has(slot));
}

/** Checks whether the model again calls `record` without values and without words: a further reply would be the same. */
function isEmptyAgain(draft: Draft, { calls, text, reply }: BatchSettled): boolean {
  const isEmpty = reply !== null && text === '' && calls.every((call) => bringsNothing(draft, call));
  return isEmpty && draft.state.turn.replies > 1;
}

/** Classifies words that did not answer the open question: a question or a fact is an aside, anything else a miss. */
export function missIn({ state, facts }: Draft): 'refused' | 'aside' | 'no-match' {
  const utterance = state.turn.words?.utterance;
  const filled = facts.filter((fact) => fact.type === 'slot:filled');
  // In "No, the fourth", the no is about an earlier value, not about the question.
  if (filled.some(({ data }) => data.corrected)) return 'aside';
  // The caller repeats a sentence that was not taken the first time.
  if (filled.length === 0 && hasAct(utterance, 'restate') && !hasAct(utterance, 'decline')) return 'no-match';
  if (hasAct(utterance, 'ask')) return 'aside';
  // In "No, but I can come on Friday", the no is about the question.
  if (hasAct(utterance, 'decline') || sideOf(utterance) === 'no') return 'refused';
  if (filled.length > 0) return 'aside';
  // Words that answer the model's own question do not attempt the flow's.
  return state.dialogue.modelAsked || utterance == null || utterance.foreign || hasAct(utterance, 'hedge', 'stall')
    ? 'aside'
    : 'no-match';
}

/** Checks whether the node has a call that still needs a yes. The model's talk alone does not complete such a node. */
export function needsYes({ state }: Draft, { functions }: GraphNode): boolean {
  return state.dialogue.agreed !== state.position.visit && functions.some(({ confirm }) => confirm !== null);
}

/** Asks for the yes: the model said something without a question, so the caller has nothing to answer. */
function askForYes(draft: Draft, node: GraphNode): void {
  if (!callAgain(draft, node)) askByModel(draft, node);
}

type Need = NonNullable<ReturnType<typeof nextNeed>>;

/** Returns why the value just given for the node's next slot was rejected; null if none was given. */
function refusalOf(draft: Draft, { slot, known }: Need): string | null {
  if (known !== null || slot.ask === null) return null;
  const fact = draft.facts.findLast((one) => one.type === 'slot:rejected' && one.data.slot === slot.name);
  return fact?.type === 'slot:rejected' ? plainReason(draft, slot, fact.data.problem) : null;
}

/** Checks whether the slot's own question was asked and is still open. Words before it was heard do not miss it. */
function wasPut({ state }: Draft, { slot, known }: Need): boolean {
  const id = questionId(state, `slot:${slot.name}`);
  return known === null && slot.ask !== null && state.dialogue.asked === id && !isUnheard(state, id);
}

/** Checks whether the model asked instead of the slot's own question or read-back, without success. */
function isHeldBack(draft: Draft, need: Need): boolean {
  const { slot, known } = need;
  // The model's question about a corrected value counts as its read-back.
  const isUnread = known !== null && !draft.facts.some(({ type }) => type === 'wait:answered');
  const isDue = isUnread || (slot.ask !== null && known === null && !wasPut(draft, need));
  return isDue && draft.state.turn.words?.asked === slot.name;
}

/** Checks whether the node's own call failed. No model requested it, so no model can try something else. */
function isOwnFailure({ graph, state }: Draft, node: GraphNode, call: SettledCall): boolean {
  return call.state === 'failed' && call.visit === state.position.visit && calledBy(graph, node)?.name === call.name;
}

/** Checks whether a call takes nothing of the caller's value: it brings nothing, or records only other words for other slots. */
export function leavesSaid(draft: Draft, call: SettledCall): boolean {
  if (bringsNothing(draft, call)) return true;
  const said = saidValue(draft.state.turn.words?.utterance);
  if (call.name !== recordFunctionName || said === null || Object.hasOwn(call.arguments, said.slot)) return false;
  return said.certain || !Object.values(call.arguments).some((value) => isSameText(value, said.value));
}

/** Checks whether the model must read the outcome of a call before the caller gets an answer. */
export function needsReply(draft: Draft, call: SettledCall): boolean {
  const body = offeredTo(draft, call)?.body;
  const isForModel = call.state === 'done' || call.state === 'pending';
  return hasFailed(draft, call) || (isForModel && (body === 'tool' || body === 'flow'));
}

export function hasFailed(draft: Draft, call: SettledCall): boolean {
  return call.state === 'failed' || call.state === 'blocked' || offeredTo(draft, call) === null;
}

/** Returns the function of a call; null if its node does not offer it. */
export function offeredTo({ graph, state }: Draft, call: SettledCall): GraphFunction | null {
  const node = nodeOf(graph, state, call.node);
  return node === null ? null : functionIn(graph, node, call.name);
}
