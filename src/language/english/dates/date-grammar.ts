import { isBound, isDenied, isRefusedAfter, type Mention, type Version } from '../answers/corrections.ts';
import { calendarDateAt, dayOrYearAt } from './calendar-dates.ts';
import { whichOf } from './calendar-words.ts';
import type { DateOptions, DateParts, DatePiece } from './date-parts.ts';
import { relativeDateAt } from './relative-dates.ts';
import type { Token } from '../numbers/spoken-numbers.ts';

/** A bare number right behind a correction is a day or a year. */
const NEAR_CORRECTION = 4;
/** How many words may stand between two parts of one date: "Friday, that is the fourth". */
const BETWEEN_PIECES = 4;

/** The days mentioned in a version of the text, each with all that is said about it. */
export function datesIn(
  tokens: readonly Token[],
  version: Version<Token>,
  options: Omit<DateOptions, 'corrects'>,
): Mention<DateParts>[] {
  const mentions: Mention<DateParts>[] = [];
  let apposed: Mention<DateParts> | undefined;
  let endOfDenied = -1;
  let at = 0;
  while (at < tokens.length) {
    const corrects = version.correction !== undefined && at < NEAR_CORRECTION;
    const piece = pieceAt(tokens, at, { ...options, corrects });
    if (piece === undefined || isDenied(tokens, at) || isRefusedAfter(tokens, piece.next)) {
      // "Not the fourth, the fifth" names another day.
      if (piece !== undefined) endOfDenied = piece.parts.day === undefined ? piece.next : -1;
      at = piece?.next ?? at + 1;
      continue;
    }
    const last = mentions.at(-1);
    if (isApposed(tokens, endOfDenied, piece, at)) {
      apposed = mentionOf(tokens, piece, at);
      endOfDenied = -1;
    } else if (last !== undefined && !last.bound && belongsTo(tokens, last, piece, at)) {
      last.value = { ...last.value, ...piece.parts };
      last.to = piece.next;
      last.end = tokens[piece.next - 1]?.end ?? last.end;
      last.bound = isBound(tokens, last.from, last.to);
    } else mentions.push(mentionOf(tokens, piece, at));
    at = piece.next;
  }
  // Behind a pause, the only other day is the new one: "not Monday, the third".
  const isNew = mentions.length === 0 && apposed !== undefined && isBehindComma(tokens, apposed.from);
  return isNew && apposed !== undefined ? [apposed] : mentions;
}

function mentionOf(tokens: readonly Token[], piece: DatePiece, at: number): Mention<DateParts> {
  return {
    value: piece.parts,
    from: at,
    to: piece.next,
    start: tokens[beginsAt(tokens, at, piece)]?.start ?? 0,
    end: tokens[piece.next - 1]?.end ?? 0,
    certain: true,
    bound:
      isBound(tokens, at, piece.next) ||
      isWeekOf(tokens, at) ||
      ['every', 'each', 'any'].includes(tokens[at - 1]?.text ?? ''),
  };
}

/** "Not Monday the third": a day of the month right behind a denied day says more of it. */
function isApposed(tokens: readonly Token[], endOfDenied: number, { parts }: DatePiece, at: number): boolean {
  if (endOfDenied < 0 || parts.day === undefined || parts.weekday !== undefined) return false;
  return tokens.slice(endOfDenied, at).every(({ text }) => text === ',' || text === 'the');
}

function isBehindComma(tokens: readonly Token[], at: number): boolean {
  return [1, 2].some((back) => tokens[at - back]?.text === ',');
}

/** "next Friday" is said with its first word. */
function beginsAt(tokens: readonly Token[], at: number, { parts }: DatePiece): number {
  return parts.weekday !== undefined && whichOf(tokens[at - 1]) !== undefined ? at - 1 : at;
}

/** "the week of the fourth". */
function isWeekOf(tokens: readonly Token[], at: number): boolean {
  const of = tokens[at - 1]?.text === 'the' ? at - 2 : at - 1;
  return tokens[of]?.text === 'of' && tokens[of - 1]?.text === 'week';
}

function belongsTo(tokens: readonly Token[], last: Mention<DateParts>, piece: DatePiece, at: number): boolean {
  if (at - last.to > BETWEEN_PIECES) return false;
  const between = tokens.slice(last.to, at);
  if (between.some((token) => ['or', 'and', 'to', 'through', 'until', 'till', '.', '?', '!', ';'].includes(token.text)))
    return false;
  return Object.entries(piece.parts).every(([part, value]) =>
    [undefined, value].includes(last.value[part as keyof DateParts]),
  );
}

function pieceAt(tokens: readonly Token[], at: number, options: DateOptions): DatePiece | undefined {
  return calendarDateAt(tokens, at, options) ?? relativeDateAt(tokens, at) ?? dayOrYearAt(tokens, at, options);
}
