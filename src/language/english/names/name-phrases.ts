import type { Mention } from '../answers/corrections.ts';
import { endOfName, hasEverydayWord, isEveryday, isNameWord, isOnlyInitials, isTitle } from './name-likeness.ts';
import { GIVEN_NAMES, PARTICLES, SENTENCE_WORDS } from './name-words.ts';
import { longestPhraseAt, phraseTable, wordSet, type Word } from '../words.ts';

/** A name as it was said, word by word. */
export interface Name {
  words: string[];
}

/** What is known of the text around a name. */
export interface NameContext {
  text: string;
  asked: boolean;
  /** Whether capitals mean anything in the text. */
  cased: boolean;
}

const NAMED = phraseTable(`
  my name is, my name's, my full name is, my names, my whole name is, my legal name is, call me, calls me, i am called, i'm called,
  i go by, name is, the name's, the name is, my first name is, my last name is, my name would be, my given name is, my family name is,
  my surname is, first name is, last name is, my name will be, under the name, under the name of, booking is under,
  reservation is under, it's under, it is under, appointment is under, booking under, reservation under, appointment under, booked under,
  reserved under`);
const ABOUT_SOMEONE = wordSet(`
  wife's husband's son's daughter's mother's father's friend's his her their your doctor's company's`);
const INTRODUCED = phraseTable(`
  this is, i'm, im, i am, under, it's, its, it is, that is, that's, you are speaking with, you are speaking to, that would be, that will be`);
const LEAD_INS = phraseTable(`
  yes, yeah, yep, sure, sure thing, okay, ok, of course, hi, hello, hey, hi there, hello there, good morning, good afternoon,
  good evening, well, so, oh, alright, all right, thanks, thank you, please, right, certainly, yes please, no problem, absolutely,
  just, no, yes it is, yes sure`);
const CLOSINGS = phraseTable(`
  please, thanks, thank you, here, speaking, calling, again, sir, ma'am, madam, is my name, is the name, yes, yeah, that's my name,
  that's me, that's it, by the way, that's the name, thank you very much`);
const LONGEST_CLOSING = 4;
const LONGEST_NAME = 6;
const AFTER_INTRODUCTION = wordSet(`
  calling speaking here from with and i am my and at again please thanks thank but for to on about we who is by`);
const AFTER_LEADING_NAME = wordSet('and but calling from i my here , .');
const DEMONYM =
  /(?:ican|adian|alian|tish|lish|nish|dish|nese|erman|ussian|rench|ndian|tholic|ristian|ewish|uslim|utch|pean)$/;

/** The names that are introduced as such: "my name is …", "this is …", "first name … last name …". */
export function introducedNames(words: readonly Word[], context: NameContext): Mention<Name>[] {
  const mentions: Mention<Name>[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const named = longestPhraseAt(words, at, NAMED) || labelLength(words, at);
    const length = named || longestPhraseAt(words, at, INTRODUCED);
    if (length === 0) continue;
    const isSomeoneElse = words.slice(Math.max(0, at - 2), at).some((word) => ABOUT_SOMEONE.has(word.text));
    const name = isSomeoneElse && !context.asked ? undefined : nameAt(words, at + length, named > 0, context);
    if (name === undefined) continue;
    const last = mentions.at(-1);
    if (last !== undefined && last.value.words.length < LONGEST_NAME && isLastName(words, at, length)) {
      last.value = { words: [...last.value.words, ...name.value.words] };
      last.end = name.end;
    } else {
      mentions.push(name);
    }
    at = name.to - 1;
  }
  return mentions;
}

