import { distance } from 'fastest-levenshtein';
import { settle, versionsOf, type Mention, type Version } from './corrections.ts';
import { EVERYDAY_WORDS, GIVEN_NAMES, PARTICLES, SENTENCE_WORDS, TITLES } from './name-words.ts';
import type { Reading, ReadOptions } from './reading.ts';
import { spelledAt, withoutSpellingAids, type SpelledLetters } from './spelling.ts';
import { hasPhraseAt, longestPhraseAt, phraseTable, wordsOf, type Word } from './words.ts';

interface Name {
  words: string[];
}

/** How surely the words around it make what was said a name. */
type Strength = 'named' | 'introduced' | 'bare';

const NAMED = phraseTable([
  ...['my name is', "my name's", 'my full name is', 'my names', 'my whole name is', 'my legal name is', 'call me', 'calls me', 'i am called'],
  ...["i'm called", 'i go by', 'name is', "the name's", 'the name is', 'my first name is', 'my last name is', 'my name would be'],
  ...['my given name is', 'my family name is', 'my surname is', 'first name is', 'last name is', 'my name will be', 'under the name', 'under the name of'],
  ...['booking is under', 'reservation is under', "it's under", 'it is under', 'appointment is under'],
]);
const ABOUT_SOMEONE = new Set(["wife's", "husband's", "son's", "daughter's", "mother's", "father's", "friend's", 'his', 'her', 'their', 'your', "doctor's", "company's"]);
const INTRODUCED = phraseTable(['this is', "i'm", 'im', 'i am', "it's", 'its', 'it is', 'that is', "that's", 'you are speaking with', 'you are speaking to']);
const LEAD_INS = phraseTable([
  ...['yes', 'yeah', 'yep', 'sure', 'sure thing', 'okay', 'ok', 'of course', 'hi', 'hello', 'hey', 'hi there', 'hello there', 'good morning'],
  ...['good afternoon', 'good evening', 'well', 'so', 'oh', 'alright', 'all right', 'thanks', 'thank you', 'please', 'right', 'certainly'],
  ...['yes please', 'no problem', 'absolutely', 'just', 'no', 'yes it is', 'yes sure', 'uh'],
]);
const CLOSINGS = phraseTable([
  ...['please', 'thanks', 'thank you', 'here', 'speaking', 'calling', 'again', 'sir', "ma'am", 'madam', 'is my name', 'is the name'],
  ...['yes', 'yeah', "that's my name", "that's me", "that's it", 'by the way', "that's the name", 'thank you very much'],
]);
const SUFFIX_NAMES = new Set(['jr', 'sr', 'junior', 'senior']);
const LONGEST_NAME = 6;
/** Endings of adjectives, adverbs and abstract nouns, which names in lower case hardly have. */
const NO_NAME_ENDING = /(?:ly|ing|ed|tion|sion|ment|ness|able|ible|ful|less|ous|ized|ised|ology)$/;
const NAMES_LIKE_THAT = new Set(
  'mohammed muhammed mohamed ahmed saeed jared wilfred winifred manfred alfred creed reed sneed steed swinnerton king sterling fleming harding manning keating browning ling ming ping sung ting wing reading billy molly sally polly kelly holly emily lily willy kimberly beverly ely carly shelly connolly connelly donnelly reilly daly kennelly'.split(' '),
);

/**
 * Reads a person's name. Without a question only an introduction counts ("my name is", "this is", "I'm"); as an answer, the bare name too.
 * A name spelled out replaces the word it resembles. Names are easily misheard: certain means only that the words are an introduction.
 */
export function readName(text: string, options: ReadOptions): Reading {
  const asked = options.asked === true;
  const cased = isCased(text);
  const versions = versionsOf(withoutSpellingAids(wordsOf(text)));
  const { mentions, unsettled } = settle(versions, (words, version) => namesIn(words, version, text, { asked, cased }), correctedName);
  const distinct = longestNames(mentions);
  const [mention, ...others] = distinct;
  if (mention === undefined) return { ok: false, problem: 'not-found' };
  const candidates = distinct.map((each) => written(each.value.words));
  if (others.length > 0 || unsettled || mention.bound) return { ok: false, problem: 'ambiguous', candidates };
  const { start, end, certain } = mention;
  return { ok: true, value: written(mention.value.words), said: text.slice(start, end), start, end, certain };
}

