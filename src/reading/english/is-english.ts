import { questions as french } from '../french/answers.ts';
import { questions as german } from '../german/answers.ts';
import { questions as portuguese } from '../portuguese/answers.ts';
import { questions as spanish } from '../spanish/answers.ts';
import { wordSet, wordsOf } from './words.ts';

/** Words that nearly every English text of some length has, and hardly any other has several of. */
const FREQUENT = wordSet(`
  the and is are was my your you we it that this of to for with have would like please what which who how when where can could may shall
  does not yes from at i i'm it's i'd there here be want need me sorry`);

/** Below this many words a text shows no language by the words that it lacks. */
const ENOUGH_WORDS = 6;
/** So many frequent words of another language show that one, where they are the most of a text: "de la Cruz" has two. */
const ENOUGH_OTHERS = 3;

let others: readonly ReadonlySet<string>[] | undefined;

/** Whether most of some words are frequent ones of another language, and none of English: "Je ne comprends pas". */
export function isOtherLanguage(text: string): boolean {
  const words = wordsOf(text.slice(0, 4_000)).flatMap(({ mark, text: word }) => (mark ? [] : [word]));
  if (words.length < ENOUGH_OTHERS || words.some((word) => FREQUENT.has(word))) return false;
  others ??= [french, german, portuguese, spanish].map(({ frequent }) => new Set(frequent.split(' ')));
  return others.some((known) => {
    const frequent = words.filter((word) => known.has(word)).length;
    return frequent >= ENOUGH_OTHERS && 2 * frequent > words.length;
  });
}

/** Whether a text is English, or too short to be told from it. */
export function isEnglish(text: string): boolean {
  const words = wordsOf(text.slice(0, 4_000)).filter(({ mark, text: word }) => !mark && /\p{L}/u.test(word));
  if (words.some(({ text: word }) => /[^\p{Script=Latin}\p{M}'’.-]/u.test(word.replaceAll(/\d/g, '')))) return false;
  if (words.length < ENOUGH_WORDS) return !isOtherLanguage(text);
  return words.filter(({ text: word }) => FREQUENT.has(word)).length / words.length >= 0.12;
}
