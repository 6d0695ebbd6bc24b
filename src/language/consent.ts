import type { Consent } from '../model/ports/reader.ts';
import { clausesWithoutObjection, isUnheard, refuses } from './refusal.ts';

/** A word, a numeral or a question mark of an answer. `clause` counts the marks and conjunctions before it. */
export interface Piece {
  readonly text: string;
  readonly clause: number;
}

/** Returns the length in pieces of the longest phrase at `at`; 0 if there is none. */
export type Lookup = (pieces: readonly Piece[], at: number) => number;

/** The meaning of a question's words in an answer. */
export interface QuestionEcho {
  readonly isEcho: (piece: string) => boolean;
  /** Checks whether a word is a day or number that the question does not contain. */
  readonly isNewValue: (piece: string) => boolean;
  /** Returns the length in pieces of the question's verb at a place. */
  readonly verb: Lookup;
}

/** The words that decide a yes or a no in one language. */
export interface ConsentWords {
  readonly cut: (text: string) => readonly Piece[];
  readonly echoOf: (question: string) => QuestionEcho;
  readonly yes: Lookup;
  /** The phrases of `yes` that listeners also use as feedback. */
  readonly weak: Lookup;
  readonly no: Lookup;
  /** Neutral phrases, which change neither a yes nor a no. */
  readonly filling: Lookup;
  readonly conditions: Lookup;
  /** Phrases before the question's verb that affirm it: "I would like to". */
  readonly leading: Lookup;
  /** Phrases that begin a question, at the first word of a clause. */
  readonly asking: Lookup;
  /** The phrases of `yes` that begin a statement if words follow them in their clause: "eso es", "eso es demasiado". */
  readonly partialYes: Lookup;
  /** The phrases of `no` that also negate what follows them: "no objection", "no entiendo". They refuse only in a separate clause. */
  readonly partialNo: Lookup;
  /** The phrases of `no` that keep something if words follow them in their clause: "leave it", "leave it at nine". */
  readonly leaving: Lookup;
  /** Phrases that refuse anywhere in a sentence: "I would rather not". */
  readonly refusing: Lookup;
  readonly isNegation: (piece: string) => boolean;
  /** Negations that also begin a fragment: "not on Friday". */
  readonly isDenial: (piece: string) => boolean;
  /** Forms of the verbs of hearing and understanding. */
  readonly isHearing: (piece: string) => boolean;
  /** Words that turn into an agreement under a negation: "no objection", "not bad", "no idea". */
  readonly isObjection: (piece: string) => boolean;
  /** At the beginning of a text: a circumstance of the proposal, such as "at that price". */
  readonly circumstance: RegExp;
  /** Final words of a text that was cut off. */
  readonly unfinished: ReadonlySet<string>;
}

type Kind =
  | 'yes'
  | 'weak'
  | 'no'
  | 'filling'
  | 'condition'
  | 'verb'
  | 'negation'
  | 'asking'
  | 'echo'
  | 'unknown'
  | 'neither';

interface Span {
  readonly kind: Kind;
  readonly at: number;
  readonly length: number;
  readonly clause: number;
}

/** A span with its context. */
export interface PlacedSpan extends Span {
  /** A no precedes it. */
  readonly isAfterNo: boolean;
  /** A negation precedes it in its clause, or a negation or a no follows it. */
  readonly isDenied: boolean;
  /** No unknown word precedes it in its clause: "Saturday suits me" does not agree to a Friday. */
  readonly isLeading: boolean;
}

/**
 * Reads a yes or a no. It is plain only if every word is known, because an unknown word may be a condition. Words of
 * the question are known. The question's verb is a yes, unless its clause contains a negation or a no precedes it.
 */