function namesIn(
  words: readonly Word[],
  version: Version<Word>,
  text: string,
  { asked, cased }: { asked: boolean; cased: boolean },
): Mention<Name>[] {
  const spellings = spellingsIn(words);
  const kept = words.filter((_, at) => !spellings.some((spelled) => at >= spelled.from && at < spelled.next));
  const corrects = version.correction !== undefined;
  const mentions = introducedIn(kept, text, { asked, cased });
  const lead = asked && mentions.length > 0 ? leadingName(kept, 0, text, cased) : undefined;
  if (lead !== undefined) mentions.unshift(lead);
  if (mentions.length === 0 && (asked || corrects)) {
    const bare = bareName(kept, text, corrects && !asked ? cased : asked, cased);
    if (bare !== undefined) mentions.push(bare);
  }
  for (const spelled of spellings) {
    if (mentions.length > 0) for (const mention of mentions) applySpelling(mention, spelled, words);
    else if (asked && isOnlySpelling(kept)) mentions.push(spelledMention(spelled, words));
  }
  return mentions;
}

function introducedIn(words: readonly Word[], text: string, context: { asked: boolean; cased: boolean }): Mention<Name>[] {
  const mentions: Mention<Name>[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const named = longestPhraseAt(words, at, NAMED);
    const introduced = named > 0 ? 0 : longestPhraseAt(words, at, INTRODUCED);
    const label = named + introduced > 0 ? 0 : labelLength(words, at);
    const length = named + introduced + label;
    if (length === 0) continue;
    const someone = words.slice(Math.max(0, at - 2), at).some((word) => ABOUT_SOMEONE.has(word.text));
    if (someone && !context.asked) continue;
    const strength: Strength = introduced > 0 ? 'introduced' : 'named';
    const name = nameAt(words, at + length, strength, text, context);
    if (name === undefined) continue;
    const part = partOf(words, at, length);
    const last = mentions.at(-1);
    if (part === 'last' && last !== undefined) {
      last.value = { words: [...last.value.words, ...name.value.words] };
      last.end = name.end;
    } else {
      mentions.push(name);
    }
    at = name.to - 1;
  }
  return mentions;
}

/** "first name", "last name", "name:" without a verb. */
function labelLength(words: readonly Word[], at: number): number {
  const isLabel = ['first', 'last', 'full', 'given', 'family'].includes(words[at]?.text ?? '') && words[at + 1]?.text === 'name';
  if (isLabel) return words[at + 2]?.mark === true ? 3 : 2;
  if (words[at]?.text === 'surname') return words[at + 1]?.text === 'is' ? 2 : 1;
  return words[at]?.text === 'name' && words[at + 1]?.text === ':' ? 2 : 0;
}

function partOf(words: readonly Word[], at: number, length: number): 'last' | undefined {
  const phrase = words.slice(Math.max(0, at - 1), at + length).map((word) => word.text);
  return phrase.includes('last') || phrase.includes('family') || phrase.includes('surname') ? 'last' : undefined;
}

function nameAt(
  words: readonly Word[],
  from: number,
  strength: Strength,
  text: string,
  { asked, cased }: { asked: boolean; cased: boolean },
): Mention<Name> | undefined {
  let start = from;
  while (isTitle(words, start) || (words[start]?.mark === true && /^[:,.…–-]$/.test(words[start]?.text ?? ''))) start += 1;
  let to = start;
  while (to - start < LONGEST_NAME && isNameWord(words, to, start)) to += 1;
  while (to > start && (words[to - 1]?.mark === true && words[to - 1]?.text !== '.')) to -= 1;
  if (to === start || !endsName(words, to)) return undefined;
  const isOrdinary = isEveryday(words[start]?.text ?? '') || words.slice(start, to).every((word) => word.mark || /^[a-z]$/.test(word.text));
  if (isOrdinary || (strength === 'introduced' && !isCredible(words, { frame: from, from: start, to }, text, asked, cased))) return undefined;
  return repeatedInFull(words, mentionOf(words, start, to, text, strength !== 'introduced' || !asked), text);
}

/** "Bond, James Bond": a name said again in full. */
function repeatedInFull(words: readonly Word[], name: Mention<Name>, text: string): Mention<Name> {
  if (!/^[,.]$/.test(words[name.to]?.text ?? '')) return name;
  let to = name.to + 1;
  while (to - name.to <= LONGEST_NAME && isNameWord(words, to, name.to + 1)) to += 1;
  const again = words.slice(name.to + 1, to).map((word) => word.text);
  const contains = name.value.words.every((word) => again.includes(word.toLowerCase()));
  return contains && again.length > name.value.words.length ? mentionOf(words, name.to + 1, to, text, name.certain) : name;
}

