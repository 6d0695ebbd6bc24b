import { FREQUENT } from './english/frequent.ts';
import { wordsOf } from './english/words.ts';
import { questions as french } from './french/answers.ts';
import { questions as german } from './german/answers.ts';
import { questions as portuguese } from './portuguese/answers.ts';
import { questions as spanish } from './spanish/answers.ts';

/** Number of frequent words of another language that identify it, if they are also the majority. "de la Cruz" has two. */
const ENOUGH_OTHERS = 3;

/** Frequent words by language. */
const frequent: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['en', FREQUENT],
  ...[
    ['de', german.frequent] as const,
    ['es', spanish.frequent] as const,
    ['fr', french.frequent] as const,
    ['pt', portuguese.frequent] as const,
  ].map(([language, list]) => [language, new Set(list.split(' '))] as const),
]);

/** The language of words in another script. */
const undetermined = 'und';

/**
 * Checks whether a text is in a language other than the flow's: it has a letter of another script, or most words are
 * frequent in another language and none in the own one. A text without such signs counts as the own language.
 */
export function isOtherLanguage(text: string, tag: string): boolean {
  return otherLanguageIn(text, tag) !== null;
}

/** Returns the other language that a text is in, `und` if it is not known; null if it is in the flow's. */
export function otherLanguageIn(text: string, tag: string): string | null {
  const own = tag.split('-', 1)[0]?.toLowerCase() ?? '';
  const words = wordsOf(text.slice(0, 4_000)).flatMap(({ mark, text: word }) => (mark ? [] : [word]));
  if (words.some((word) => /(?!\p{Script=Latin})\p{L}/u.test(word))) return undetermined;
  if (words.length < ENOUGH_OTHERS || words.some((word) => frequent.get(own)?.has(word) === true)) return null;
  const found = [...frequent]
    .filter(([language]) => language !== own)
    .map(([language, known]) => ({ language, count: words.filter((word) => known.has(word)).length }))
    .toSorted((one, other) => other.count - one.count)[0];
  return found !== undefined && found.count >= ENOUGH_OTHERS && 2 * found.count > words.length ? found.language : null;
}
