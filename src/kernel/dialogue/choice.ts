import type { ChoiceQuestion, Utterance } from '../../events/dialogue.ts';
import { isHeardFor, type PutLine } from './heard.ts';
import { actOf, plainAnswer, strengthOf } from './utterance.ts';

/** The meaning of words for a question of a task: a choice, a yes that came too early, or no choice. */
export type Chosen = { readonly choice: string } | 'early' | 'none';

/** Decides what words mean to a question of a task of which so much was heard. A refusal counts at once. */
export function chosenBy(
  asked: ChoiceQuestion,
  utterance: Utterance | undefined,
  put: Pick<PutLine, 'heard' | 'isOver' | 'afterSilence'>,
): Chosen {
  const named = actOf(utterance, 'choose')?.choice;
  const answer = plainAnswer(utterance);
  const meant = answer === 'yes' ? asked.affirms : answer === 'no' ? asked.denies : undefined;
  const choice = named ?? meant;
  if (choice === undefined) return 'none';
  if (choice === asked.denies) return { choice };
  const strength = named === undefined ? strengthOf(utterance) : 'plain';
  return isHeardFor(put, strength) ? { choice } : 'early';
}

/** The numbers and choices in a line that puts the question: a caller must have heard them. */
export function namedIn({ choices }: Pick<ChoiceQuestion, 'choices'>, line: string): readonly string[] {
  const plain = line.toLowerCase();
  return [...(line.match(/\p{N}+/gu) ?? []), ...choices.filter((choice) => plain.includes(choice.toLowerCase()))];
}