/** "Dr", and the point behind it. */
function isTitle(words: readonly Word[], at: number): boolean {
  return TITLES.has(words[at]?.text ?? '') || (words[at]?.text === '.' && TITLES.has(words[at - 1]?.text ?? ''));
}

/** What may follow a name: an end, or a word that goes on with the sentence. */
function endsName(words: readonly Word[], at: number): boolean {
  const after = words[at];
  return after === undefined || after.mark || SENTENCE_WORDS.has(after.text) || longestPhraseAt(words, at, CLOSINGS) > 0;
}

/** Whether "I'm …" or "this is …" introduces a person rather than says how one is. */
function isCredible(
  words: readonly Word[],
  { frame, from, to }: { frame: number; from: number; to: number },
  text: string,
  asked: boolean,
  cased: boolean,
): boolean {
  const name = words.slice(from, to).filter((word) => !word.mark);
  if (name.some((word) => isEveryday(word.text) && !isInFullName(name, word, text, cased))) return false;
  const isPerson = words[frame - 2]?.text === 'this' || ["i'm", 'im', 'am'].includes(words[frame - 1]?.text ?? '');
  const after = words[to];
  const plain = after === undefined || after.mark || CLOSES_INTRODUCTION.has(after.text);
  if (asked) return plain;
  if (!isPerson || !plain) return false;
  const first = name[0];
  if (first === undefined) return false;
  if (!cased) return GIVEN_NAMES.has(first.text);
  return name.every((word) => word.capital || PARTICLES.has(word.text)) && !DEMONYM.test(first.text);
}

const CLOSES_INTRODUCTION = new Set(
  'calling speaking here from with and i i am and my at again please thanks thank but for to on about we who is'.split(' '),
);
const DEMONYM = /(?:ican|adian|alian|tish|lish|nish|dish|nese|erman|ussian|rench|ndian|tholic|ristian|ewish|uslim|utch|pean)$/;

/** The whole text as a name, less what is said around one. */
function bareName(words: readonly Word[], text: string, allowed: boolean, cased: boolean): Mention<Name> | undefined {
  if (!allowed || words.some((word) => word.text === '?')) return undefined;
  let from = 0;
  let to = words.length;
  for (let moved = true; moved && from < to; ) {
    const length = words[from]?.mark === true ? 1 : longestPhraseAt(words, from, LEAD_INS);
    moved = length > 0 && from + length < to;
    if (moved) from += length;
  }
  for (let moved = true; moved && to > from; ) {
    moved = words[to - 1]?.mark === true;
    if (moved) to -= 1;
    for (let length = 1; length <= 4 && !moved; length += 1) {
      if (to - length > from && longestPhraseAt(words, to - length, CLOSINGS) === length) {
        to -= length;
        moved = true;
      }
    }
  }
  while (isTitle(words, from)) from += 1;
  const name = words.slice(from, to);
  if (name.length === 0 || name.length > LONGEST_NAME * 2) return undefined;
  const comma = name.findIndex((word) => word.text === ',' || (word.text === '.' && word.glued && isFullWord(name, word)));
  if (comma > 0) {
    const again = repeatedInFull(words.slice(0, to), mentionOf(words, from, from + comma, text, true), text);
    const first = name.slice(0, comma).every((_, index) => isNameWord(words, from + index, from));
    const isWhole = first && again.to === to && !name.slice(comma + 1).some((word) => isEveryday(word.text));
    return isWhole ? again : leadingName(words, from, text, cased);
  }
  const isName = name.every((word, index) => isNameWord(words, from + index, from) && (!isEveryday(word.text) || isInFullName(name, word, text, cased)));
  const spoken = name.filter((word) => !word.mark);
  if (!isName || spoken.length > LONGEST_NAME || spoken.every((word) => /^[a-z]$/.test(word.text))) return leadingName(words, from, text, cased);
  const known = spoken.length > 1 && spoken.some((word) => GIVEN_NAMES.has(word.text) || (cased && word.capital));
  return mentionOf(words, from, to, text, known || GIVEN_NAMES.has(spoken[0]?.text ?? ''));
}

