import { readChoice } from '../../reading/english/choices.ts';
import { plainAnswer } from '../../reading/english/yes-no.ts';

/**
 * The choice that an answer means: by its name or a word that only it has, by its place, or by a plain yes or no where that
 * is a choice. Undefined where the words leave room; the question is then asked again.
 */
export function spokenChoice(text: string, choices: readonly string[]): string | undefined {
  const answer = plainAnswer(text);
  const plain = choices.find((choice) => choice.trim().toLowerCase() === answer);
  if (plain !== undefined) return plain;
  // "I do not think that we should approve it" names a choice, and does not mean it.
  if (denial.test(text) && !choices.some((choice) => denial.test(choice))) return undefined;
  const reading = readChoice(text, { now: '', asked: true, values: new Map(choices.map((choice) => [choice, []])) });
  if (!reading.ok) return undefined;
  const { value, certain } = reading;
  return typeof value === 'string' && (certain || !isYesOrNo(value)) ? value : undefined;
}

const denial = /\b(?:no|not|never|none|neither|nor|without)\b|n['’]t\b/i;

function isYesOrNo(choice: string): boolean {
  return plainAnswer(choice) !== undefined;
}
