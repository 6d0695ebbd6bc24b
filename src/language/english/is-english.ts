import { isOtherLanguage } from '../other-language.ts';
import { FREQUENT } from './frequent.ts';
import { wordsOf } from './words.ts';

/** Minimum number of words for a decision by missing words. */
const ENOUGH_WORDS = 6;

/** Checks whether a text is English, or too short to decide. */
export function isEnglish(text: string): boolean {
  const words = wordsOf(text.slice(0, 4_000)).filter(({ mark, text: word }) => !mark && /\p{L}/u.test(word));
  if (words.some(({ text: word }) => /[^\p{Script=Latin}\p{M}'’.-]/u.test(word.replaceAll(/\d/g, '')))) return false;
  if (words.length < ENOUGH_WORDS) return !isOtherLanguage(text, 'en');
  return words.filter(({ text: word }) => FREQUENT.has(word)).length / words.length >= 0.12;
}
