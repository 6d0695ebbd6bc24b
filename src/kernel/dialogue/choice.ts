import type { ChoiceQuestion, Utterance } from '../../model/dialogue.ts';
import { isHeardEnough, type QuestionLine } from './question-line.ts';
import { actOf, hasAct, plainAnswer, refusesInWords, strengthOf } from './utterance.ts';

/** The meaning of words at a task's question: a choice, a yes that came too early, or no choice. */
export type Chosen = { readonly choice: string } | 'early' | 'none';

/** Returns the meaning of words at a task's question, given how much of it was heard. A refusal counts at once. */
export function chosenBy(
  asked: ChoiceQuestion,
  utterance: Utterance | undefined,
  put: Pick<QuestionLine, 'heard' | 'isOver' | 'afterSilence'>,
): Chosen {
  const named = actOf(utterance, 'choose')?.choice;
  // If the task takes any words as they are, only a plain no is the choice.
  const isRefused = asked.takesText !== true && refusesInWords(utterance);
  const answer = plainAnswer(utterance) ?? (isRefused ? 'no' : undefined);
  const meant = answer === 'yes' ? asked.affirms : answer === 'no' ? asked.denies : undefined;
  const choice = named ?? meant;
  if (choice === undefined) return 'none';
  if (choice === asked.denies) return { choice };
  const strength = named === undefined ? strengthOf(utterance) : 'plain';
  return isHeardEnough(put, strength) ? { choice } : 'early';
}

/** Whether words answer a task: with a choice, or as text. Without `takesText` the task itself judges them. */
export function isAnswer({ takesText }: ChoiceQuestion, chosen: Chosen, utterance: Utterance | undefined): boolean {
  return chosen !== 'none' || takesText === undefined || (takesText && !hasAct(utterance, 'noise'));
}

/** Returns the numbers and choices in a line that the caller must have heard. */
export function namedIn({ choices }: Pick<ChoiceQuestion, 'choices'>, line: string): readonly string[] {
  const plain = line.toLowerCase();
  return [...(line.match(/\p{N}+/gu) ?? []), ...choices.filter((choice) => plain.includes(choice.toLowerCase()))];
}
