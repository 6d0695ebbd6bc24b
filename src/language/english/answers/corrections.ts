import { longestPhraseAt, phraseTable, wordSet } from '../words.ts';

/** A piece of a text between two corrections. */
export interface Version<Piece> {
  pieces: readonly Piece[];
  /** How the caller took back what came before; the first version has none. `withdraws` also holds when nothing new follows. */
  correction?: 'replaces' | 'withdraws';
}

/** A value found in the pieces `from` (included) to `to` (excluded). */
export interface Mention<Value> {
  value: Value;
  from: number;
  to: number;
  start: number;
  end: number;
  certain: boolean;
  /** Said as a bound or a range ("before Friday", "more than four"), which is no value. */
  bound?: boolean;
}

interface Piece {
  text: string;
  mark: boolean;
}

const WITHDRAWING = phraseTable(`
  wait, wait a minute, wait a second, wait a sec, hold on, hang on, scratch that, strike that, forget that, forget it, ignore that,
  never mind, nevermind, let me start over, start over, that's wrong, that's not right, that is wrong, that is not right,
  let me start again, cancel that`);
/** They take back what came before for what follows. */
export const REPLACING = phraseTable(`
  no, nope, no no, sorry, i'm sorry, i am sorry, excuse me, pardon, pardon me, my mistake, my bad, oops, whoops, i mean, i meant,
  i meant to say, i mean to say, i should say, or rather, or actually, actually, make that, make it, change that to, change it to,
  correction, let me correct that, let me correct myself, i misspoke, better make it, better make that, well actually`);

/** Words after "no" with which it is no correction: "no pain", "no problem", "no more than". */
const AFTER_DETERMINER = wordSet(`
  one 1 problem problems idea worries rush preference matter longer later earlier more less fewer need reason way thanks thank doubt
  good luck other such big chance clue`);
const BEFORE_NO_CORRECTION = wordSet("can't cannot to the not will i'll should a have so very feel");

/** Words that may stand between a correction and the value it brings: "no wait, it's on the fourth". */
export const CONNECTORS = wordSet(`
  it it's its is was that that's this should be make the a an at on for in of to my name birthday i'm we're we are there there's will
  would like about around let's say just and but then oh well yes rather really more number date time please on born`);
const NEGATIONS = wordSet('not never without neither nor cannot except');
const NEGATING_PHRASES = phraseTable('instead of, rather than, other than, anything but, nothing to do with');
const BETWEEN_NEGATION_AND_VALUE = wordSet(`
  the a an on for at in to it be is going really about my any this that with have having got want do need like book make exactly quite
  by of come any of us me we i working out doing actually`);
const SUBJECTS = wordSet('i we he she they');
const AUXILIARIES = wordSet('is was would will does do did can could');
const REFUSING = wordSet('not no too bad impossible difficult wrong out taken terrible never');
const BOUNDS = wordSet(`
  before after until till since between than over under above below least most within beyond from past by`);
const BOUNDS_BEHIND = phraseTable(
  'at the latest, at the earliest, at most, at least, onwards, onward, and after, so after that, so before that, after that',
);
/** "Friday or so" is Friday. */
const AFTER_VAGUE_OR = new Set(['so', 'something', 'whatever', 'thereabouts', 'anything']);
const BETWEEN_BOUND_AND_VALUE = wordSet('the about a around like maybe on at');

/**
 * Splits pieces at the caller's corrections: "the third, no wait, the fourth". With `noDenies` a "no" right before a
 * noun negates it ("no pain") instead of correcting the earlier words.
 */
export function versionsOf<P extends Piece>(pieces: readonly P[], { noDenies = false } = {}): Version<P>[] {
  const versions: Version<P>[] = [];
  let correction: Version<P>['correction'];
  let from = 0;
  let at = 0;
  const close = (end: number): void => {
    versions.push({ pieces: pieces.slice(from, end), ...(correction && { correction }) });
  };
  while (at < pieces.length) {
    const marker = markerAt(pieces, at, noDenies);
    if (marker === undefined) {
      at += 1;
      continue;
    }
    close(at);
    ({ correction, next: from } = marker);
    at = from;
  }
  close(pieces.length);
  return versions;
}

/** Returns the value that the caller finally means, from the mentions in each version. */
export function settle<P extends Piece, Value>(
  versions: readonly Version<P>[],
  find: (pieces: readonly P[], version: Version<P>) => Mention<Value>[],
  merge: (earlier: Value, later: Value) => Value = (_, later) => later,
): { mentions: Mention<Value>[]; unsettled: boolean } {
  let mentions: Mention<Value>[] = [];
  let unsettled = false;
  for (const version of versions) {
    const found = find(version.pieces, version);
    const first = found[0];
    if (first === undefined) {
      if (version.correction === undefined || mentions.length === 0) continue;
      if (version.correction === 'withdraws') mentions = [];
      else unsettled = unsettled || version.pieces.some((piece) => !piece.mark);
      continue;
    }
    const direct = version.pieces.slice(0, first.from).every((piece) => piece.mark || CONNECTORS.has(piece.text));
    const replaced = direct || version.correction === 'withdraws' ? mentions.pop() : undefined;
    if (replaced !== undefined) found[0] = merged(replaced, first, merge);
    for (const mention of found) mentions.push(mention);
  }
  return { mentions, unsettled };
}

