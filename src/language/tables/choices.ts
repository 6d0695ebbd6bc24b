import type { Reading, ReadOptions } from '../../model/ports/reader.ts';
import type { Answers } from './answers.ts';
import { phrasesOf, piecesOf, wordsIn } from './folded.ts';
import { formsBy } from './inflections.ts';
import { NOT_FOUND, readingOf } from './outcome.ts';
import type { Tables } from './tables.ts';
import { nameWords } from '../../model/ports/name-words.ts';

type SaysPhrase = (piece: string, word: string) => boolean;

/** A value with its key and synonyms as phrases. */
type Choice = readonly [value: string, phrases: readonly (readonly string[])[]];

/**
 * Reads an enum value by its key or a synonym, also in another grammatical form. A negated value, or one of several, does
 * not count.
 */
export function choiceReader(tables: Tables, answers: Answers): (text: string, options: ReadOptions) => Reading {
  const { fold, questions } = tables;
  const known = wordsIn(
    fold,
    [tables.answers.filling, tables.answers.leading, tables.answers.articles, tables.answers.hesitations]
      .join(' ')
      .replaceAll(',', ' '),
  );
  const denials = wordsIn(fold, tables.answers.not);
  const either = wordsIn(fold, questions.or);
  const areForms = formsBy(tables.inflections);
  const fixed = wordsIn(fold, wordsOfGrammar(tables));
  const isForm: SaysPhrase = (piece, word) => piece === word || (!fixed.has(piece) && areForms(word, piece));
  const read = (text: string, options: ReadOptions): Reading => {
    const values = options.values ?? new Map<string, readonly string[]>();
    const plain = options.asked === true ? answers.consent(text).answer : undefined;
    if (plain !== undefined && values.has(plain)) return readingOf(text, plain, true);
    const pieces = piecesOf(fold(text));
    // "Den runden Tisch": the question offers tables.
    const asked = wordsIn(fold, options.asked === true ? (options.about ?? '') : '');
    const named = new Set<string>();
    const denied = new Set<string>();
    let isCovered = true;
    const choices = [...values].map(([value, synonyms]): Choice => {
      const list = [nameWords(value), ...synonyms.map((word) => word.replaceAll(',', ' '))].join(',');
      return [value, [...phrasesOf(fold, list).values()].flat()];
    });
    for (let at = 0; at < pieces.length;) {
      const { length, meant } = choiceAt(pieces, at, choices, isForm);
      if (length === 0) {
        isCovered &&= known.has(pieces[at] ?? '') || asked.has(pieces[at] ?? '');
        at += 1;
        continue;
      }
      const isDenied = [1, 2].some((back) => denials.has(pieces[at - back] ?? ''));
      for (const value of meant) (isDenied ? denied : named).add(value);
      at += length;
    }
    const candidates = [...named].filter((value) => !denied.has(value));
    const [value, other] = candidates;
    if (value === undefined) return NOT_FOUND;
    if (other !== undefined) return { ok: false, problem: 'ambiguous', candidates };
    return readingOf(text, value, isCovered && denied.size === 0 && !pieces.some((piece) => either.has(piece)));
  };
  const { correction } = tables.moments;
  return (text, options) => {
    const whole = read(text, options);
    const found = correction.exec(fold(text));
    if (found === null) return whole;
    const [before, after] = fold(text)
      .split(correction)
      .slice(-2)
      .map((part) => read(part, { ...options, asked: false }));
    if (before?.ok !== true || after?.ok !== true || before.value === after.value) return whole;
    // "Pequeño no grande" corrects or denies, which only a pause tells.
    if (/^n[oã]o?\s/u.test(found[0].replace('ã', 'a')) || denials.has(found[0].trim()))
      return { ok: false, problem: 'ambiguous', candidates: [before.value, after.value], needsPause: true };
    return readingOf(text, after.value, false);
  };
}

interface Meant {
  /** The number of pieces of the longest phrase; 0 for none. */
  readonly length: number;
  readonly meant: readonly string[];
}

/** Returns the values that a place names. A form that several values share names none of them. */
function choiceAt(pieces: readonly string[], at: number, choices: readonly Choice[], isForm: SaysPhrase): Meant {
  const exact = longestAt(pieces, at, choices, (piece, word) => piece === word);
  const inflected = longestAt(pieces, at, choices, isForm);
  return inflected.length > exact.length && inflected.meant.length === 1 ? inflected : exact;
}

function longestAt(pieces: readonly string[], at: number, choices: readonly Choice[], says: SaysPhrase): Meant {
  const found = choices.map(([value, phrases]): readonly [string, number] => {
    const said = phrases.filter((phrase) => phrase.every((word, offset) => says(pieces[at + offset] ?? '', word)));
    return [value, Math.max(0, ...said.map((phrase) => phrase.length))];
  });
  const length = Math.max(0, ...found.map(([, each]) => each));
  return { length, meant: length === 0 ? [] : found.filter(([, each]) => each === length).map(([value]) => value) };
}

/** Returns the words whose forms are words of their own: "später" does not inflect "spät". */
function wordsOfGrammar({ answers, questions }: Tables): string {
  const { yes, no, conditions, filling, leading, articles, negations, hesitations } = answers;
  const lists = [
    yes,
    no,
    conditions,
    filling,
    leading,
    articles,
    negations,
    hesitations,
    questions.open,
    questions.frequent,
  ];
  return lists.join(' ').replaceAll(',', ' ');
}
