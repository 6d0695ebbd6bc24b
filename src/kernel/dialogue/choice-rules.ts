import type { UserTurn } from '../../model/signals/signal.ts';
import { answerTask, missTaskQuestion, putTaskQuestionAside, putTaskQuestionEarly } from '../wait/task-question.ts';
import { chosenBy, isAnswer } from './choice.ts';
import { hasAct } from './utterance.ts';
import type { Of } from './question.ts';
import type { Rule } from './rule.ts';

/** Checks for a question of the caller's. Without a question mark, "who knows" has the same words. */
function asksBack({ text, utterance }: UserTurn): boolean {
  return hasAct(utterance, 'ask') && /[?？؟]/u.test(text);
}

/** The task decides by the caller's choice. */
export const takeChoice: Rule<Of<'choice'>> = {
  does: 'The answer is the choice that the words name, or the choice that a plain yes or no means. A choice counts only if the question was heard, otherwise the question is repeated; a refusal counts at once, also with other words. Other words are the answer if the task takes text. Otherwise the question is repeated with its choices: after a question of the caller’s without a miss, after other words as a miss.',
  take({ draft, node, subject, turn }) {
    const unheard = { heard: 'unknown', isOver: false } as const;
    const chosen = chosenBy(subject.asked, turn.utterance, draft.state.dialogue.put ?? unheard);
    if (chosen === 'early') putTaskQuestionEarly(draft, node, turn);
    else if (isAnswer(subject.asked, chosen, turn.utterance))
      answerTask(draft, turn, chosen === 'none' ? null : chosen.choice);
    else if (asksBack(turn)) putTaskQuestionAside(draft, node, turn);
    else missTaskQuestion(draft, node, turn);
  },
};
