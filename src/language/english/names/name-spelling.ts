import { distance } from 'fastest-levenshtein';
import type { Mention } from '../answers/corrections.ts';
import type { Name } from './name-phrases.ts';
import { spelledAt, type SpelledLetters } from '../spelling.ts';
import { hasPhraseAt, wordSet, type Word } from '../words.ts';

const ANNOUNCEMENTS = [
  'that is spelled',
  "that's spelled",
  'it is spelled',
  "it's spelled",
  'which is spelled',
  'i spell it',
  'which is',
  'is spelled',
  'that is',
  "that's",
  'it is',
  "it's",
  'spelled',
  'spelt',
  'spelling',
].map((phrase) => phrase.split(' '));
const AROUND_SPELLING = wordSet(`
  that's that is it's it spelled spelling my name last first so the yes yeah sure okay ok well oh`);
/** Callers spell a first and a last name, and possibly one of them again. */
const MOST_SPELLINGS = 4;
/** The distance of two words takes the product of their lengths. */
const LONGEST_WORD = 40;

/** The words spelled letter by letter, together with what announces them ("that's D E L"); two letters alone are initials. */
export function spellingsIn(words: readonly Word[]): SpelledLetters[] {
  const found: SpelledLetters[] = [];
  let at = 0;
  while (at < words.length && found.length < MOST_SPELLINGS) {
    const spelled = spelledAt(words, at);
    const introduced = ["that's", 'is', 'spelled', 'spell', 'spelling'].includes(words[at - 1]?.text ?? '');
    if (spelled !== undefined && (spelled.letters.length > 2 || (introduced && at > 1))) {
      found.push({ ...spelled, from: at - announcementBefore(words, at) });
    }
    at = spelled?.next ?? at + 1;
  }
  return found;
}

/** Replaces the word that letters spell. Letters that match no word of the name make it uncertain. */
export function applySpelling(mention: Mention<Name>, spelled: SpelledLetters, words: readonly Word[]): void {
  const letters = spelled.letters.toLowerCase();
  const joined = mention.value.words.join('').toLowerCase();
  if (joined === letters) return;
  const near = nearestWord(mention.value.words, letters);
  if (near === undefined || near.far > Math.max(1, Math.floor(letters.length / 2))) {
    mention.bound = true;
    return;
  }
  if (near.far > 0) mention.value = { words: mention.value.words.with(near.at, letters) };
  mention.end = Math.max(mention.end, words[spelled.next - 1]?.end ?? mention.end);
}

/** The word of a name that differs least from a word, and in how many letters. */
export function nearestWord(words: readonly string[], word: string): { at: number; far: number } | undefined {
  const sought = word.toLowerCase().slice(0, LONGEST_WORD);
  return words
    .map((each, at) => ({ at, far: distance(each.toLowerCase().slice(0, LONGEST_WORD), sought) }))
    .toSorted((one, other) => one.far - other.far)[0];
}

/** Whether nothing was said beside the spelling. */
export function isOnlySpelling(words: readonly Word[]): boolean {
  return words.every((word) => word.mark || AROUND_SPELLING.has(word.text));
}

/** A name of which only the letters were said. */
export function spelledName(spelled: SpelledLetters, words: readonly Word[]): Mention<Name> {
  const start = words[spelled.from]?.start ?? 0;
  const end = words[spelled.next - 1]?.end ?? start;
  return { value: { words: [spelled.letters] }, from: spelled.from, to: spelled.next, start, end, certain: false };
}

/** How many words before the letters only announce them: "that is", "spelled". */
function announcementBefore(words: readonly Word[], at: number): number {
  for (const phrase of ANNOUNCEMENTS) {
    if (hasPhraseAt(words, at - phrase.length, phrase)) return phrase.length;
  }
  return 0;
}
