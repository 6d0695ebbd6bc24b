import type { QuestionYield } from '../../model/signals/generator-yield.ts';
import type { Json } from '../../model/json.ts';
import type { Utterance } from '../../model/dialogue.ts';
import type { BatchSettled, SettledCall, UserTurn } from '../../model/signals/signal.ts';
import type { AnswerRefused } from '../../model/signals/generator-signal.ts';
import type { TypedValue } from '../../model/typed-value.ts';
import { answerFunctionName } from '../../flow/document/function.ts';
import { askedSlot } from '../../flow/graph/generator-graph.ts';
import { reply } from '../answer.ts';
import { mayAgree } from '../question/confirmation.ts';
import {
  addSaid,
  type Draft,
  generatorQuestionId,
  isUnheard,
  openEffect,
  passKey,
  settle,
  emit,
} from '../state/draft.ts';
import { advance, ask, openQuestion, settleAdvance } from './frame.ts';
import { askAgain, noteAside } from '../question/ladder.ts';
import { nodeOf } from '../move/offers.ts';
import { isOpenToYes } from '../dialogue/record-heard.ts';
import { hasAct, plainAnswer, refusesInWords, strengthOf } from '../dialogue/utterance.ts';
import { keepPending } from '../call/pending-calls.ts';
import { missIn } from '../call/after-batch.ts';
import type { Again } from '../question/ladder-rule.ts';
import { isIncomplete, plainReason } from '../question/ladder-help.ts';
import { keepSetValues } from '../state/set-values.ts';
import { formOf, withinRules } from '../state/slots.ts';

/**
 * Takes the caller's words as the answer to a generator's question, by the rules of the expected value, else by one
 * inference.
 */
export function takeWordsOfAnswer(draft: Draft, question: QuestionYield, turn: UserTurn): void {
  const { state } = draft;
  state.dialogue.pendingAskKey = question.key;
  // Words of a caller who has not heard the question do not answer it.
  if (isUnheard(state, generatorQuestionId(state) ?? '')) ask(draft, question, question.text);
  else if (turn.text.trim() === '') putAgain(draft);
  else if (question.expects === null) accept(draft, turn.text.trim());
  else takeExpected(draft, question, turn.utterance);
}

/** Settles the calls of a completion, or the generator's own call. */
export function settleGeneratorBatch(draft: Draft, batch: BatchSettled): void {
  const { state } = draft;
  for (const call of batch.calls) {
    passKey(draft, call.key);
    emit(draft, { type: 'tool:settled', data: { function: call.name, key: call.key, state: call.state } });
    const open = openEffect(state, call.key);
    if (open?.kind !== 'tool') continue;
    // The generator waits for the outcome, however late.
    if (call.state === 'pending' && state.status === 'active') {
      keepPending(draft, call.key, open.payload, call.waitsFor);
      continue;
    }
    settle(draft, open, call.state === 'done' ? 'done' : 'failed');
    if (call.state === 'done' && call.set !== undefined) keepSetValues(draft, call.set, call.name);
    if (state.status === 'active') advance(draft, { value: outcomeOf(call), inbound: null });
  }
  const own = batch.reply === null ? undefined : openEffect(state, batch.reply);
  if (own?.kind !== 'reply') return;
  settle(draft, own, 'done');
  state.turn.failures = 0;
  const question = openQuestion(draft);
  if (question !== null && batch.superseded !== true) takeInferred(draft, question, batch);
}

/** Handles an answer that does not meet its schema: asks the question again. */
export function refuseAnswer(draft: Draft, signal: AnswerRefused): boolean {
  const question = draft.state.position.generator?.lastYield ?? null;
  if (question?.type !== 'ask' || settleAdvance(draft, signal.key, 'cancelled') === null) return false;
  emit(draft, { type: 'answer:refused', data: { key: question.key, problem: signal.problem } });
  putAgain(draft);
  return true;
}

