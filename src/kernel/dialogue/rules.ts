import { takeChoice } from './choice-rules.ts';
import { agreeOrRefuse, askWhole, correctBeforeConsent } from './consent-rules.ts';
import {
  answerModel,
  answerWhileWaiting,
  askAgainAfterNoise,
  giveToModel,
  giveToNode,
  keepWaiting,
  putAgainAfterNoise,
} from './common-rules.ts';
import { putQuestionAgain, readAnswer } from './generator-rules.ts';
import type { Of, SubjectKind } from './question.ts';
import type { Column, Rule } from './rule.ts';
import { askForRest, giveToAsker, leaveOrInsist, takeValue } from './slot-rules.ts';

type Row<Kind extends SubjectKind> = Readonly<Record<Exclude<Column, 'request'>, Rule<Of<Kind>>>>;

/** Read-backs and consents share their rules: a yes settles the named value or call, and a new value replaces it. */
const yesOrNo: Row<'read_back' | 'consent'> = {
  ...every<'read_back' | 'consent'>(giveToModel),
  noise: putAgainAfterNoise,
  answer: agreeOrRefuse,
  call: agreeOrRefuse,
  inform: correctBeforeConsent,
  correct: correctBeforeConsent,
  restate: askWhole,
};

/** The rule for each kind of act at each kind of question. The reference page `dialogue.md` is generated from it. */
export const rules: { readonly [Kind in SubjectKind]: Row<Kind> } = {
  none: { ...every(giveToNode), noise: askAgainAfterNoise, decline: leaveOrInsist },
  slot: {
    ...every(giveToAsker),
    noise: askAgainAfterNoise,
    decline: leaveOrInsist,
    problem: askForRest,
    inform: takeValue,
    correct: takeValue,
  },
  line: { ...every(giveToNode), noise: askAgainAfterNoise, decline: leaveOrInsist },
  model: { ...every(answerModel), noise: askAgainAfterNoise, decline: leaveOrInsist },
  read_back: yesOrNo,
  consent: yesOrNo,
  value: { ...every(readAnswer), noise: putQuestionAgain },
  choice: every(takeChoice),
  elsewhere: { ...every(answerWhileWaiting), noise: keepWaiting },
};

function every<Kind extends SubjectKind>(rule: Rule<Of<Kind>>): Row<Kind> {
  return {
    noise: rule,
    choose: rule,
    decline: rule,
    ask: rule,
    hedge: rule,
    problem: rule,
    call: rule,
    correct: rule,
    inform: rule,
    restate: rule,
    answer: rule,
    echo: rule,
    stall: rule,
    words: rule,
  };
}
