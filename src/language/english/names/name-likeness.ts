import { EVERYDAY_WORDS, GIVEN_NAMES, SENTENCE_WORDS, TITLES } from './name-words.ts';
import { wordSet, type Word } from '../words.ts';

/** Endings of adjectives, adverbs and abstract nouns, which names hardly have. */
const NO_NAME_ENDING = /(?:ly|ing|ed|tion|sion|ment|ness|able|ible|ful|less|ous|ized|ised|ology)$/;
const NAMES_LIKE_THAT = wordSet(`
  mohammed muhammed mohamed ahmed saeed jared wilfred winifred manfred alfred creed reed sneed steed swinnerton king sterling fleming
  harding manning keating browning ling ming ping sung ting wing reading billy molly sally polly kelly holly emily lily willy kimberly
  beverly ely carly shelly connolly connelly donnelly reilly daly kennelly`);
/** Given names that are also common words. Capitals and a following name identify them: "An Nguyen", "May Lee". */
const HOMOGRAPHS = wordSet('an may see do so june august april');
const LONGEST_WORD = 30;

/** Whether a word, an initial or a hyphen can belong to the name that begins at `from`. */
export function isNameWord(words: readonly Word[], at: number, from: number): boolean {
  const word = words[at];
  if (word === undefined) return false;
  if (word.mark) {
    const isHyphen = word.text === '-' && word.glued && words[at + 1]?.glued === true;
    const isInitialDot = word.text === '.' && at > from && (words[at - 1]?.text.length ?? LONGEST_WORD) <= 2;
    return isHyphen || isInitialDot;
  }
  if (!/^\p{L}/u.test(word.text) || word.text.length > LONGEST_WORD) return false;
  if (word.text.length === 1 && at > from) return word.text !== 'i' && word.text !== 'a';
  if (!SENTENCE_WORDS.has(word.text)) return true;
  const next = words[at + 1];
  const isFollowed = next !== undefined && !next.mark && next.capital && !SENTENCE_WORDS.has(next.text);
  return HOMOGRAPHS.has(word.text) && at === from && word.capital && isFollowed;
}

/** The end of the longest name, of at most so many words, that can begin here. */
export function endOfName(words: readonly Word[], from: number, longest: number): number {
  let to = from;
  while (to - from < longest && isNameWord(words, to, from)) to += 1;
  return to;
}

/** Whether some word is an everyday one, except a surname behind a given name ("Will Young"). */
export function hasEverydayWord(name: readonly Word[], cased: boolean): boolean {
  const first = name[0];
  const isGiven = first !== undefined && GIVEN_NAMES.has(first.text);
  return name.some((word) => isEveryday(word.text) && !(isGiven && word !== first && (!cased || word.capital)));
}

/** Whether a word is hardly ever a name. */
export function isEveryday(word: string): boolean {
  if (GIVEN_NAMES.has(word) || NAMES_LIKE_THAT.has(word)) return false;
  return EVERYDAY_WORDS.has(word) || (word.length > 4 && NO_NAME_ENDING.test(word));
}

/** Whether there are only initials, which are no name. */
export function isOnlyInitials(name: readonly Word[]): boolean {
  return name.every((word) => word.mark || /^[a-z]$/.test(word.text));
}

/** "Dr", and the point behind it. */
export function isTitle(words: readonly Word[], at: number): boolean {
  return TITLES.has(words[at]?.text ?? '') || (words[at]?.text === '.' && TITLES.has(words[at - 1]?.text ?? ''));
}
