import { writtenCode } from '../model/ports/written-forms.ts';
import type { Grounding, Reading, ReadOptions, Said } from '../model/ports/reader.ts';
import { textsOf } from './english/said-words.ts';
import { type Fold, lengthAt, type Phrases, phrasesOf, piecesOf, withoutAccents, wordsIn } from './tables/folded.ts';
import { NOT_FOUND, readingOf } from './tables/outcome.ts';

/** The words of a language for codes. Lists of phrases are separated by commas, lists of words by white space. */
export interface CodeWords {
  /** Words whose first letter is the letter that they spell. */
  readonly alphabet: string;
  /** Phrases that name a letter, each with the letter behind a colon. */
  readonly letterNames: string;
  /** Words that double, or triple, the letter or digit behind them. */
  readonly doubling: string;
  readonly tripling: string;
  /** Words behind a number that repeat what follows: "two times". */
  readonly times: string;
  /** Phrases between a letter and a word that begins with it: "as in". */
  readonly asIn: string;
  /** Words between letters and digits that do not belong to the code. */
  readonly between: string;
  /** Words that are a letter, and the word "and" as well. */
  readonly joining: string;
  /** A word for the letter O that also is the digit zero. */
  readonly oh: string;
  /** Phrases beside a code that say nothing else. */
  readonly introduction: string;
}

/** The spelling of a text: the code, whether each of its characters is certain, and whether the text says nothing else. */
interface Spelled {
  readonly codes: readonly string[];
  readonly isClear: boolean;
  readonly isAlone: boolean;
}

/** Reads codes in a language, and checks whether callers said them. */
export interface CodeReader {
  readonly read: (text: string, options: ReadOptions) => Reading;
  readonly grounding: (value: string, said: Said) => Grounding;
}

/** Builds the reader of codes out of the words of a language. */
export function codeReader(words: CodeWords, fold: Fold, digits: (folded: string) => string): CodeReader {
  const tables = tablesOf(words, fold);
  const spell = (text: string): Spelled => {
    const known = text.length > LONGEST ? '' : withWritten(text, (word) => tables.introducing.has(fold(word)));
    return spelledIn(piecesOf(digits(fold(known))), tables);
  };
  const read = (text: string, { asked }: ReadOptions): Reading => {
    const written = writtenCode(text);
    const { codes, isClear, isAlone } = written === null ? spell(text) : { ...exact, codes: [written] };
    const [value = '', ...others] = [...new Set(codes)];
    if (others.length > 0)
      return asked === true ? { ok: false, problem: 'ambiguous', candidates: [value, ...others] } : NOT_FOUND;
    const isCode = asked === true ? value.length > 1 : isAlone && isMixed(value);
    return isCode ? readingOf(text, value, isClear && isAlone) : NOT_FOUND;
  };
  const grounding = (value: string, { turns }: Said): Grounding => {
    const found = textsOf(turns).map((text) =>
      writtenCode(text) === value ? { ...exact, codes: [value] } : spell(text),
    );
    if (found.some(({ codes, isClear }) => isClear && codes.length === 1 && codes[0] === value)) return 'said';
    return found.some(({ codes }) => codes.includes(value)) ? 'near' : 'unsaid';
  };
  return { read, grounding };
}

/** Callers do not spell longer texts in one turn. */
const LONGEST = 400;
/** A code that is said twice without a pause has at least this many characters. */
const SHORTEST_TWICE = 4;
const exact = { isClear: true, isAlone: true };

/** Without a question, only letters with digits are recognized: other digits may be a number or a day. */
function isMixed(value: string): boolean {
  return value.length >= 4 && /\d/.test(value) && /\D/.test(value);
}

/** Splits written parts such as AB123 into their characters, so that they are read like spelled ones. */
function withWritten(text: string, isKnown: (word: string) => boolean): string {
  return text.replaceAll(/(?<![\p{L}\d'’])[A-Za-z\d]+(?![\p{L}\d'’])/gu, (word) => {
    const isMixedWord = /\d/.test(word) && /[A-Za-z]/.test(word) && !/^\d+(?:st|nd|rd|th)$/i.test(word);
    const isCapitals = /^[A-Z]{2,5}$/.test(word) && text !== text.toUpperCase() && !isKnown(word);
    return isMixedWord || isCapitals ? word.split('').join(' ') : word;
  });
}

interface CodeTables {
  readonly alphabet: ReadonlySet<string>;
  readonly letterNames: readonly (readonly [Phrases, string])[];
  readonly repeats: ReadonlyMap<string, number>;
  readonly times: ReadonlySet<string>;
  readonly asIn: Phrases;
  readonly between: ReadonlySet<string>;
  readonly joining: ReadonlySet<string>;
  readonly oh: ReadonlySet<string>;
  readonly introduction: Phrases;
  readonly introducing: ReadonlySet<string>;
}

