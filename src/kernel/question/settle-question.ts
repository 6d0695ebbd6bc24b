import type { Confirmation } from '../../model/effect.ts';
import type { BatchSettled } from '../../model/signals/signal.ts';
import type { GraphNode } from '../../flow/graph/graph.ts';
import { answerFunctionName, recordFunctionName } from '../../flow/document/function.ts';
import { answerBatch, leavesSaid, missIn, needsReply } from '../call/after-batch.ts';
import { reply } from '../answer.ts';
import { correct, isRepeated } from './confirmation.ts';
import { decideNo, decideYes } from '../dialogue/decide.ts';
import { refusesInWords, saidValue } from '../dialogue/utterance.ts';
import { type Draft, emit } from '../state/draft.ts';
import { askAgain, noteAside } from './ladder.ts';
import { leaveByCondition } from '../move/leave-by-condition.ts';
import { keepSaid } from '../state/values-in-words.ts';
import type { SessionState } from '../state/state.ts';
import { askNextConfirmation } from './next-confirmation.ts';
import { travel } from '../move/travel.ts';
import { type Move, wayOut } from '../move/ways-out.ts';

/** The question that was open when the caller spoke, with the completion's reading of the answer. */
export interface AskedQuestion {
  readonly wait: Confirmation;
  readonly answered: 'yes' | 'no' | null;
  /** The slots and the number of waiting calls when the caller spoke. */
  readonly before: { readonly slots: SessionState['knowledge']['slots']; readonly waiting: number };
  readonly move: Move | null;
  /** The model asked a question itself. */
  readonly asked: boolean;
}

/**
 * Settles the flow's open question with a completion. Returns false if the results of the calls must also be handled as
 * usual.
 */
export function settleQuestion(draft: Draft, node: GraphNode, batch: BatchSettled, question: AskedQuestion): boolean {
  const { wait, answered, before, move, asked } = question;
  // "No, Ida Park" corrects the read-back, even if the model only talks about it or takes it as an answer.
  const isTalk = batch.calls.every((call) => call.name === answerFunctionName || leavesSaid(draft, call));
  // Any few words can look like a name. If the model reports agreement, they count as a value only if the rules are
  // certain or the words retract an earlier value.
  const isAgreed = batch.calls.some((call) => call.arguments['agrees'] === true);
  const said = saidValue(draft.state.turn.words?.utterance);
  const isMeant = said !== null && (said.certain || said.takesBack);
  const hasKept = answered !== 'yes' && isTalk && (!isAgreed || isMeant) && keepSaid(draft);
  const { subject } = wait.payload;
  const arrival = asked ? 'asked' : 'answer';
  const mover = batch.calls.find(({ name }) => name === move?.function);
  // A function that takes the new value itself leads where the author intends.
  const carries = Object.keys(mover?.arguments ?? {}).some((name) => draft.graph.slots.has(name));
  const isNo = !hasKept && move === null && refusesInWords(draft.state.turn.words?.utterance);
  if (isNo && subject.kind !== 'slot' && isInvented(draft, before.slots, batch)) {
    decideNo(draft, node, wait, arrival);
    return true;
  }
  // A caller who corrects a value in the question wants only that: the question is asked again.
  if (!carries && correct(draft, wait, before.slots, before.waiting)) {
    if (move?.function !== undefined)
      emit(draft, { type: 'transition:dropped', data: { to: move.to, function: move.function, reason: 'corrected' } });
    if (leaveByCondition(draft, node, arrival) || askNextConfirmation(draft)) return true;
    // With the corrected value the node may be complete.
    const way = node.collect.length > 0 ? wayOut(draft, node) : null;
    if (way === null) answerBatch(draft, node, batch, arrival);
    else travel(draft, way, arrival);
    return true;
  }
  if (answered === 'yes') {
    if (subject.kind === 'call' && move?.function !== undefined)
      emit(draft, {
        type: 'transition:dropped',
        data: { to: move.to, function: move.function, reason: 'another-won' },
      });
    decideYes(draft, node, wait, arrival, batch.calls);
    // The other calls of the completion still count.
    return subject.kind !== 'slot';
  }
  if (move !== null) return false;
  if (answered === 'no' || isRefused(draft, wait, batch)) {
    decideNo(draft, node, wait, arrival);
    return true;
  }
  if ((batch.calls.length > 0 || hasKept) && leaveByCondition(draft, node, arrival)) return true;
  // The caller said something else: it is answered, then the open question is repeated.
  if (batch.calls.some((call) => needsReply(draft, call))) reply(draft, node, 'answer');
  else if (batch.calls.length === 0 && batch.text === '') askAgain(draft, node, 'no-match');
  else if (!asked) askAgain(draft, node, missIn(draft));
  else noteAside(draft, node, missIn(draft));
  return true;
}

/**
 * Checks whether the model has recorded values and the caller has said none of them. A no to the question is then a no,
 * and not a correction.
 */
function isInvented(
  { state, facts }: Draft,
  before: SessionState['knowledge']['slots'],
  { calls }: BatchSettled,
): boolean {
  const changed = Object.entries(state.knowledge.slots).filter(([name, known]) => before[name] !== known);
  // Only the model can interpret "no, the big thing".
  const isMeant = calls.some(({ readings = {} }) =>
    changed.some(([name]) => Object.hasOwn(readings, name) && readings[name]?.grounded === null),
  );
  if (isMeant) return false;
  const isProposed = facts.some(({ type }) => type === 'slot:proposed') || changed.length > 0;
  return (
    isProposed && changed.every(([name, known]) => known.grounded === false || before[name]?.value === known.value)
  );
}

/** Checks whether the words refuse: a no without a new value or a question, by rules and model. */
function isRefused({ state, facts }: Draft, { payload }: Confirmation, batch: BatchSettled): boolean {
  const brings = batch.calls.some(
    (call) =>
      call.name !== answerFunctionName && call.name !== recordFunctionName && !isRepeated(payload.subject, call),
  );
  if (brings || state.dialogue.modelAsked || facts.some(({ type }) => type === 'slot:filled')) return false;
  return refusesInWords(state.turn.words?.utterance);
}
