import type { ConsentWords, Piece, PlacedSpan } from './consent.ts';

/**
 * Checks whether the words refuse: a no in a separate clause, the question's verb or another of its words under a
 * negation, or a refusing phrase. A no that negates something else does not refuse: "no idea", "nothing against it".
 */
export function refuses(words: ConsentWords, spans: readonly PlacedSpan[], pieces: readonly Piece[]): boolean {
  if (deniesCircumstance(words, pieces)) return true;
  const first = spans.find(({ kind }) => kind !== 'filling');
  if (first !== undefined && beginsWithNo(words, first, spans, pieces)) return true;
  if (spans.some(({ kind }) => kind === 'yes')) return false;
  return (
    spans.some(({ kind, isDenied }, at) => kind === 'verb' && (isDenied || isDeniedByNo(words, at, spans, pieces))) ||
    spans.some(
      ({ kind, at, length }) =>
        !['yes', 'weak', 'condition', 'verb', 'neither'].includes(kind) &&
        Array.from({ length }, (_, offset) => at + offset).some((place) => words.refusing(pieces, place) > 0),
    )
  );
}

/** Checks whether the caller did not hear or understand: a verb of hearing and a negation in one clause. */
export function isUnheard(words: ConsentWords, pieces: readonly Piece[]): boolean {
  return clausesOf(pieces).some(({ start, end }) => {
    const clause = pieces.slice(start, end);
    if (!clause.some(({ text }) => words.isHearing(text)) || !clause.some(({ text }) => words.isNegation(text)))
      return false;
    return clause.every((_, offset) => words.refusing(pieces, start + offset) === 0);
  });
}

/** Returns the first place of each clause and the place behind its last one. */
function clausesOf(pieces: readonly Piece[]): readonly { readonly start: number; readonly end: number }[] {
  const starts = [...pieces.keys()].filter((at) => pieces[at]?.clause !== pieces[at - 1]?.clause);
  return starts.map((start, index) => ({ start, end: starts[index + 1] ?? pieces.length }));
}

function beginsWithNo(
  words: ConsentWords,
  first: PlacedSpan,
  spans: readonly PlacedSpan[],
  pieces: readonly Piece[],
): boolean {
  const { kind, at, length, clause } = first;
  if (kind !== 'negation' && kind !== 'no') return false;
  if (kind === 'no' && words.partialNo(pieces, at) !== length) return true;
  const beside = spans.filter((span) => span.clause === clause && span.at > at);
  if (beside.every((span) => ['no', 'filling', 'negation'].includes(span.kind))) return true;
  return words.isDenial(pieces[at]?.text ?? '') && deniesEcho(beside, pieces);
}

/** "I do not think we should approve it": a no that negates the question's verb, without a condition between them. */
function isDeniedByNo(
  words: ConsentWords,
  place: number,
  spans: readonly PlacedSpan[],
  pieces: readonly Piece[],
): boolean {
  const verb = spans[place];
  if (verb?.isAfterNo !== true) return false;
  for (let index = place - 1; spans[index]?.clause === verb.clause; index -= 1) {
    const { kind, at, length } = spans[index] ?? verb;
    if (kind === 'condition' || kind === 'asking') return false;
    // "No cancel it" without a pause may be a no and a request.
    if (kind === 'no') return words.partialNo(pieces, at) === length && (length > 1 || at + 1 !== verb.at);
  }
  return false;
}

/** The longest word between a negation and what it negates: "nicht am Freitag", "not this Friday". */
const longestLink = 4;

/** Checks whether a word of the question follows, with only short words before it. */
function deniesEcho(beside: readonly PlacedSpan[], pieces: readonly Piece[]): boolean {
  const word = ({ at }: PlacedSpan): string => pieces[at]?.text ?? '';
  const echo = beside.findIndex((span) => ['echo', 'verb'].includes(span.kind) && word(span).length > longestLink);
  return echo >= 0 && beside.slice(0, echo).every((span) => span.length === 1 && word(span).length <= longestLink);
}

/** Returns the clauses that deny an objection. A separate no before the objection denies something else. */
export function clausesWithoutObjection(words: ConsentWords, pieces: readonly Piece[]): ReadonlySet<number> {
  const found = new Set<number>();
  for (const [at, { text, clause }] of pieces.entries()) {
    if (!words.isNegation(text)) continue;
    const length = words.no(pieces, at);
    if (length === 1 && words.partialNo(pieces, at) !== 1) continue;
    const beside = pieces.slice(at + 1, at + 1 + farthestObjection).filter((piece) => piece.clause === clause);
    if (beside.some((piece) => words.isObjection(piece.text))) found.add(clause);
  }
  return found;
}

/** "I do not have any objection": the objection is at most this many words behind its negation. */
const farthestObjection = 4;

/** Checks for "not at that price", "at that price, no": a circumstance of the proposal under a negation. */
function deniesCircumstance(words: ConsentWords, pieces: readonly Piece[]): boolean {
  return clausesOf(pieces).some(({ start, end }) => {
    const clause = pieces.slice(start, end);
    const denial = clause.findIndex(({ text }) => words.isDenial(text));
    const before = clause.slice(0, Math.max(0, denial));
    const isFirst = before.every((_, at) => words.no(before, at) > 0 || words.filling(before, at) > 0);
    if (denial >= 0 && isFirst && isCircumstance(words, clause.slice(denial + 1))) return true;
    if (!isCircumstance(words, clause)) return false;
    const rest = pieces.length - end;
    return denial === clause.length - 1 || (rest > 0 && words.no(pieces, end) === rest);
  });
}

function isCircumstance(words: ConsentWords, clause: readonly Piece[]): boolean {
  return clause.length <= longestCircumstance && words.circumstance.test(clause.map(({ text }) => text).join(' '));
}

/** In words. A longer clause says something else as well. */
const longestCircumstance = 6;
