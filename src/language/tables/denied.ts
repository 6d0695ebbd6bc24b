import type { Reading } from '../../model/ports/reader.ts';
import { clausesIn, isNegated, withoutConjunction } from '../doubt.ts';
import { type Fold, wordsIn } from './folded.ts';
import { readingOf } from './outcome.ts';
import type { Tables } from './tables.ts';

type Read = (text: string) => Reading;

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
export function deniedReader({ fold, doubts, answers }: Pick<Tables, 'fold' | 'doubts' | 'answers'>) {
  const negations = wordsIn(fold, answers.negations);
  const plainNo = wordsIn(fold, answers.plainNo);
  const denials = new Set([...wordsIn(fold, answers.not)].filter((word) => !plainNo.has(word)));

  const clauseOf = (text: string, read: Read): Clause => {
    const kept: Clause = { text, denied: null, isOpen: false };
    if (!isNegated(doubts, text)) return kept;
    const denied = read(withoutWords(withoutConjunction(doubts, text), fold, negations));
    return holdsValue(denied) ? { text, denied, isOpen: sidesOf(text, fold, plainNo) !== null } : kept;
  };
  return (text: string, isAfterNo: boolean, read: Read): Reading => {
    if (withoutWords(text, fold, negations) === text) return read(text);
    const spoken = clausesIn(doubts, text);
    const clauses = spoken.flatMap((each) => cutAtDenial(each, read)).map((each) => clauseOf(each, read));
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

  /** "Cinco no cuatro" corrects or denies; "no cuatro" alone is read as before. */
  function openReading(text: string, read: Read): Reading {
    const sides = sidesOf(text, fold, plainNo);
    const [before, after] = sides === null ? [] : [read(sides.before), read(sides.after)];
    if (before?.ok !== true || after?.ok !== true || before.value === after.value) return read(text);
    return { ok: false, problem: 'ambiguous', candidates: [before.value, after.value] };
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