export function consentOf(words: ConsentWords, text: string, question = ''): Consent {
  const pieces = words.cut(text);
  const echo = words.echoOf(question);
  const neither = clausesWithoutObjection(words, pieces);
  const spans = spansOf(words, echo, pieces).map((span) => neutral(span, neither));
  const sides = sidesOf(spans);
  const asks = spans.some(({ kind, at }) => kind === 'asking' || isMark(pieces[at]));
  const isChange = pieces.some(({ text: piece }) => echo.isNewValue(piece));
  const isCut = isUnfinished(words, spans, pieces);
  const isKnown = !isCut && spans.every(({ kind }) => !unknownKinds.has(kind));
  // In "Alright, forget it", the first word only shows that the caller listened.
  if (sides.has('no') && isOnlyHeardBefore(spans)) sides.delete('yes');
  const isContradiction = sides.has('yes') && sides.has('no');
  const isDoubtful = asks || isChange || isContradiction || spans.some(({ kind }) => kind === 'condition');
  const hasNo = sides.has('no') && !sides.has('yes');
  const negates = negatesAnywhere(words, spans, pieces);
  const isHedged = isDoubtful || (hasNo && !isKnown);
  const answer = isKnown && !isHedged ? (hasNo ? 'no' : sides.has('yes') ? 'yes' : undefined) : undefined;
  const hasYes = spans.some(({ kind }) => kind === 'yes' || kind === 'weak');
  const leadsYes = spans.some(({ kind, isLeading }) => isLeading && (kind === 'yes' || kind === 'weak'));
  const leansYes = answer === undefined && leadsYes && sides.has('yes') && !isHedged && !negates && !isCut;
  const unheard = isUnheard(words, pieces);
  const isWeak = hasYes && !spans.some(({ kind }) => kind === 'yes' || kind === 'verb');
  const strength = answer === 'yes' || leansYes ? { strength: isWeak ? ('weak' as const) : ('plain' as const) } : {};
  return {
    ...(answer === undefined ? {} : { answer }),
    ...strength,
    isHedged,
    ...(leansYes ? { leansYes } : {}),
    ...(answer === 'no' || (!isContradiction && !unheard && refuses(words, spans, pieces)) ? { leansNo: true } : {}),
    ...(!isDoubtful && usesVerb(words, spans, pieces) ? { usesVerb: true } : {}),
    ...(asks ? { asks } : {}),
    ...(negates ? { negates } : {}),
    ...(unheard ? { unheard: true as const } : {}),
    ...(neither.size > 0 ? { deniesObjection: true as const } : {}),
    ...(isCut ? { isUnfinished: true } : {}),
  };
}

/** These kinds of words leave an answer open. */
const unknownKinds: ReadonlySet<Kind> = new Set(['unknown', 'condition', 'asking', 'neither']);

/** The no in "no objection" takes no side. */
function neutral(span: PlacedSpan, clauses: ReadonlySet<number>): PlacedSpan {
  const isNo = span.kind === 'no' || span.kind === 'negation';
  return isNo && clauses.has(span.clause) ? { ...span, kind: 'neither' } : span;
}

function spansOf(words: ConsentWords, echo: QuestionEcho, pieces: readonly Piece[]): readonly PlacedSpan[] {
  const spans: Span[] = [];
  const continued = new Map<number, boolean>();
  // Whether only words without content precede a place in its clause.
  let isOpening = true;
  for (let at = 0; at < pieces.length;) {
    const clause = pieces[at]?.clause ?? 0;
    if (spans.at(-1)?.clause !== clause) isOpening = true;
    const [kind, length] = kindAt(words, echo, pieces, at, isOpening, continued);
    // Behind "no creo", "que" begins no question.
    isOpening &&= kind === 'yes' || kind === 'weak' || (kind === 'no' && length === 1) || kind === 'filling';
    spans.push({ kind, at, length, clause });
    at += length;
  }
  return placed(spans);
}

function placed(spans: readonly Span[]): readonly PlacedSpan[] {
  const negated = spans.map(() => false);
  for (let index = spans.length - 1, last: Span | undefined; index >= 0; index -= 1) {
    const span = spans[index];
    negated[index] = last !== undefined && last.clause === span?.clause;
    if (span?.kind === 'no' || span?.kind === 'negation') last = span;
  }
  let no = false;
  let negation: number | null = null;
  let unknown: number | null = null;
  return spans.map((span, index) => {
    const isDenied = negated[index] === true || negation === span.clause;
    const around = { isAfterNo: no, isDenied, isLeading: unknown !== span.clause };
    no ||= span.kind === 'no';
    if (span.kind === 'negation') negation = span.clause;
    if (span.kind === 'unknown') unknown = span.clause;
    return { ...span, ...around };
  });
}

