import type { Confirmation } from '../events/effect.ts';
import type { BatchSettled } from '../events/signal.ts';
import type { GraphNode } from '../graph/graph.ts';
import { answerFunctionName, recordFunctionName } from '../flow/function.ts';
import { lastQuestionOf } from '../expression/sentences.ts';
import { answerBatch, keepsNothing, missIn, needsReply } from './after-batch.ts';
import { reply } from './answer.ts';
import { correct, isRepeated } from './confirmation.ts';
import { decideNo, decideYes } from './dialogue/decide.ts';
import { hasAct, saidValue, sideOf } from './dialogue/utterance.ts';
import { type Draft, tell } from './draft.ts';
import { askAgain, noteAside } from './ladder.ts';
import { leaveByCondition } from './leave-by-condition.ts';
import { keepSaid } from './said.ts';
import type { SessionState } from './state.ts';
import { askNextConfirmation } from './next-confirmation.ts';
import type { Move } from './ways-out.ts';

/** The question that was open when the caller spoke, and what a completion has made of their words. */
export interface AskedQuestion {
  readonly wait: Confirmation;
  readonly answered: 'yes' | 'no' | null;
  /** What was known, and how many calls waited for a yes, when the caller spoke. */
  readonly before: { readonly slots: SessionState['slots']; readonly waiting: number };
  readonly move: Move | null;
  /** The model has asked something itself. */
  readonly asked: boolean;
}

/** The words were said to a question of the flow's. False where what the calls brought is to be heeded like any other. */
export function settleQuestion(draft: Draft, node: GraphNode, batch: BatchSettled, question: AskedQuestion): boolean {
  const { wait, answered, before, move, asked } = question;
  // "No, Ida Park" corrects what was read back, also where the model only talks about it, or takes it for an answer.
  const isTalk = batch.calls.every((call) => call.name === answerFunctionName || keepsNothing(call));
  // Any few words can be read as a name: beside a model's agreement they are a value if rules are certain, or if they take
  // back what was said.
  const isAgreed = batch.calls.some((call) => call.arguments['agrees'] === true);
  const said = saidValue(draft.state.words?.utterance);
  const isMeant = said !== null && (said.certain || said.takesBack);
  const hasKept = answered !== 'yes' && isTalk && (!isAgreed || isMeant) && keepSaid(draft);
  const { subject } = wait.payload;
  const arrival = asked ? 'asked' : 'answer';
  const mover = batch.calls.find(({ name }) => name === move?.function);
  // A function that takes the new value itself leads where the author wants it to.
  const carries = Object.keys(mover?.arguments ?? {}).some((name) => draft.graph.slots.has(name));
  // Whoever corrects what was read to them wants that corrected, and nothing else: it is asked about anew.
  if (!carries && correct(draft, wait, before.slots, before.waiting)) {
    if (move?.function !== undefined)
      tell(draft, { type: 'transition:dropped', data: { to: move.to, function: move.function, reason: 'corrected' } });
    if (leaveByCondition(draft, node, arrival)) return true;
    if (!askNextConfirmation(draft)) answerBatch(draft, node, batch, arrival);
    return true;
  }
  if (answered === 'yes') {
    if (subject.kind === 'call' && move?.function !== undefined)
      tell(draft, {
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
  // Something else was said: it is answered, then the question that is still open is put again.
  if (batch.calls.some((call) => needsReply(draft, call))) reply(draft, node, 'answer');
  else if (batch.calls.length === 0 && batch.text === '') askAgain(draft, node, 'no-match');
  else if (!asked) askAgain(draft, node, missIn(draft));
  else noteAside(draft, node, missIn(draft));
  return true;
}

/** A no refuses, whatever else the words say, if neither rules nor the model have found a new value or a question in them. */
function isRefused({ state, facts }: Draft, { payload }: Confirmation, batch: BatchSettled): boolean {
  const utterance = state.words?.utterance;
  const brings = batch.calls.some(
    (call) =>
      call.name !== answerFunctionName && call.name !== recordFunctionName && !isRepeated(payload.subject, call),
  );
  if (brings || state.modelAsked || facts.some(({ type }) => type === 'slot:filled')) return false;
  // A no beside what was asked about is of a caller who misheard it.
  return sideOf(utterance) === 'no' && !hasAct(utterance, 'ask', 'restate');
}

/** Whether the model has put the flow's own question again. */
export function putsAgain(text: string, question: string): boolean {
  const short = lastQuestionOf(question);
  return text.includes(short === '' ? question : short);
}
