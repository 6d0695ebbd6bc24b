import { correct } from '../question/confirmation.ts';
import type { Draft } from '../state/draft.ts';
import { askAgain } from '../question/ladder.ts';
import { leaveByCondition } from '../move/leave-by-condition.ts';
import { keepSaid } from '../state/values-in-words.ts';
import { askNextConfirmation } from '../question/next-confirmation.ts';
import { giveToModel } from './common-rules.ts';
import { decideNo, decideYes } from './decide.ts';
import { isOpenToYes } from './record-heard.ts';
import type { Of } from './question.ts';
import type { Rule, RuleContext } from './rule.ts';
import { isAuthored, isOneValue } from './takes-alone.ts';
import { goOn } from './to-node.ts';
import { agreesBeside, plainAnswer, saidValue, strengthOf } from './utterance.ts';

type Asked = RuleContext<Of<'read_back' | 'consent'>>;

/** A plain yes or no, or a leaning to one. */
export const agreeOrRefuse: Rule<Of<'read_back' | 'consent'>> = {
  does: 'A plain yes to a heard question agrees; a plain no refuses. A yes to a question that was not fully heard does not count: the question is repeated. Other words go to the model.',
  take(told) {
    const { draft, node, turn } = told;
    const answer = plainAnswer(turn.utterance);
    if (answer === 'no') return decide(told, 'no');
    const strength = strengthOf(turn.utterance);
    if (answer === undefined) return giveToModel.take(told);
    if (!isOpenToYes(draft, strength)) return askAgain(draft, node, 'early');
    // A spoken "mhm" does not start a write alone: the model must also take it as a yes. In writing it is intentional.
    if (strength === 'weak' && turn.via === 'speech' && told.subject.kind === 'consent' && node.task === null)
      return giveToModel.take(told);
    decide(told, 'yes');
  },
};

/** The words give another value than the question names. */
export const correctBeforeConsent: Rule<Of<'read_back' | 'consent'>> = {
  does: 'The new value is stored, also for a slot that the question does not name. If the question depends on it, it is void and the flow asks about the changed value; otherwise a yes to a read-back beside the value ("yes, but there are three of us") counts, and a consent is asked again. Words that the rules do not fully recognise go to the model.',
  take(told) {
    const { draft, node, turn } = told;
    const slot = draft.graph.slots.get(saidValue(turn.utterance)?.slot ?? '');
    const isAlone = node.task === null && slot !== undefined && isOneValue(draft, slot, turn);
    if (!isAlone || !isAuthored(draft, (scratch) => takeCorrected(scratch, told))) return giveToModel.take(told);
    takeCorrected(draft, told);
  },
};

/** The words repeat what the question names. */
export const askWhole: Rule<Of<'read_back' | 'consent'>> = {
  does: 'The model replies, then the whole question is repeated, because the caller may have misheard it.',
  take: (told) => giveToModel.take(told),
};

function takeCorrected(draft: Draft, { node, subject, turn }: Asked): void {
  const { slots } = draft.state.knowledge;
  const { confirmations } = draft.state.dialogue;
  const agrees = subject.kind === 'read_back' && agreesBeside(turn.utterance) && isOpenToYes(draft, 'plain');
  if (!keepSaid(draft)) return askAgain(draft, node, 'no-match');
  if (agrees) {
    decideYes(draft, node, subject.wait, 'answer');
    return goOn(draft, node);
  }
  const isCorrected = correct(draft, subject.wait, slots, confirmations.length);
  if (leaveByCondition(draft, node, 'answer')) return;
  if (!isCorrected) askAgain(draft, node, 'aside');
  else if (!askNextConfirmation(draft)) goOn(draft, node);
}

function decide({ draft, node, subject: { wait, about } }: Asked, said: 'yes' | 'no'): void {
  draft.state.turn.answered = about.kind === 'node' ? about.node : about.kind === 'slot' ? about.slot : about.call.name;
  if (said === 'no') return decideNo(draft, node, wait, 'answer');
  decideYes(draft, node, wait, 'answer');
  if (about.kind === 'slot') goOn(draft, node);
}