function kindAt(
  words: ConsentWords,
  echo: QuestionEcho,
  pieces: readonly Piece[],
  at: number,
  isOpening: boolean,
  continued: Map<number, boolean>,
): readonly [Kind, number] {
  const text = pieces[at]?.text ?? '';
  const verb = echo.verb(pieces, at);
  const found = (
    [
      ['yes', words.yes(pieces, at)],
      ['no', words.no(pieces, at)],
      ['filling', words.filling(pieces, at)],
      ['condition', words.conditions(pieces, at)],
    ] as const
  ).toSorted(([, one], [, other]) => other - one);
  const [kind, length] = found[0] ?? ['unknown', 0];
  const asking = words.asking(pieces, at);
  // After words with content, a question word begins no question: "the table which costs less".
  if (asking > 0 && asking >= length && isOpening) return ['asking', asking];
  if (verb > 0 && (kind !== 'yes' || length <= verb)) return ['verb', verb];
  if (kind === 'no' && holdsVerb(words, echo, pieces, at, length)) return ['verb', length];
  const leading = words.leading(pieces, at);
  if (leading > length && echo.verb(pieces, at + leading) > 0) return ['filling', leading];
  if (length === 0 && words.isNegation(text)) return ['negation', 1];
  if (length === 0) return [echo.isEcho(text) ? 'echo' : 'unknown', 1];
  if (kind === 'no' && words.leaving(pieces, at) === length && isContinued(words, pieces, at, length, continued))
    return ['condition', length];
  if (kind === 'yes' && words.partialYes(pieces, at) === length && isContinued(words, pieces, at, length, continued))
    return ['unknown', length];
  return [kind === 'yes' && words.weak(pieces, at) === length ? 'weak' : kind, length];
}

/** Checks whether words with content follow a phrase in its clause. `known`: the results for the places behind phrases. */
function isContinued(
  words: ConsentWords,
  pieces: readonly Piece[],
  at: number,
  length: number,
  known: Map<number, boolean>,
): boolean {
  const clause = pieces[at]?.clause;
  const passed: number[] = [];
  let place = at + length;
  let hasContent = false;
  for (;;) {
    const next = pieces[place];
    if (next === undefined || next.clause !== clause || isMark(next)) break;
    const earlier = known.get(place);
    passed.push(place);
    const partial = words.partialYes(pieces, place);
    const isPartial = partial > 0 && words.yes(pieces, place) === partial;
    if (earlier !== undefined || !isPartial) {
      hasContent = earlier ?? [words.yes, words.no, words.filling].every((each) => each(pieces, place) === 0);
      break;
    }
    place += partial;
  }
  for (const each of passed) known.set(each, hasContent);
  return hasContent;
}

/** Checks whether a refusing phrase contains the question's verb: "you can cancel" to "Shall I cancel it?". */
function holdsVerb(
  words: ConsentWords,
  echo: QuestionEcho,
  pieces: readonly Piece[],
  at: number,
  length: number,
): boolean {
  const phrase = pieces.slice(at, at + length);
  return (
    phrase.some((_, offset) => echo.verb(pieces, at + offset) > 0) && !phrase.some(({ text }) => words.isNegation(text))
  );
}

/** Checks whether each yes is only feedback and precedes each no. */
function isOnlyHeardBefore(spans: readonly Span[]): boolean {
  const no = spans.findIndex(({ kind }) => kind === 'no');
  return (
    no > 0 && spans.every(({ kind }, index) => kind !== 'yes' && kind !== 'verb' && (kind !== 'weak' || index < no))
  );
}

/** Returns the sides that the words take. The question's verb counts only without a yes or no before it. */
function sidesOf(spans: readonly PlacedSpan[]): Set<'yes' | 'no'> {
  const sides = new Set<'yes' | 'no'>();
  for (const { kind, isDenied, isAfterNo } of spans) {
    if (kind === 'yes' || kind === 'weak') sides.add('yes');
    else if (kind === 'no' || (kind === 'verb' && isDenied)) sides.add('no');
    else if (kind === 'verb' && !isAfterNo) sides.add('yes');
  }
  return sides;
}

/** Checks whether the question's verb occurs in a clause without a negation. */
function usesVerb(words: ConsentWords, spans: readonly PlacedSpan[], pieces: readonly Piece[]): boolean {
  const verbs = spans.filter(({ kind, isDenied, isAfterNo }) => kind === 'verb' && !isDenied && !isAfterNo);
  if (verbs.length === 0) return false;
  const negated = new Set(pieces.filter(({ text }) => words.isNegation(text)).map(({ clause }) => clause));
  return verbs.some(({ clause }) => !negated.has(clause));
}

/** Checks for a negation anywhere, except in a phrase that agrees: "no problem". */
function negatesAnywhere(words: ConsentWords, spans: readonly Span[], pieces: readonly Piece[]): boolean {
  return spans.some(({ kind, at, length }) => {
    if (kind === 'yes' || kind === 'weak') return false;
    return pieces.slice(at, at + length).some(({ text }) => words.isNegation(text));
  });
}

function isUnfinished(words: ConsentWords, spans: readonly Span[], pieces: readonly Piece[]): boolean {
  const last = spans.at(-1);
  return spans.length > 1 && last?.length === 1 && words.unfinished.has(pieces[last.at]?.text ?? '');
}

function isMark(piece: Piece | undefined): boolean {
  return piece !== undefined && /^[?？؟]$/u.test(piece.text);
}