/** A full name with which a longer answer begins: "Maria Delgado, March third". */
function leadingName(words: readonly Word[], from: number, text: string, cased: boolean): Mention<Name> | undefined {
  let to = from;
  while (to - from < LONGEST_NAME && isNameWord(words, to, from)) to += 1;
  const name = words.slice(from, to);
  const after = words[to];
  const goesOn = after?.text === ',' || after?.text === '.' || ['and', 'but', 'calling', 'from', 'i', 'my', 'here'].includes(after?.text ?? '');
  const isFull = name.length > 1 && GIVEN_NAMES.has(name[0]?.text ?? '') && name.every((word) => !word.mark);
  const isPlain = name.every((word) => !isEveryday(word.text) || isInFullName(name, word, text, cased));
  return goesOn && isFull && isPlain ? mentionOf(words, from, to, text, false) : undefined;
}

/** "Will Young", "Grace Short": an everyday word is a surname behind a given name. */
function isInFullName(name: readonly Word[], word: Word, text: string, cased: boolean): boolean {
  const first = name[0];
  return first !== undefined && first !== word && GIVEN_NAMES.has(first.text) && (!cased || word.capital);
}

function isFullWord(name: readonly Word[], dot: Word): boolean {
  const before = name[name.indexOf(dot) - 1];
  return before !== undefined && before.text.length > 2;
}

function isNameWord(words: readonly Word[], at: number, from: number): boolean {
  const word = words[at];
  if (word === undefined) return false;
  if (word.mark) {
    const isHyphen = word.text === '-' && word.glued && words[at + 1]?.glued === true;
    const isInitialDot = word.text === '.' && at > from && (words[at - 1]?.text.length ?? 9) <= 2;
    return isHyphen || isInitialDot;
  }
  if (!/^\p{L}/u.test(word.text) || word.text.length > 30) return false;
  // "I" and "a" are initials only inside a name.
  if (word.text.length === 1 && at > from) return word.text !== 'i' && word.text !== 'a';
  if (!SENTENCE_WORDS.has(word.text)) return true;
  const next = words[at + 1];
  const isFollowed = next !== undefined && !next.mark && next.capital && !SENTENCE_WORDS.has(next.text);
  return HOMOGRAPHS.has(word.text) && at === from && word.capital && isFollowed;
}

/** Given names that are also words of a sentence; written with capitals before another name they are names: "An Nguyen", "May Lee". */
const HOMOGRAPHS = new Set(['an', 'may', 'see', 'do', 'so', 'june', 'august', 'april']);

function isEveryday(word: string): boolean {
  if (GIVEN_NAMES.has(word) || NAMES_LIKE_THAT.has(word)) return false;
  return EVERYDAY_WORDS.has(word) || (word.length > 4 && NO_NAME_ENDING.test(word));
}

