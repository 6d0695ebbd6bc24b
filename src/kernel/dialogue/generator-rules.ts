import { putAgain, takeWordsOfAnswer } from '../generator/answer.ts';
import type { Of } from './question.ts';
import type { Rule } from './rule.ts';

export const readAnswer: Rule<Of<'value'>> = {
  does: 'Words that give the value which was asked for are the answer. A yes that begins a write must be plain, and its question heard. Other words go to the model.',
  take: ({ draft, subject, turn }) => takeWordsOfAnswer(draft, subject.asked, turn),
};

export const putQuestionAgain: Rule<Of<'value'>> = {
  does: 'Counts as a miss: the question is put again in other words.',
  take({ draft, subject }) {
    draft.state.pendingAskKey = subject.asked.key;
    putAgain(draft);
  },
};