function tablesOf(words: CodeWords, fold: Fold): CodeTables {
  const repeated = (list: string, count: number) => [...wordsIn(fold, list)].map((word) => [word, count] as const);
  return {
    alphabet: wordsIn(fold, words.alphabet),
    letterNames: words.letterNames.split(',').flatMap((named) => {
      const [phrase = '', letter = ''] = named.split(':').map((part) => part.trim());
      return letter === '' ? [] : [[phrasesOf(fold, phrase), letter] as const];
    }),
    repeats: new Map([...repeated(words.doubling, 2), ...repeated(words.tripling, 3)]),
    times: wordsIn(fold, words.times),
    asIn: phrasesOf(fold, words.asIn),
    between: wordsIn(fold, words.between),
    joining: wordsIn(fold, words.joining),
    oh: wordsIn(fold, words.oh),
    introduction: phrasesOf(fold, words.introduction),
    introducing: wordsIn(fold, words.introduction.replaceAll(',', ' ')),
  };
}

/** One step through a text: the characters that the pieces at a place spell, and how many pieces they are. */
interface Step {
  readonly taken: number;
  readonly spells: string;
  readonly isUnclear?: true;
}

function spelledIn(pieces: readonly string[], tables: CodeTables): Spelled {
  const codes: string[] = [];
  let [run, isClear, isAlone] = ['', true, true];
  const close = (): void => {
    const half = run.slice(0, run.length / 2);
    const isSaidTwice = half.length >= SHORTEST_TWICE && half + half === run;
    if (isSaidTwice) isClear = false;
    if (run.length > 1) codes.push(isSaidTwice ? half : run);
    else if (run !== '') isAlone = false;
    run = '';
  };
  for (let at = 0; at < pieces.length;) {
    const silent = silentAt(pieces, at, run, tables);
    if (silent > 0) {
      // "please" may stand between two codes, a dash stands within one.
      if (!tables.between.has(pieces[at] ?? '')) close();
      at += silent;
      continue;
    }
    const step = stepAt(pieces, at, run, tables);
    if (step === null) {
      close();
      isAlone = false;
    } else {
      run += step.spells;
      isClear &&= step.isUnclear !== true;
    }
    at += step?.taken ?? 1;
  }
  close();
  return { codes, isClear, isAlone };
}

/** Returns how many pieces at a place spell nothing. */
function silentAt(pieces: readonly string[], at: number, run: string, tables: CodeTables): number {
  const piece = pieces[at] ?? '';
  if (tables.between.has(piece)) return 1;
  const phrase = lengthAt(pieces, at, tables.introduction);
  // "and" between two letters may be one of them.
  return phrase > 0 && !(run !== '' && tables.joining.has(piece)) ? phrase : 0;
}

function stepAt(pieces: readonly string[], at: number, run: string, tables: CodeTables): Step | null {
  const piece = pieces[at] ?? '';
  const named = tables.letterNames.map(([phrase, letter]) => ({ taken: lengthAt(pieces, at, phrase), spells: letter }));
  const letter = named.toSorted((one, other) => other.taken - one.taken)[0];
  if (letter !== undefined && letter.taken > 0) return explained(pieces, at, letter, tables);
  const repeat = repeatAt(pieces, at, tables);
  if (repeat !== null) {
    const one = stepAt(pieces, at + repeat.taken, run, tables);
    if (one === null || tables.repeats.has(pieces[at + repeat.taken] ?? '')) return null;
    const [first = ''] = one.spells;
    return { ...one, taken: repeat.taken + one.taken, spells: first.repeat(repeat.count) + one.spells.slice(1) };
  }
  if (/^\d+$/.test(piece)) return { taken: 1, spells: piece };
  if (tables.oh.has(piece)) return ohAt(pieces, at, run);
  if (/^[a-z]$/.test(piece)) {
    const isUnclear = tables.joining.has(piece) && run !== '' ? ({ isUnclear: true } as const) : {};
    return { ...explained(pieces, at, { taken: 1, spells: piece.toUpperCase() }, tables), ...isUnclear };
  }
  return tables.alphabet.has(piece) ? { taken: 1, spells: initialOf(piece) } : null;
}

/** Includes the word that explains a letter: "b as in boy". */
function explained(pieces: readonly string[], at: number, step: Step, { asIn }: CodeTables): Step {
  const behind = at + step.taken;
  const phrase = lengthAt(pieces, behind, asIn);
  const word = phrase === 0 ? '' : (pieces[behind + phrase] ?? '');
  return word.length > 1 && initialOf(word) === step.spells ? { ...step, taken: step.taken + phrase + 1 } : step;
}

/** Returns how often the next character counts: "double", or "three times". */
function repeatAt(
  pieces: readonly string[],
  at: number,
  { repeats, times }: CodeTables,
): { readonly count: number; readonly taken: number } | null {
  const count = repeats.get(pieces[at] ?? '');
  if (count !== undefined) return { count, taken: 1 };
  const number = Number(pieces[at]);
  return number >= 2 && number <= 5 && times.has(pieces[at + 1] ?? '') ? { count: number, taken: 2 } : null;
}

/** "oh" is a zero between digits, a letter between letters, and unclear beside both. */
function ohAt(pieces: readonly string[], at: number, run: string): Step {
  const sides = [run === '' ? null : /\d$/.test(run), at + 1 < pieces.length ? /^\d/.test(pieces[at + 1] ?? '') : null];
  const isZero = sides.includes(true);
  return isZero && !sides.includes(false)
    ? { taken: 1, spells: '0' }
    : { taken: 1, spells: isZero ? '0' : 'O', ...(isZero ? { isUnclear: true } : {}) };
}

function initialOf(word: string): string {
  return withoutAccents(word).slice(0, 1).toUpperCase();
}