/** Whether capitals mean anything: some letters are capital and some words are not. */
function isCased(text: string): boolean {
  return /\p{Lu}/u.test(text) && /(?:^|[^\p{L}'’])\p{Ll}|\p{Lu}\p{Ll}/u.test(text);
}

function mentionOf(words: readonly Word[], from: number, to: number, text: string, certain: boolean): Mention<Name> {
  const start = words[from]?.start ?? 0;
  const end = words[to - 1]?.end ?? start;
  const parts: string[] = [];
  for (const word of words.slice(from, to)) {
    const said = text.slice(word.start, word.end).replaceAll('’', "'");
    const last = parts.length - 1;
    if (word.glued && last >= 0 && (word.text === '-' || parts[last]?.endsWith('-') === true)) parts[last] += said;
    else if (word.mark) continue;
    else parts.push(said);
  }
  return { value: { words: parts }, from, to, start, end, certain };
}

function spellingsIn(words: readonly Word[]): SpelledLetters[] {
  const found: SpelledLetters[] = [];
  let at = 0;
  while (at < words.length) {
    const spelled = spelledAt(words, at);
    const introduced = ["that's", 'is', 'spelled', 'spell', 'spelling'].includes(words[at - 1]?.text ?? '');
    if (spelled !== undefined && (spelled.letters.length > 2 || (introduced && at > 1))) {
      found.push({ ...spelled, from: at - spellingIntroduction(words, at) });
    }
    at = spelled?.next ?? at + 1;
  }
  return found;
}

/** How many words before the letters only announce them: "that is", "spelled". */
function spellingIntroduction(words: readonly Word[], at: number): number {
  for (const phrase of SPELLING_INTRODUCTIONS) {
    if (hasPhraseAt(words, at - phrase.length, phrase)) return phrase.length;
  }
  return 0;
}

const SPELLING_INTRODUCTIONS = [
  ...['that is spelled', "that's spelled", "it's spelled", 'it is spelled', 'which is spelled', 'which is', 'i spell it', 'is spelled'],
  ...['that is', "that's", 'it is', "it's", 'spelled', 'spelt', 'spelling'],
].map((phrase) => phrase.split(' '));

/** Writes the spelled letters in place of the word, or the words, that they spell. */
function applySpelling(mention: Mention<Name>, spelled: SpelledLetters, words: readonly Word[]): void {
  const letters = spelled.letters.toLowerCase();
  const joined = mention.value.words.join('').toLowerCase();
  if (joined === letters) return;
  const near = mention.value.words
    .map((word, at) => ({ at, far: distance(word.toLowerCase().slice(0, 40), letters.slice(0, 40)) }))
    .toSorted((a, b) => a.far - b.far)[0];
  if (near === undefined || near.far > Math.max(1, Math.floor(letters.length / 2))) {
    mention.bound = true;
    return;
  }
  mention.value = { words: mention.value.words.map((word, at) => (at === near.at && near.far > 0 ? letters : word)) };
  mention.end = Math.max(mention.end, words[spelled.next - 1]?.end ?? mention.end);
}

function isOnlySpelling(words: readonly Word[]): boolean {
  return words.every((word) => word.mark || SPELLING_WORDS.has(word.text) || longestPhraseAt([word], 0, LEAD_INS) > 0);
}

const SPELLING_WORDS = new Set("that's that is it's it spelled spelling my name last first so the".split(' '));

function spelledMention(spelled: SpelledLetters, words: readonly Word[]): Mention<Name> {
  const start = words[spelled.from]?.start ?? 0;
  const end = words[spelled.next - 1]?.end ?? start;
  return { value: { words: [spelled.letters] }, from: spelled.from, to: spelled.next, start, end, certain: false };
}

/** One word that resembles a word of the earlier name corrects that word; anything else is the name anew. */
function correctedName(earlier: Name, later: Name): Name {
  const [word, ...others] = later.words;
  if (word === undefined || others.length > 0 || earlier.words.length < 2) return later;
  const near = earlier.words
    .map((each, at) => ({ at, far: distance(each.toLowerCase(), word.toLowerCase()) }))
    .toSorted((a, b) => a.far - b.far)[0];
  if (near === undefined || near.far > Math.max(1, Math.floor(word.length / 3))) return later;
  return { words: earlier.words.map((each, at) => (at === near.at ? word : each)) };
}

function longestNames(mentions: readonly Mention<Name>[]): Mention<Name>[] {
  const key = (mention: Mention<Name>): string => ` ${mention.value.words.join(' ').toLowerCase()} `;
  return mentions.filter((mention, at) =>
    mentions.every((other, index) => index === at || !key(other).includes(key(mention)) || (key(other) === key(mention) && index > at)),
  );
}

/** Capitalises a name; capitals inside a word stay as they were written. */
function written(words: readonly string[]): string {
  return words.map((word, at) => writtenWord(word, at, words.length)).join(' ');
}

function writtenWord(word: string, at: number, count: number): string {
  const outer = at === 0 || at === count - 1;
  const lower = word.toLowerCase();
  if (at > 0 && SUFFIX_NAMES.has(lower)) return lower === 'jr' || lower === 'sr' ? `${lower.charAt(0).toUpperCase()}r.` : capital(lower);
  const isMixed = /\p{Ll}/u.test(word) && /\p{Lu}/u.test(word);
  if (isMixed) return word;
  if (!outer && PARTICLES.has(lower) && word === lower) return lower;
  return lower.split('-').map(capitalPart).join('-');
}

function capitalPart(part: string): string {
  if (/^mc\p{L}{3}/u.test(part)) return `Mc${capital(part.slice(2))}`;
  const apostrophe = part.indexOf("'");
  const prefix = apostrophe === 1 || apostrophe === 2 ? part.slice(0, apostrophe + 1) : '';
  return prefix === '' ? capital(part) : capital(prefix) + capital(part.slice(prefix.length));
}

function capital(part: string): string {
  return part.charAt(0).toUpperCase() + part.slice(1);
}