/** Reads the answer by rules, or by the model if the rules find nothing. */
function takeExpected(draft: Draft, question: QuestionYield, utterance: Utterance | undefined): void {
  const { graph, state } = draft;
  const slot = askedSlot(question, draft.graph.speech);
  const answered = answeredBy(utterance, question.key);
  const isYes = question.isConsent === true && answered.ok && answered.value === true;
  const isPlain = plainAnswer(utterance) === 'yes';
  if (isYes && isPlain && !isOpenToYes(draft, strengthOf(utterance))) return putAgain(draft, '', 'early');
  // "No, not before …" refuses; `ctx.inbound` has the words.
  if (question.isConsent === true && refusesInWords(utterance)) return accept(draft, false);
  const typed = isYes && !isPlain ? notFound : answered;
  const reading = slot === null ? typed : withinRules(slot, typed, draft.civil);
  if (reading.ok) {
    accept(draft, reading.value);
    return;
  }
  // An understood value that breaks a rule is rejected without a model.
  const node = nodeOf(graph, state, state.position.node);
  if (typed.isUnderstood || node === null) refuse(draft, question, reading.problem);
  else reply(draft, node, 'answer');
}

type AnsweredQuestion = TypedValue & { readonly isUnderstood: boolean };

const notFound: AnsweredQuestion = { ok: false, problem: 'not-found', isUnderstood: false };

/** Returns the meaning of words as an answer to a generator's question. */
function answeredBy(utterance: Utterance | undefined, key: string): AnsweredQuestion {
  for (const one of utterance?.acts ?? []) {
    if (one.act === 'inform' && one.slot === key && one.value !== undefined)
      return { ok: true, value: one.value, isUnderstood: true };
    if (one.act === 'problem' && one.slot === key) return { ok: false, problem: one.problem, isUnderstood: true };
  }
  return notFound;
}

function takeInferred(draft: Draft, question: QuestionYield, batch: BatchSettled): void {
  const { state } = draft;
  state.dialogue.pendingAskKey = question.key;
  addSaid(draft, batch.text);
  if (batch.text !== '' && batch.asks === true) state.dialogue.modelAsked = true;
  const call = batch.calls.find((one) => one.name === answerFunctionName && one.state === 'done');
  const value = call !== undefined && Object.hasOwn(call.arguments, 'value') ? call.arguments['value'] : undefined;
  if (value === undefined || (question.isConsent === true && value !== false && !mayAgree(draft))) {
    // The model's text answers the caller. If it contains no question, the generator's question is repeated.
    if (batch.text !== '') noteAnswered(draft, batch.asks !== false);
    else putAgain(draft, '', hasAct(state.turn.words?.utterance, 'ask') ? 'aside' : 'no-match');
    return;
  }
  const slot = question.expects?.schema == null ? askedSlot(question, draft.graph.speech) : null;
  const reading: TypedValue =
    slot === null ? { ok: true, value } : withinRules(slot, call?.typed?.['value'] ?? formOf(slot, value), draft.civil);
  if (reading.ok) accept(draft, reading.value);
  else refuse(draft, question, reading.problem);
}

function accept(draft: Draft, value: Json): void {
  draft.state.dialogue.pendingAskKey = null;
  advance(draft, { value, inbound: draft.state.position.generator?.inbound ?? null });
}

function refuse(draft: Draft, question: QuestionYield, problem: string): void {
  emit(draft, { type: 'answer:refused', data: { key: question.key, problem } });
  const slot = askedSlot(question, draft.graph.speech);
  // A part of a number is not a miss: the rest follows.
  const cause = isIncomplete(problem) ? 'aside' : 'no-match';
  putAgain(draft, slot === null ? '' : plainReason(draft, slot, problem), cause);
}

/** Asks the open question again, or follows its ladder. */
export function putAgain(draft: Draft, reason = '', cause: Again = 'no-match'): void {
  const node = nodeOf(draft.graph, draft.state, draft.state.position.node);
  if (node !== null) askAgain(draft, node, cause, reason);
}

/** Counts words that the model answered without an answer to the question. */
function noteAnswered(draft: Draft, hasAsked: boolean): void {
  const node = nodeOf(draft.graph, draft.state, draft.state.position.node);
  if (node === null) return;
  if (hasAsked) noteAside(draft, node, missIn(draft));
  else askAgain(draft, node, missIn(draft));
}

/** Returns a tool's outcome in the form that the generator receives. */
function outcomeOf(call: SettledCall): Json {
  if (call.state === 'done') return { ok: true, result: call.result ?? null };
  return { ok: false, error: call.error ?? 'It did not succeed.' };
}
