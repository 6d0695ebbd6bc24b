import { wordSet, wordsOf } from './words.ts';

/** Words that nearly every English text of some length has, and hardly any other has several of. */
const FREQUENT = wordSet(`
  the and is are was my your you we it that this of to for with have would like please what which who how when where can could may shall
  does not yes from at i i'm it's i'd there here be want need me sorry`);

/** Below this many words a text shows no language. */
const ENOUGH_WORDS = 6;

/** Whether a text is English, or too short to be told from it. */
export function isEnglish(text: string): boolean {
  const words = wordsOf(text.slice(0, 4_000)).filter(({ mark, text: word }) => !mark && /\p{L}/u.test(word));
  if (words.some(({ text: word }) => /[^\p{Script=Latin}\p{M}'’.-]/u.test(word.replaceAll(/\d/g, '')))) return false;
  if (words.length < ENOUGH_WORDS) return true;
  return words.filter(({ text: word }) => FREQUENT.has(word)).length / words.length >= 0.12;
}
