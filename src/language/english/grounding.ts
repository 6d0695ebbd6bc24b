import { groundedBy } from '../doubt.ts';
import { englishCodes } from './codes.ts';
import { doubts } from './answers/doubts.ts';
import { groundedNumber } from './numbers/grounded-number.ts';
import { groundedName } from './names/grounded-name.ts';
import { groundedMoment } from './dates/grounded-moment.ts';
import { isConnecting } from './connecting.ts';
import { read, type ValueKind } from './reading.ts';
import { type Grounding, normal, type Said, textsOf } from './said-words.ts';
import { digitsOf } from './numbers/spoken-numbers.ts';
import { SENTENCE_WORDS } from './names/name-words.ts';
import { wordsOf } from './words.ts';

/** Whether a value of a kind is in what a caller said; never throws. English only. */
export function grounding(kind: ValueKind, value: string | number | boolean, said: Said): Grounding {
  const turns = said.turns.map((turn) => turn.slice(-mostRead));
  const short = typeof value === 'string' ? value.slice(0, mostRead) : value;
  return groundedBy(doubts, kind, short, { ...said, turns }, (each) => groundingIn(kind, short, each)) ?? 'unsaid';
}

/**
 * Characters compared of a value, and of the end of a turn: more than callers say at once. Reading time grows faster
 * than the length.
 */
const mostRead = 3_000;

function groundingIn(kind: ValueKind, value: string | number | boolean, said: Said): Grounding {
  switch (kind) {
    case 'name':
      return groundedName(String(value), said.turns);
    case 'phone':
      return isPhoneSaid(String(value), said) ? 'said' : 'unsaid';
    case 'code':
      return englishCodes.grounding(String(value), said);
    case 'email':
      return isEmailSaid(String(value), said) ? 'said' : 'unsaid';
    case 'number':
    case 'integer':
      return groundedNumber(Number(value), said);
    case 'date':
    case 'time':
      return groundedMoment(kind, String(value), said);
    case 'enum':
      return groundedChoice(String(value), said);
    case 'boolean':
      return groundedBoolean(value === true, said);
    case 'text':
      return groundedText(String(value), said);
  }
}

/** Digits in the order said; a tail that is said after a correction replaces as many digits as it has. */
function isPhoneSaid(value: string, { turns, options }: Said): boolean {
  const tail = value.replaceAll(/\D/g, '').slice(-9);
  if (tail.length < 5) return false;
  for (const text of textsOf(turns)) {
    let digits = '';
    for (const part of text.split(CORRECTION)) {
      const more = digitsOf(part).replaceAll(/\D/g, '');
      digits = digits === '' || more.length >= 7 ? more : digits.slice(0, digits.length - more.length) + more;
    }
    if (digits.includes(tail)) return true;
    const reading = read('phone', text, { ...options, asked: true });
    if (reading.ok && reading.value === value) return true;
  }
  return false;
}

const CORRECTION = /\b(?:no wait|wait|sorry|i mean|actually|rather|no)\b/i;

function isEmailSaid(value: string, { turns, options }: Said): boolean {
  const wanted = value.toLowerCase();
  return textsOf(turns).some((text) => {
    const reading = read('email', text, { ...options, asked: true });
    if (reading.ok && String(reading.value).toLowerCase() === wanted) return true;
    const written = text
      .toLowerCase()
      .replaceAll(/\bat\b/g, '@')
      .replaceAll(/\b(?:dot|point)\b/g, '.')
      .replaceAll(/\b(?:dash|hyphen)\b/g, '-')
      .replaceAll(/\bunderscore\b/g, '_');
    return plainAddress(written).includes(plainAddress(wanted));
  });
}