/** Checks whether a retracted number may be of any unit, because its replacement counts something else. */
export function isReplacedNumber(
  versions: readonly Version<Piece & { readonly number?: unknown }>[],
  said: string,
): boolean {
  const last = versions.at(-1);
  return (
    /^[\p{L}\d]+$/u.test(said) &&
    last?.correction !== undefined &&
    last.pieces.some(({ number }) => number !== undefined)
  );
}

/** Whether the value that begins at this piece is denied by what stands before: "not Friday", "I can't do Friday", "instead of Friday". */
export function isDenied(pieces: readonly Piece[], from: number): boolean {
  for (let at = from - 1; at >= 0 && at >= from - 7; at -= 1) {
    const piece = pieces[at];
    if (piece === undefined) return false;
    if (isNegation(piece)) return true;
    if (longestPhraseAt(pieces, at, NEGATING_PHRASES) > 0) return true;
    const within = at > 0 && longestPhraseAt(pieces, at - 1, NEGATING_PHRASES) > 0;
    if (!within && !BETWEEN_NEGATION_AND_VALUE.has(piece.text)) return false;
  }
  return false;
}

/** Whether the value that ends before this piece is refused by what follows: "Friday doesn't work", "four is too many", "Friday I can't". */
export function isRefusedAfter(pieces: readonly Piece[], to: number): boolean {
  const [word, next] = [pieces[to], pieces[to + 1]];
  if (word === undefined) return false;
  if (word.text.endsWith("n't") || word.text === 'cannot') return true;
  if (SUBJECTS.has(word.text)) return next?.text.endsWith("n't") === true || next?.text === 'cannot';
  return AUXILIARIES.has(word.text) && REFUSING.has(next?.text ?? '');
}

/** Whether the value between these pieces is only a bound or one of several: "before Friday", "at least four", "noon or one". */
export function isBound(pieces: readonly Piece[], from: number, to: number): boolean {
  if (pieces[from - 1]?.text === 'or') return true;
  if (pieces[to]?.text === 'or' && !AFTER_VAGUE_OR.has(pieces[to + 1]?.text ?? '')) return true;
  if (longestPhraseAt(pieces, to, BOUNDS_BEHIND) > 0) return true;
  for (let at = from - 1; at >= 0 && at >= from - 3; at -= 1) {
    const word = pieces[at]?.text ?? '';
    if (BOUNDS.has(word) || (word === 'to' && /^(?:up|\d.*)$/.test(pieces[at - 1]?.text ?? ''))) return true;
    if (!BETWEEN_BOUND_AND_VALUE.has(word)) return false;
  }
  return false;
}

function merged<Value>(
  earlier: Mention<Value>,
  later: Mention<Value>,
  merge: (a: Value, b: Value) => Value,
): Mention<Value> {
  const value = merge(earlier.value, later.value);
  return { ...later, value, start: value === later.value ? later.start : earlier.start };
}

function markerAt(
  pieces: readonly Piece[],
  from: number,
  noDenies: boolean,
): { correction: 'replaces' | 'withdraws'; next: number } | undefined {
  let correction: 'replaces' | 'withdraws' | undefined;
  let endsInNo = false;
  let at = from;
  let next = from;
  while (at < pieces.length) {
    if (pieces[at]?.mark === true && correction !== undefined) {
      at += 1;
      continue;
    }
    if (at === from && (BEFORE_NO_CORRECTION.has(pieces[at - 1]?.text ?? '') || isNegation(pieces[at - 1]))) break;
    const withdrawing = longestPhraseAt(pieces, at, WITHDRAWING);
    const replacing = longestPhraseAt(pieces, at, REPLACING);
    const length = Math.max(withdrawing, replacing);
    if (length === 0 || (length === 1 && pieces[at]?.text === 'no' && isDeterminer(pieces[at + 1], noDenies))) break;
    if (withdrawing >= replacing) correction = 'withdraws';
    else correction ??= 'replaces';
    endsInNo = length === 1 && pieces[at]?.text === 'no';
    at += length;
    next = at;
  }
  if (correction === undefined) return undefined;
  // A "no" with nothing after it takes back what was said; a "sorry" does not.
  return {
    correction: endsInNo && pieces.slice(next, next + 2).every((piece) => piece.mark) ? 'withdraws' : correction,
    next,
  };
}

function isDeterminer(after: Piece | undefined, noDenies: boolean): boolean {
  if (after === undefined || after.mark) return false;
  if (AFTER_DETERMINER.has(after.text)) return true;
  const corrects = CONNECTORS.has(after.text) || WITHDRAWING.has(after.text) || REPLACING.has(after.text);
  return noDenies && !corrects;
}

function isNegation(piece: Piece | undefined): boolean {
  return piece !== undefined && (NEGATIONS.has(piece.text) || piece.text.endsWith("n't"));
}
