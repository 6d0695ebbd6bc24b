import type { ChoiceQuestion, Utterance } from '../../events/dialogue.ts';
import { isHeardFor, type PutLine } from './heard.ts';
import { actOf, plainAnswer, strengthOf } from './utterance.ts';

/** The meaning of words at a task's question: a choice, a yes that came too early, or no choice. */
export type Chosen = { readonly choice: string } | 'early' | 'none';

/** Returns the meaning of words at a task's question, given how much of it was heard. A refusal counts at once. */
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

/** Returns the numbers and choices in a line that the caller must have heard. */
export function namedIn({ choices }: Pick<ChoiceQuestion, 'choices'>, line: string): readonly string[] {
  const plain = line.toLowerCase();
  return [...(line.match(/\p{N}+/gu) ?? []), ...choices.filter((choice) => plain.includes(choice.toLowerCase()))];
}