/** Normalizes an address as it is spoken: apostrophes and spaces are not said. */
function plainAddress(text: string): string {
  return text.replaceAll(/[\s'’]+|\bapostrophe\b/g, '');
}

function groundedChoice(value: string, said: Said): Grounding {
  const { turns, asked, options } = said;
  for (const [index, text] of textsOf(turns).entries()) {
    const reading = read('enum', text, { ...options, asked: asked && index === 0 });
    if (reading.ok && reading.value === value) return 'said';
    // Another value was named, or this one was denied.
    if (reading.ok && reading.certain && index === 0) return 'unsaid';
    if (!reading.ok && reading.candidates?.includes(value) === true) return 'near';
  }
  const last = ` ${normal(turns.at(-1) ?? '')} `;
  const words = [value, ...(options.values?.get(value) ?? [])].map(normal);
  if (words.some((each) => each !== '' && last.includes(` ${each} `))) return 'unsaid';
  const isAnswer = asked && !beginsWithNo(turns) && !asksBack(turns) && !saysNoMore(said) && !echoes(said);
  const rest = withoutMoments(turns.at(-1) ?? '', options);
  const isOther = rest !== turns.at(-1) && isConnecting(rest, '');
  return isAnswer && !isOther ? 'near' : 'unsaid';
}

/** A yes or no that nobody asked for needs words of its own, besides those that say something else. */
function groundedBoolean(value: boolean, said: Said): Grounding {
  const { turns, asked, about, beside, options } = said;
  const last = turns.at(-1) ?? '';
  if (asked) {
    const reading = read('boolean', last, { ...options, asked: true });
    if (reading.ok) return reading.value === value ? 'said' : 'unsaid';
    return asksBack(turns) || saysNoMore(said) ? 'unsaid' : 'near';
  }
  if (shareOf(contentWords(about), contentWords(last)) > 0 || isNamed(about, last)) return 'near';
  // If the words only give a name, a number or a day, nothing else can be inferred.
  return contentWords(withoutMoments(beside ?? last, options)).filter((word) => !/^\p{Lu}/u.test(word)).length > 1
    ? 'near'
    : 'unsaid';
}

/** Whether a text has all the words of a value's name, be they as small as "been before". */
function isNamed(about: string, text: string): boolean {
  const [name = ''] = about.split(' ');
  const said = new Set(normal(text).split(' '));
  const words = normal(name).split(' ');
  return words.every((word) => said.has(word));
}

/** What a text says besides a day, a time of day and a telephone number, which may stand in each of its sentences. */
function withoutMoments(text: string, options: Said['options']): string {
  const sentences = text.split(/(?<=[.!?;])(?=\s)/);
  return sentences
    .map((sentence) =>
      moments.reduce((rest, [kind, direction]) => {
        const reading = read(kind, rest, { ...options, direction, asked: true });
        return reading.ok && reading.certain ? `${rest.slice(0, reading.start)} ${rest.slice(reading.end)}` : rest;
      }, sentence),
    )
    .join('');
}

/** The direction from today is left open: any day counts. */
const moments = [
  ['date', 'future'],
  ['date', 'past'],
  ['time', 'future'],
  ['phone', 'future'],
] as const;

/** A text is what the caller said, in their words for the most part; the answer to its question may be put otherwise. */
function groundedText(value: string, said: Said): Grounding {
  const { turns, asked } = said;
  const digits = value.replaceAll(/\D/g, '');
  if (digits.length > 2 && digits.length === value.replaceAll(/[^\p{L}\d]/gu, '').length)
    return textsOf(turns).some((text) => digitsOf(text).replaceAll(/\D/g, '').includes(digits)) ? 'said' : 'unsaid';
  if (textsOf(turns).some((text) => ` ${normal(text)} `.includes(` ${normal(value)} `))) return 'said';
  const wanted = contentWords(value);
  const isAnswer = asked && !beginsWithNo(turns) && !asksBack(turns) && !saysNoMore(said);
  if (wanted.length === 0) return isAnswer ? 'near' : 'unsaid';
  const share = shareOf(wanted, turns.flatMap(contentWords));
  if (share === 1) return 'said';
  return isAnswer || share >= 0.5 ? 'near' : 'unsaid';
}

/** Checks that the last turn contains nothing ambiguous besides other values. */
function saysNoMore({ turns, beside = turns.at(-1) ?? '' }: Said): boolean {
  return isConnecting(beside, '');
}

/** "My bill" to "What is wrong with the bill?": the question's own words choose nothing, unless it offers them. */
function echoes({ turns, about }: Said): boolean {
  return !/\bor\b/i.test(about) && isConnecting(turns.at(-1) ?? '', about);
}

/** Checks whether the caller only asks a question, which answers nothing. */
function asksBack(turns: readonly string[]): boolean {
  return /^[^.!?]*\?\s*$/.test(turns.at(-1) ?? '');
}

/** Checks whether the caller begins with a no, which corrects something else or refuses to answer. */
function beginsWithNo(turns: readonly string[]): boolean {
  return wordsOf(turns.at(-1) ?? '').find(({ mark }) => !mark)?.text === 'no';
}

/** How many of some words are among others, by their first letters, so that endings do not matter. */
function shareOf(wanted: readonly string[], found: readonly string[]): number {
  const stems = new Set(found.map(stemOf));
  return wanted.filter((word) => stems.has(stemOf(word))).length / Math.max(1, wanted.length);
}

function stemOf(word: string): string {
  const plain = normal(word);
  return plain.length > 5 ? plain.slice(0, 5) : plain;
}

function contentWords(text: string): readonly string[] {
  const digits = digitsOf(text);
  return wordsOf(digits)
    .filter(({ mark, text: word }) => !mark && !SENTENCE_WORDS.has(word))
    .map(({ start, end }) => digits.slice(start, end));
}

/** Whether words choose one of the things that were offered, without saying it: "the second one", "that is fine". */
export function choosesOffered(text: string): boolean {
  return CHOOSES.test(text);
}

const CHOOSES =
  /\b(?:first|second|third|fourth|last|former|latter|earliest|latest|earlier|later|either|any|one|it|that|this|yes|yeah|yep|sure|ok|okay|fine|good|great|perfect|works|please)\b/i;
