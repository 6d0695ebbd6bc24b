import type { Consent } from '../../model/ports/reader.ts';
import { consentOf, type ConsentWords, type Lookup, type Piece } from '../consent.ts';
import { type Fold, lengthAt, type Phrases, phrasesOf, piecesOf, wordsIn } from './folded.ts';
import { questionVerbs } from './question-verbs.ts';
import type { MomentWords, Tables } from './tables.ts';

/** The phrases that say yes, no and neither. */
export interface AnswerPhrases {
  readonly yes: Phrases;
  readonly no: Phrases;
  readonly filling: Phrases;
  readonly conditions: Phrases;
}

type Words = ReadonlySet<string>;

/** Builds the reading of a yes or a no out of tables. `fold` marks the words that only an accent tells apart. */
export function consentReader(
  tables: Pick<Tables, 'answers' | 'questions' | 'moments' | 'counts' | 'digits'>,
  fold: Fold,
  { yes, no, filling, conditions }: AnswerPhrases,
): (text: string, question?: string) => Consent {
  const { answers, questions, moments, counts, digits } = tables;
  const [partialYes, weak, refusing, partial, leaving, asking, leading] = [
    phrasesOf(fold, answers.partialYes),
    phrasesOf(fold, answers.weak),
    phrasesOf(fold, answers.refusing),
    phrasesOf(fold, answers.partialNo),
    phrasesOf(fold, answers.leaving),
    phrasesOf(fold, answers.asking),
    phrasesOf(fold, questions.verbs.leading),
  ];
  const [hesitations, negations, denials, either, conjunctions] = [
    answers.hesitations,
    answers.negations,
    answers.not,
    questions.or,
    questions.conjunctions,
  ].map((list) => wordsIn(fold, list)) as [Words, Words, Words, Words, Words];
  const objections = wordsIn(fold, answers.objections);
  const plainNo = wordsIn(fold, answers.plainNo);
  const subjects = wordsIn(fold, answers.subjects);
  const verbsOf = questionVerbs(fold, questions);
  const calendar = calendarWords(fold, moments);
  const ones = wordsIn(fold, counts.one);
  const valueIn = (piece: string): string | null => {
    if (calendar.test(piece)) return piece;
    return ones.has(piece) ? null : (/^\d+$/.exec(digits(piece))?.[0] ?? null);
  };
  const words: ConsentWords = {
    cut: (text) => cutBy(fold(text), conjunctions, hesitations),
    echoOf(question) {
      const asked = piecesOf(fold(question));
      const isOpen = asked.some((piece) => either.has(piece));
      const echoes = isOpen ? [] : echoesOf(asked);
      const short = new Set(isOpen ? [] : asked.filter((piece) => piece.length <= 3));
      const { verb, particles } = verbsOf(question);
      const values = new Set(asked.map(valueIn));
      return {
        isEcho: (piece) => isEcho(piece, echoes) || short.has(piece) || particles.has(piece),
        isNewValue(piece) {
          const value = valueIn(piece);
          return value !== null && !values.has(value);
        },
        verb,
      };
    },
    yes: lookupOf(yes),
    weak: lookupOf(weak),
    no: lookupOf(no),
    filling: lookupOf(filling),
    conditions: lookupOf(conditions),
    leading: lookupOf(leading),
    asking: lookupOf(asking),
    partialYes: lookupOf(partialYes),
    partialNo(pieces, at) {
      // "No eso es demasiado" refuses, also if a recogniser leaves the comma out.
      const isOwnClause = plainNo.has(pieces[at]?.text ?? '') && subjects.has(pieces[at + 1]?.text ?? '');
      return isOwnClause ? 0 : lengthAt(textsOf(pieces), at, partial);
    },
    leaving: lookupOf(leaving),
    refusing(pieces, at) {
      const length = lengthAt(textsOf(pieces), at, no);
      return length > 1 ? length : lengthAt(textsOf(pieces), at, refusing);
    },
    isNegation: (piece) => negations.has(piece),
    isDenial: (piece) => denials.has(piece),
    isObjection: (piece) => objections.has(piece),
    circumstance: answers.circumstance,
    isHearing: (piece) => answers.hearing.test(piece),
    unfinished: wordsIn(fold, answers.unfinished),
  };
  return (text, question) => consentOf(words, text, question);
}

/** The beginnings of the words of a question that an answer may repeat in another form. */
export function echoesOf(asked: readonly string[]): readonly string[] {
  return asked.flatMap((piece) =>
    /^\d/.test(piece) ? [piece] : piece.length > 3 ? [piece.slice(0, Math.max(4, piece.length - 3))] : [],
  );
}

export function isEcho(piece: string, echoes: readonly string[]): boolean {
  return echoes.some((start) => (/^\d/.test(start) ? piece === start : piece.startsWith(start)));
}

function cutBy(folded: string, conjunctions: ReadonlySet<string>, hesitations: ReadonlySet<string>): readonly Piece[] {
  const pieces: Piece[] = [];
  let clause = 0;
  for (const [text] of folded.matchAll(/[\p{L}\p{M}]+|\d+|[?？,.;:!¿–—]/gu)) {
    if (/^[?？]$/u.test(text)) pieces.push({ text: '?', clause });
    if (conjunctions.has(text) || /^[?？,.;:!¿–—]$/u.test(text)) clause += 1;
    if (/^[\p{L}\d]/u.test(text)) pieces.push({ text, clause });
    if (conjunctions.has(text)) clause += 1;
  }
  const spoken = pieces.filter(({ text }) => !hesitations.has(text));
  return spoken.length === 0 ? pieces : spoken;
}

/** The weekdays and months, which tables write as patterns. */
function calendarWords(fold: Fold, { weekdays, months }: MomentWords): RegExp {
  return new RegExp(`^(?:${[...weekdays, ...months].map(fold).join('|')})$`, 'u');
}

function lookupOf(table: Phrases): Lookup {
  return (pieces, at) => lengthAt(textsOf(pieces), at, table);
}

const knownTexts = new WeakMap<readonly Piece[], readonly string[]>();

function textsOf(pieces: readonly Piece[]): readonly string[] {
  const known = knownTexts.get(pieces) ?? pieces.map(({ text }) => text);
  knownTexts.set(pieces, known);
  return known;
}
