import type { Consent } from '../../../model/ports/reader.ts';
import { consentOf, type ConsentWords, type Lookup, type Piece } from '../../consent.ts';
import { clausesWithoutObjection } from '../../refusal.ts';
import { MONTHS, WEEKDAYS } from '../dates/calendar-words.ts';
import {
  ASKING,
  CIRCUMSTANCE,
  CONDITIONS,
  FILLING,
  LEADING,
  NO,
  LEAVING,
  OBJECTIONS,
  PARTIAL_NO,
  REFUSING,
  UNFINISHED,
  WEAK,
  YES,
} from './consent-words.ts';
import { numberWord } from '../numbers/number-words.ts';
import { isFormOf, verbsIn } from './question-verbs.ts';
import { longestPhraseAt, type PhraseTable, wordSet, wordsOf } from '../words.ts';

export type { Consent };

/** Said by sounds, of which the words of a text know nothing. */
const HUMMED_YES = /\b(?:uh[- ]?huh|mm?[- ]?hmm?|m-?hm)\b/gi;
/** "Yes, I am.", "yes we are here". */
const PRESENCE = /\b(?:i am|we are)\b(?! sure\b)/i;
const CONJUNCTIONS = wordSet('and but because so or then');
const HEARING = wordSet('hear heard hearing catch understand understood understanding follow');
const NEGATIONS = wordSet('not never no nope nah none nothing nobody neither nor without cannot');
/** Before "is it", these make a statement: "that is a lot". */
const SUBJECTS = wordSet("that it this i i'd which what there all");
const DETERMINERS = wordSet('the my our a an');
const OBJECTS = wordSet('it that this them him her me us');

/** Reads a yes or a no to a question. */
export function readConsent(text: string, question = ''): Consent {
  const consent = consentOf(words, text, question);
  return consent.answer === 'yes' && PRESENCE.test(text) ? { ...consent, isPresence: true } : consent;
}

/** The words of a question that an answer may repeat. */
export function wordsToRepeat(question: string): ReadonlySet<string> {
  const asked = wordsOf(question).filter(({ mark }) => !mark);
  // "This or that?" is not answered by one of its words.
  if (asked.some(({ text }) => text === 'or')) return new Set();
  return new Set(
    asked.flatMap(({ text }) => (text.length > 3 ? [text, `${text}s`, `${text}ed`, `${text}ing`, `${text}d`] : [])),
  );
}

const words: ConsentWords = {
  cut,
  echoOf(question) {
    const repeated = wordsToRepeat(question);
    const asked = new Set(wordsOf(question).map(({ text }) => text));
    const verbs = verbsIn(question);
    const values = new Set([...asked].map(valueIn));
    return {
      isEcho: (piece) => repeated.has(piece) || (repeated.size > 0 && (asked.has(piece) || DETERMINERS.has(piece))),
      isNewValue(piece) {
        const value = valueIn(piece);
        return value !== undefined && !values.has(value);
      },
      verb(pieces, at) {
        const piece = pieces[at]?.text ?? '';
        if (!verbs.some((verb) => isFormOf(verb, piece))) return 0;
        return OBJECTS.has(pieces[at + 1]?.text ?? '') ? 2 : 1;
      },
    };
  },
  yes: lookupOf(YES),
  weak: lookupOf(WEAK),
  no: lookupOf(NO),
  filling: lookupOf(FILLING),
  conditions: lookupOf(CONDITIONS),
  leading: lookupOf(LEADING),
  asking: (pieces, at) => (SUBJECTS.has(pieces[at - 1]?.text ?? '') ? 0 : longestPhraseAt(pieces, at, ASKING)),
  partialYes: () => 0,
  partialNo,
  leaving: lookupOf(LEAVING),
  refusing: (pieces, at) => Math.max(wholeRefusalAt(pieces, at), longestPhraseAt(pieces, at, REFUSING)),
  isNegation,
  isDenial: (piece) => piece === 'not',
  isObjection: (piece) => OBJECTIONS.has(piece),
  circumstance: CIRCUMSTANCE,
  isHearing: (piece) => HEARING.has(piece),
  unfinished: UNFINISHED,
};

/** Checks whether a text denies an objection: "no objection", "not bad". */
export function deniesObjection(text: string): boolean {
  return clausesWithoutObjection(words, cut(text)).size > 0;
}

function cut(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let clause = 0;
  for (const word of wordsOf(text.replaceAll(HUMMED_YES, ' mhm '))) {
    if (word.text === '?') pieces.push({ text: '?', clause });
    if (CONJUNCTIONS.has(word.text) || /^[,.;:!?–—-]$/.test(word.text)) clause += 1;
    if (!word.mark) pieces.push({ text: word.text, clause });
    if (CONJUNCTIONS.has(word.text)) clause += 1;
  }
  return pieces;
}

/** A number, a month or a weekday as one text; words that are also others ("one", "second", "may") are none. */
function valueIn(word: string): string | undefined {
  if (/^\d/.test(word)) return String(Number.parseInt(word, 10));
  const number = word === 'one' || word === 'second' ? undefined : numberWord(word)?.value;
  if (number !== undefined) return String(number);
  const isDay = word.length > 4 && word !== 'march' && (MONTHS.has(word) || WEEKDAYS.has(word));
  return isDay ? word : undefined;
}

function lookupOf(table: PhraseTable): Lookup {
  return (pieces, at) => longestPhraseAt(pieces, at, table);
}

/** "No objection" negates a noun; "no that is too much" refuses, also if a recogniser leaves the comma out. */
function partialNo(pieces: readonly Piece[], at: number): number {
  const next = pieces[at + 1]?.text ?? '';
  const isDeterminer = pieces[at]?.text === 'no' && !SUBJECTS.has(next) && !DETERMINERS.has(next) && !isNegation(next);
  return Math.max(isDeterminer ? 1 : 0, longestPhraseAt(pieces, at, PARTIAL_NO));
}

/** "No" and "wrong" may stand in any sentence; of several words, a refusal is the sentence's own. */
function wholeRefusalAt(pieces: readonly Piece[], at: number): number {
  const length = longestPhraseAt(pieces, at, NO);
  return length > 1 && longestPhraseAt(pieces, at, PARTIAL_NO) < length ? length : 0;
}

function isNegation(piece: string): boolean {
  return NEGATIONS.has(piece) || piece.endsWith("n't");
}
