import type { Consent } from '../ports/reader.ts';

/** A word, a numeral or a question mark of an answer; `clause` counts the marks and conjunctions before it. */
export interface Piece {
  readonly text: string;
  readonly clause: number;
}

/** The number of pieces of the longest phrase that begins at `at`; 0 if there is none. */
export type Lookup = (pieces: readonly Piece[], at: number) => number;

/** What the words of a question mean in an answer to it. */
export interface QuestionEcho {
  readonly isEcho: (piece: string) => boolean;
  /** Whether a word is a day or a number that the question does not have. */
  readonly isNewValue: (piece: string) => boolean;
  /** The number of pieces of the question's own verb at a place. */
  readonly verb: Lookup;
}

/** The words that decide a yes or a no in one language. */
export interface ConsentWords {
  readonly cut: (text: string) => readonly Piece[];
  readonly echoOf: (question: string) => QuestionEcho;
  readonly yes: Lookup;
  /** The phrases of `yes` that people also say only to show that they listen. */
  readonly weak: Lookup;
  readonly no: Lookup;
  /** Says neither and takes nothing away. */
  readonly filling: Lookup;
  readonly conditions: Lookup;
  /** Stands before the question's own verb and affirms it: "I would like to". */
  readonly leading: Lookup;
  /** Begins a question, at the first word of a clause. */
  readonly asking: Lookup;
  /** The phrases of `no` that refuse only if nothing follows them in their clause. */
  readonly partialNo: Lookup;
  /** The phrases of `no` that keep something if words follow them in their clause: "leave it", "leave it at nine". */
  readonly leaving: Lookup;
  /** A phrase that refuses wherever it stands: "I would rather not". */
  readonly refusing: Lookup;
  readonly isNegation: (piece: string) => boolean;
  /** A text that ends in one of these was cut off. */
  readonly unfinished: ReadonlySet<string>;
}

type Kind = 'yes' | 'weak' | 'no' | 'filling' | 'condition' | 'verb' | 'negation' | 'asking' | 'echo' | 'unknown';

interface Span {
  readonly kind: Kind;
  readonly at: number;
  readonly length: number;
  readonly clause: number;
}

/**
 * Reads a yes or a no. It is plain only if every word is known: a word that no table has may be a condition. Words of the question are known.
 * The question's own verb is a yes, unless a negation stands in its clause or a no stands before it.
 */
export function consentOf(words: ConsentWords, text: string, question = ''): Consent {
  const pieces = words.cut(text);
  const echo = words.echoOf(question);
  const spans = spansOf(words, echo, pieces);
  const sides = sidesOf(spans);
  const asks = spans.some(({ kind, at }) => kind === 'asking' || isMark(pieces[at]));
  const isChange = pieces.some(({ text: piece }) => echo.isNewValue(piece));
  const isCut = isUnfinished(words, spans, pieces);
  const isKnown = !isCut && spans.every(({ kind }) => kind !== 'unknown' && kind !== 'condition' && kind !== 'asking');
  // "Alright, forget it" takes back nothing: the first word only shows that the caller has listened.
  if (sides.has('no') && isOnlyHeardBefore(spans)) sides.delete('yes');
  const isContradiction = sides.has('yes') && sides.has('no');
  const isDoubtful = asks || isChange || isContradiction || spans.some(({ kind }) => kind === 'condition');
  const hasNo = sides.has('no') && !sides.has('yes');
  const negates = negatesAnywhere(words, spans, pieces);
  const isHedged = isDoubtful || (hasNo && !isKnown);
  const answer = isKnown && !isHedged ? (hasNo ? 'no' : sides.has('yes') ? 'yes' : undefined) : undefined;
  const hasYes = spans.some(({ kind }) => kind === 'yes' || kind === 'weak');
  const leadsYes = spans.some(({ kind }, index) => (kind === 'yes' || kind === 'weak') && leadsClause(spans, index));
  const leansYes = answer === undefined && leadsYes && sides.has('yes') && !isHedged && !negates && !isCut;
  const isWeak = hasYes && !spans.some(({ kind }) => kind === 'yes' || kind === 'verb');
  const strength = answer === 'yes' || leansYes ? { strength: isWeak ? ('weak' as const) : ('plain' as const) } : {};
  return {
    ...(answer === undefined ? {} : { answer }),
    ...strength,
    isHedged,
    ...(leansYes ? { leansYes } : {}),
    ...(answer === 'no' || (!isContradiction && refuses(words, spans, pieces)) ? { leansNo: true } : {}),
    ...(!isDoubtful && usesVerb(words, spans, pieces) ? { usesVerb: true } : {}),
    ...(asks ? { asks } : {}),
    ...(negates ? { negates } : {}),
    ...(isCut ? { isUnfinished: true } : {}),
  };
}

function spansOf(words: ConsentWords, echo: QuestionEcho, pieces: readonly Piece[]): readonly Span[] {
  const spans: Span[] = [];
  for (let at = 0; at < pieces.length;) {
    const [kind, length] = kindAt(words, echo, pieces, at, spans);
    spans.push({ kind, at, length, clause: pieces[at]?.clause ?? 0 });
    at += length;
  }
  return spans;
}

