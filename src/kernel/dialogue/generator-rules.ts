import { putAgain, takeWordsOfAnswer } from '../generator/answer.ts';
import type { Of } from './question.ts';
import type { Rule } from './rule.ts';

export const readAnswer: Rule<Of<'value'>> = {
  does: 'Words that give the requested value are the answer. A yes that begins a write must be plain, and its question must have been heard. Other words go to the model.',
  take: ({ draft, subject, turn }) => takeWordsOfAnswer(draft, subject.asked, turn),
};

export const putQuestionAgain: Rule<Of<'value'>> = {
  does: 'Counts as a miss: the question is asked again in other words.',
  take({ draft, subject }) {
    draft.state.dialogue.pendingAskKey = subject.asked.key;
    putAgain(draft);
  },
};