/** The whole text as a name, less what is said around one: "yes, Maria Delgado, thank you". */
export function bareName(words: readonly Word[], context: NameContext): Mention<Name> | undefined {
  if (words.some((word) => word.text === '?')) return undefined;
  let from = afterLeadIns(words);
  const to = beforeClosings(words, from);
  while (isTitle(words, from)) from += 1;
  const name = words.slice(from, to);
  if (name.length === 0 || name.length > LONGEST_NAME * 2) return undefined;
  const pause = name.findIndex(
    (word, at) => word.text === ',' || (word.text === '.' && (name[at - 1]?.text.length ?? 0) > 2),
  );
  const end = pause > 0 ? from + pause : to;
  const first = words.slice(from, end);
  const isName =
    first.every((_, index) => isNameWord(words, from + index, from)) && !hasEverydayWord(first, context.cased);
  const mention = mentionOf(words, from, end, context, isKnown(first, context));
  const again = end === to ? mention : saidInFull(words, mention, context);
  const isWhole = again.to === to && !hasEverydayWord(words.slice(again.from, to), context.cased);
  if (!isName || !isWhole || again.value.words.length > LONGEST_NAME || isOnlyInitials(first)) {
    return leadingName(words, from, context);
  }
  return again;
}

/** A full name with which a longer answer begins: "Maria Delgado, March third". */
export function leadingName(words: readonly Word[], from: number, context: NameContext): Mention<Name> | undefined {
  const to = endOfName(words, from, LONGEST_NAME);
  const name = words.slice(from, to);
  const isFull = name.length > 1 && GIVEN_NAMES.has(name[0]?.text ?? '') && name.every((word) => !word.mark);
  const goesOn = AFTER_LEADING_NAME.has(words[to]?.text ?? '');
  return isFull && goesOn && !hasEverydayWord(name, context.cased)
    ? mentionOf(words, from, to, context, false)
    : undefined;
}

/** The length of "first name", "last name", "name:", which need no verb. */
function labelLength(words: readonly Word[], at: number): number {
  const [word, next] = [words[at]?.text ?? '', words[at + 1]?.text];
  if (['first', 'last', 'full', 'given', 'family'].includes(word) && next === 'name') {
    return words[at + 2]?.mark === true ? 3 : 2;
  }
  if (word === 'surname') return next === 'is' ? 2 : 1;
  return word === 'name' && next === ':' ? 2 : 0;
}

function isLastName(words: readonly Word[], at: number, length: number): boolean {
  return words
    .slice(Math.max(0, at - 1), at + length)
    .some((word) => ['last', 'family', 'surname'].includes(word.text));
}

function nameAt(
  words: readonly Word[],
  frame: number,
  named: boolean,
  context: NameContext,
): Mention<Name> | undefined {
  let from = frame;
  while (isTitle(words, from) || /^[:,.…–-]$/.test(words[from]?.text ?? '')) from += 1;
  let to = Math.max(
    endOfName(words, from, LONGEST_NAME),
    from + (isWordWithCapital(words[from], named, context) ? 1 : 0),
  );
  while (to > from && words[to - 1]?.mark === true && words[to - 1]?.text !== '.') to -= 1;
  const name = words.slice(from, to);
  const first = name[0];
  if (first === undefined || !endsName(words, to) || isOnlyInitials(name)) return undefined;
  if (isEveryday(first.text) && !isCapitalName(name, named, context)) return undefined;
  if (!named && !isIntroduction(words, { frame, from, to }, context)) return undefined;
  return saidInFull(words, mentionOf(words, from, to, context, named || !context.asked), context);
}

/** Checks for a capital behind an introduction, which makes any word a name: "it is Day", but not "it is Monday". */
function isWordWithCapital(word: Word | undefined, named: boolean, { asked, cased }: NameContext): boolean {
  return cased && (named || asked) && word?.capital === true && !ALWAYS_CAPITAL.has(word.text);
}

const ALWAYS_CAPITAL = wordSet(`
  i i'm i've i'd i'll monday tuesday wednesday thursday friday saturday sunday january february march july september october
  november december english spanish german french portuguese`);

/** Checks whether capitals show that everyday words are a name: "My surname is Young", or "It's Day" as an answer. */
function isCapitalName(name: readonly Word[], named: boolean, { asked, cased }: Omit<NameContext, 'text'>): boolean {
  return cased && (named || asked) && name.every((word) => word.mark || word.capital);
}