function kindAt(
  words: ConsentWords,
  echo: QuestionEcho,
  pieces: readonly Piece[],
  at: number,
  before: readonly Span[],
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
  // After words of substance, a question word begins no question: "the one that is cheaper".
  if (asking > 0 && asking >= length && startsClause(pieces, at, before)) return ['asking', asking];
  if (verb > 0 && (kind !== 'yes' || length <= verb)) return ['verb', verb];
  if (kind === 'no' && holdsVerb(words, echo, pieces, at, length)) return ['verb', length];
  const leading = words.leading(pieces, at);
  if (leading > length && echo.verb(pieces, at + leading) > 0) return ['filling', leading];
  if (length === 0 && words.isNegation(text)) return ['negation', 1];
  if (length === 0) return [echo.isEcho(text) ? 'echo' : 'unknown', 1];
  if (kind === 'no' && words.leaving(pieces, at) === length && isContinued(words, pieces, at, length))
    return ['condition', length];
  return [kind === 'yes' && words.weak(pieces, at) === length ? 'weak' : kind, length];
}

/** Whether words of substance follow a phrase in its clause. */
function isContinued(words: ConsentWords, pieces: readonly Piece[], at: number, length: number): boolean {
  const next = pieces[at + length];
  if (next === undefined || next.clause !== pieces[at]?.clause || isMark(next)) return false;
  return [words.yes, words.no, words.filling].every((each) => each(pieces, at + length) === 0);
}

/** Whether a phrase that usually refuses is the question's own verb: "you can cancel" to "Shall I cancel it?". */
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

/** Whether each yes is one that shows only that the caller listens, and stands before each no. */
function isOnlyHeardBefore(spans: readonly Span[]): boolean {
  const no = spans.findIndex(({ kind }) => kind === 'no');
  return (
    no > 0 && spans.every(({ kind }, index) => kind !== 'yes' && kind !== 'verb' && (kind !== 'weak' || index < no))
  );
}

/** Whether no unknown word stands before a yes in its clause: "Saturday suits me" agrees to no Friday. */
function leadsClause(spans: readonly Span[], index: number): boolean {
  const clause = spans[index]?.clause;
  return spans.slice(0, index).every((span) => span.clause !== clause || span.kind !== 'unknown');
}

/** Whether nothing but words without substance stands before a place in its clause. */
function startsClause(pieces: readonly Piece[], at: number, before: readonly Span[]): boolean {
  const clause = pieces[at]?.clause;
  return before.every(({ kind, clause: other }) => other !== clause || ['yes', 'weak', 'no', 'filling'].includes(kind));
}

/** The sides that words take; the question's own verb takes one only if no yes and no no stands before it. */
function sidesOf(spans: readonly Span[]): Set<'yes' | 'no'> {
  const sides = new Set<'yes' | 'no'>();
  for (const [index, { kind, clause }] of spans.entries()) {
    if (kind === 'yes' || kind === 'weak') sides.add('yes');
    else if (kind === 'no') sides.add('no');
    else if (kind === 'verb' && isDenied(spans, index)) sides.add('no');
    else if (kind === 'verb' && !hasNoBefore(spans, index) && !isFollowedByNo(spans, index, clause)) sides.add('yes');
  }
  return sides;
}

function hasNoBefore(spans: readonly Span[], index: number): boolean {
  return spans.slice(0, index).some(({ kind }) => kind === 'no');
}

function isFollowedByNo(spans: readonly Span[], index: number, clause: number): boolean {
  return spans
    .slice(index + 1)
    .some((span) => span.clause === clause && (span.kind === 'no' || span.kind === 'negation'));
}

function isDenied(spans: readonly Span[], index: number): boolean {
  const clause = spans[index]?.clause ?? 0;
  const isBefore = spans.slice(0, index).some((span) => span.clause === clause && span.kind === 'negation');
  return isBefore || isFollowedByNo(spans, index, clause);
}

/** Whether the text begins with a no, denies the question's own verb, or holds a phrase that refuses. */
function refuses(words: ConsentWords, spans: readonly Span[], pieces: readonly Piece[]): boolean {
  const first = spans.find(({ kind }) => kind !== 'filling');
  if (first?.kind === 'negation' || (first?.kind === 'no' && !isPartial(words, first, pieces))) return true;
  if (spans.some(({ kind }) => kind === 'yes')) return false;
  return (
    spans.some(({ kind }, index) => kind === 'verb' && isDenied(spans, index)) ||
    spans.some(
      ({ kind, at, length }) =>
        !['yes', 'weak', 'condition', 'verb'].includes(kind) &&
        Array.from({ length }, (_, offset) => at + offset).some((place) => words.refusing(pieces, place) > 0),
    )
  );
}

function isPartial(words: ConsentWords, { at, length, clause }: Span, pieces: readonly Piece[]): boolean {
  return words.partialNo(pieces, at) === length && pieces[at + length]?.clause === clause;
}

/** Whether the question's own verb stands in a clause without a negation. */
function usesVerb(words: ConsentWords, spans: readonly Span[], pieces: readonly Piece[]): boolean {
  return spans.some(({ kind, clause }, index) => {
    if (kind !== 'verb' || isDenied(spans, index) || hasNoBefore(spans, index)) return false;
    return !pieces.some((piece) => piece.clause === clause && words.isNegation(piece.text));
  });
}

/** Whether a negation stands anywhere, except in a phrase that agrees: "no problem". */
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
