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
import { followKey, takeEntry } from './key-rules.ts';
import { putQuestionAgain, readAnswer } from './generator-rules.ts';
import type { Of, SubjectKind } from './question.ts';
import type { Column, Rule } from './rule.ts';
import { askForRest, giveToAsker, leaveOrInsist, takeValue } from './slot-rules.ts';

/** A kind of question with its rules. `question` describes it on the reference page. */
type Row<Kind extends SubjectKind> = Rules<Kind> & { readonly question: string };

type Rules<Kind extends SubjectKind> = Readonly<Record<Exclude<Column, 'request'>, Rule<Of<Kind>>>>;

/** Read-backs and consents share their rules: a yes settles the named value or call, and a new value replaces it. */
const yesOrNo: Rules<'read_back' | 'consent'> = {
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
  none: {
    question: 'No question is open',
    ...every(giveToNode),
    noise: askAgainAfterNoise,
    decline: leaveOrInsist,
  },
  slot: {
    question: 'A slot is asked for: "Which day?"',
    ...every(giveToAsker),
    noise: askAgainAfterNoise,
    decline: leaveOrInsist,
    problem: askForRest,
    inform: takeValue,
    correct: takeValue,
  },
  read_back: { question: 'A value is read back: "Friday, is that right?"', ...yesOrNo },
  consent: { question: 'Consent to a write or a decision: "Shall I book Friday?"', ...yesOrNo },
  value: { question: 'A generator asks: `ask()`, `confirm()`', ...every(readAnswer), noise: putQuestionAgain },
  line: {
    question: 'The line of a node asks, and the functions are the answers: "Shall we start?"',
    ...every(giveToNode),
    noise: askAgainAfterNoise,
    decline: leaveOrInsist,
  },
  model: {
    question: 'The model asked a question that is not in the flow',
    ...every(answerModel),
    noise: askAgainAfterNoise,
    decline: leaveOrInsist,
  },
  choice: { question: 'A task asks, such as `control.gate`: "Shall I release the payment?"', ...every(takeChoice) },
  elsewhere: {
    question: 'The session waits for another person, such as an approver',
    ...every(answerWhileWaiting),
    noise: keepWaiting,
  },
};

function every<Kind extends SubjectKind>(rule: Rule<Of<Kind>>): Rules<Kind> {
  return {
    // A key means the same at every question.
    enter: takeEntry,
    press: followKey,
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
