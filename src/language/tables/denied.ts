import type { Reading } from '../../model/ports/reader.ts';
import { clausesIn, isNegated, withoutConjunction } from '../doubt.ts';
import { monthForms } from './calendar.ts';
import { type Fold, piecesOf, wordsIn } from './folded.ts';
import { LONGEST_MOMENT, NOT_FOUND, readingOf } from './outcome.ts';
import type { Tables } from './tables.ts';

type Read = (text: string) => Reading;

/** What is read, and how. `isDate`: a clause with only a day of the month belongs to the weekday before it. */
export interface DeniedOptions {
  readonly isAfterNo: boolean;
  readonly isDate: boolean;
  readonly read: Read;
}

interface Clause {
  readonly text: string;
  /** The reading of the denied value; null for a clause that denies no value. */
  readonly denied: Reading | null;
  /** Only a pause after the "no" tells a correction from a denial: "no cuatro". */
  readonly isOpen: boolean;
}

/**
 * Builds the reading of a text without the clauses that deny a value: "nicht am Montag, am Mittwoch" is Wednesday. The
 * value is certain only if the rules know every word of the denied clauses too.
 */
export function deniedReader(tables: Tables) {
  const { fold, doubts, answers } = tables;
  const isDayOnly = dayOnlyIn(tables);
  const contrasting = wordsIn(fold, answers.contrasting);
  const negations = wordsIn(fold, answers.negations);
  const plainNo = wordsIn(fold, answers.plainNo);
  const denials = new Set([...wordsIn(fold, answers.not)].filter((word) => !plainNo.has(word)));

  const clauseOf = (text: string, { isDate, read }: DeniedOptions): Clause => {
    const kept: Clause = { text, denied: null, isOpen: false };
    if (!isNegated(doubts, text)) return kept;
    const value = withoutWords(withoutConjunction(doubts, text), fold, negations);
    const weekday = isDate ? read(withoutDay(value)) : NOT_FOUND;
    const denied = weekday.ok ? weekday : read(value);
    return holdsValue(denied) ? { text, denied, isOpen: sidesOf(text, fold, plainNo) !== null } : kept;
  };
  return (text: string, options: DeniedOptions): Reading => {
    const { isAfterNo, read } = options;
    if (withoutWords(text, fold, negations) === text) return read(text);
    const spoken = clausesIn(doubts, text);
    const cut = spoken.flatMap((each) => cutAtDenial(each, read)).map((each) => clauseOf(each, options));
    const clauses = withApposed(cut, options);
    if (clauses.every(({ denied }) => denied === null)) return read(text);
    const kept = clauses.filter(({ denied }) => denied === null);
    const found = read(kept.map((clause) => withoutConjunction(doubts, clause.text)).join(' '));
    // In "no, no cuatro" the first no is the correction.
    const isSecondNo = isAfterNo || countOf(text, fold, plainNo) > 1;
    const isOpen = clauses.at(-1)?.isOpen === true && !isSecondNo;
    if (!found.ok) return isOpen && !holdsValue(found) ? openReading(text, read) : found;
    const isKnown = clauses.every(({ denied }) => denied === null || (denied.ok && denied.certain));
    return readingOf(text, found.value, found.certain && isKnown && !isOpen && clauses.length === spoken.length);
  };

  /** "Mittwoch nicht Montag": the denial of a second value begins a clause of its own. */
  function cutAtDenial(clause: string, read: Read): readonly string[] {
    const sides = sidesOf(clause, fold, denials);
    if (sides === null || !read(sides.before).ok || !read(sides.after).ok) return [clause];
    return [sides.before, `${sides.word} ${sides.after}`];
  }

  /** Denies the clauses that say more of a denied value: "nicht am Montag, dem dritten, sondern am Mittwoch". */
  function withApposed(clauses: readonly Clause[], { isDate, read }: DeniedOptions): readonly Clause[] {
    const isValue = clauses.map(({ text, denied }) => denied === null && holdsValue(read(text)));
    let isAfterDenied = false;
    return clauses.map((clause, index) => {
      const next = clauses[isValue.indexOf(true, index + 1)];
      const isDay = isDate && isDayOnly(clause.text);
      const isMore = isDay || (isValue[index] === true && beginsWith(next?.text ?? '', fold, contrasting));
      const isApposed = isAfterDenied && clause.denied === null && isMore && next !== undefined;
      isAfterDenied = clause.denied !== null || isApposed;
      if (!isApposed) return clause;
      return { ...clause, denied: isDay ? readingOf(clause.text, clause.text, true) : read(clause.text) };
    });
  }

  /** "Am Montag dem dritten" without the day of the month. */
  function withoutDay(clause: string): string {
    const at = [...clause.matchAll(/(?<=[\p{L}.])\s+/gu)].find(({ index }) => isDayOnly(clause.slice(index)))?.index;
    return at === undefined ? clause : clause.slice(0, at);
  }

  /** "Cinco no cuatro" corrects or denies; "no cuatro" alone is read as before. */
  function openReading(text: string, read: Read): Reading {
    const sides = sidesOf(text, fold, plainNo);
    const [before, after] = sides === null ? [] : [read(sides.before), read(sides.after)];
    if (before?.ok !== true || after?.ok !== true || before.value === after.value) return read(text);
    return { ok: false, problem: 'ambiguous', candidates: [before.value, after.value], needsPause: true };
  }
}

function holdsValue(reading: Reading): boolean {
  return reading.ok || reading.problem !== 'not-found';
}

function withoutWords(text: string, fold: Fold, words: ReadonlySet<string>): string {
  return text.replaceAll(WORD, (word) => (words.has(fold(word)) ? '' : word));
}

function countOf(text: string, fold: Fold, words: ReadonlySet<string>): number {
  return [...text.matchAll(WORD)].filter(([word]) => words.has(fold(word))).length;
}

/** Splits a text at the first of these words with another word behind it. */
function sidesOf(text: string, fold: Fold, words: ReadonlySet<string>) {
  for (const { 0: word, index } of text.matchAll(WORD)) {
    const after = text.slice(index + word.length);
    if (words.has(fold(word)) && /[\p{L}\d]/u.test(after)) return { before: text.slice(0, index), word, after };
  }
  return null;
}

const WORD = /[\p{L}\p{M}]+/gu;

/** Checks whether the first word is one of these. */
function beginsWith(text: string, fold: Fold, words: ReadonlySet<string>): boolean {
  return words.has(fold(/[\p{L}\p{M}]+/u.exec(text)?.[0] ?? ''));
}

/** Builds the check for words that name only a day of the month: "dem dritten", "le trois", "día tres de marzo". */
function dayOnlyIn({ fold, digits, moments }: Tables): (text: string) => boolean {
  const links = wordsIn(fold, moments.besideDay);
  const months = new RegExp(`^(?:${monthForms(moments).flat().join('|')})$`, 'u');
  return (text) => {
    if (text.length > LONGEST_MOMENT) return false;
    const pieces = piecesOf(digits(fold(text)));
    const isDay = pieces.filter((piece) => /^\d{1,2}$/.test(piece)).length === 1;
    return isDay && pieces.every((piece) => /^\d{1,2}$/.test(piece) || links.has(piece) || months.test(piece));
  };
}