/** Checks what follows a name: an end, or a word that continues the sentence. */
function endsName(words: readonly Word[], at: number): boolean {
  const after = words[at];
  if (after === undefined || after.mark) return true;
  return SENTENCE_WORDS.has(after.text) || longestPhraseAt(words, at, CLOSINGS) > 0;
}

/** Whether "I'm …", "this is …" or "it's …" introduces a person rather than says how things are. */
function isIntroduction(
  words: readonly Word[],
  { frame, from, to }: { frame: number; from: number; to: number },
  { asked, cased }: Omit<NameContext, 'text'>,
): boolean {
  const name = words.slice(from, to).filter((word) => !word.mark);
  const after = words[to];
  const isPlain = after === undefined || after.mark || AFTER_INTRODUCTION.has(after.text);
  if (!isPlain) return false;
  if (hasEverydayWord(name, cased)) return isCapitalName(name, false, { asked, cased });
  if (asked) return true;
  const isPerson =
    words[frame - 2]?.text === 'this' || ["i'm", 'im', 'am', 'under'].includes(words[frame - 1]?.text ?? '');
  const first = name[0]?.text ?? '';
  const isPlace = words[frame - 1]?.text === 'under';
  if (!isPerson || !cased || isPlace) return isPerson && GIVEN_NAMES.has(first);
  return name.every((word) => word.capital || PARTICLES.has(word.text)) && !DEMONYM.test(first);
}

/** "Bond, James Bond": a name said again in full. */
function saidInFull(words: readonly Word[], name: Mention<Name>, context: NameContext): Mention<Name> {
  if (!/^[,.]$/.test(words[name.to]?.text ?? '')) return name;
  const from = name.to + 1;
  const to = endOfName(words, from, LONGEST_NAME);
  const again = words.slice(from, to).map((word) => word.text);
  const isContained = name.value.words.every((word) => again.includes(word.toLowerCase()));
  return isContained && again.length > name.value.words.length
    ? mentionOf(words, from, to, context, name.certain)
    : name;
}

/** A given name, or a name of several words with capitals, is a name for certain. */
function isKnown(name: readonly Word[], { cased }: NameContext): boolean {
  if (GIVEN_NAMES.has(name[0]?.text ?? '')) return true;
  const spoken = name.filter((word) => !word.mark);
  return spoken.length > 1 && spoken.some((word) => GIVEN_NAMES.has(word.text) || (cased && word.capital));
}

function afterLeadIns(words: readonly Word[]): number {
  let from = 0;
  while (from < words.length) {
    const length = words[from]?.mark === true ? 1 : longestPhraseAt(words, from, LEAD_INS);
    if (length === 0 || from + length >= words.length) break;
    from += length;
  }
  return from;
}

function beforeClosings(words: readonly Word[], from: number): number {
  let to = words.length;
  while (to > from) {
    const length = words[to - 1]?.mark === true ? 1 : closingLength(words, from, to);
    if (length === 0) break;
    to -= length;
  }
  return to;
}

function closingLength(words: readonly Word[], from: number, to: number): number {
  for (let length = 1; length <= LONGEST_CLOSING && to - length > from; length += 1) {
    if (longestPhraseAt(words, to - length, CLOSINGS) === length) return length;
  }
  return 0;
}

function mentionOf(
  words: readonly Word[],
  from: number,
  to: number,
  context: NameContext,
  certain: boolean,
): Mention<Name> {
  const start = words[from]?.start ?? 0;
  const end = words[to - 1]?.end ?? start;
  const parts: string[] = [];
  for (const word of words.slice(from, to)) {
    const said = context.text.slice(word.start, word.end).replaceAll('’', "'");
    const last = parts.at(-1);
    const isJoined = word.glued && last !== undefined && (word.text === '-' || last.endsWith('-'));
    if (isJoined) parts[parts.length - 1] = last + said;
    else if (!word.mark) parts.push(said);
  }
  return { value: { words: parts }, from, to, start, end, certain };
}
