import { isNamedByPlace, isOrdinaryWord, offsetOf, skipWords, WEEKDAYS, whichOf } from './calendar-words.ts';
import type { DateParts, DatePiece } from './date-parts.ts';
import type { Token } from '../numbers/spoken-numbers.ts';
import { hasPhraseAt } from '../words.ts';

const UNIT_DAYS = new Map([
  ['day', 1],
  ['days', 1],
  ['week', 7],
  ['weeks', 7],
  ['fortnight', 14],
]);

const RELATIVE: readonly (readonly [readonly string[], DateParts])[] = (
  [
    ['the day after tomorrow', { offset: 2 }],
    ['day after tomorrow', { offset: 2 }],
    ['the day before yesterday', { offset: -2 }],
    ['day before yesterday', { offset: -2 }],
    ['week after next', { week: 2 }],
    ['today', { offset: 0 }],
    ['tonight', { offset: 0 }],
    ['this morning', { offset: 0 }],
    ['this afternoon', { offset: 0 }],
    ['this evening', { offset: 0 }],
    ['tomorrow', { offset: 1 }],
    ['yesterday', { offset: -1 }],
    ['last night', { offset: -1 }],
  ] as const
).map(([phrase, parts]) => [phrase.split(' '), parts] as const);

/** A day named from today ("tomorrow", "in three days", "next Tuesday"), or the week, month or year that it lies in. */
export function relativeDateAt(tokens: readonly Token[], at: number): DatePiece | undefined {
  for (const [phrase, parts] of RELATIVE) {
    if (hasPhraseAt(tokens, at, phrase)) return { parts, next: at + phrase.length };
  }
  return inDaysAt(tokens, at) ?? fromNowAt(tokens, at) ?? spanAt(tokens, at) ?? weekdayAt(tokens, at);
}

/** "Tuesday", "next Tuesday", "Tuesday next week", "a week on Tuesday". */
function weekdayAt(tokens: readonly Token[], at: number): DatePiece | undefined {
  const name = tokens[at]?.text ?? '';
  const weekday = WEEKDAYS.get(name);
  if (weekday === undefined) return undefined;
  if (isOrdinaryWord(name) && !isNamedByPlace(tokens, at)) return undefined;
  if (hasPhraseAt(tokens, at + 1, ['after', 'next']))
    return { parts: { weekday, which: 'next', add: 7 }, next: at + 3 };
  if (tokens[at + 1]?.text === 'week') return { parts: { weekday, add: 7 }, next: at + 2 };
  const which = whichOf(tokens[at - 1]);
  return { parts: { weekday, ...(which && { which }) }, next: at + 1 };
}

/** "in three days". */
function inDaysAt(tokens: readonly Token[], at: number): DatePiece | undefined {
  if (tokens[at]?.text !== 'in') return undefined;
  const length = lengthAt(tokens, at + 1);
  if (length === undefined || tokens[length.next]?.text === 'of' || tokens[length.next]?.text === 'or')
    return undefined;
  return { parts: { offset: length.days }, next: skipWords(tokens, length.next, ['time']) };
}

/** "three days ago", "two weeks from today", "a week from Tuesday", "a week on Friday". */
function fromNowAt(tokens: readonly Token[], at: number): DatePiece | undefined {
  const length = lengthAt(tokens, at) ?? (tokens[at]?.text === 'week' ? { days: 7, next: at + 1 } : undefined);
  if (length === undefined) return undefined;
  const word = tokens[length.next]?.text;
  if (word === 'ago') return { parts: { offset: -length.days }, next: length.next + 1 };
  if (word !== 'from' && word !== 'on' && word !== 'after') return undefined;
  if (word === 'from' && ['now', 'today'].includes(tokens[length.next + 1]?.text ?? '')) {
    return { parts: { offset: length.days }, next: length.next + 2 };
  }
  const from = skipWords(tokens, length.next + 1, ['this', 'next', 'coming']);
  if (tokens[from]?.text === 'tomorrow') return { parts: { offset: length.days + 1 }, next: from + 1 };
  const day = weekdayAt(tokens, from);
  return day && length.days % 7 === 0 ? { parts: { ...day.parts, add: length.days }, next: day.next } : undefined;
}

function lengthAt(tokens: readonly Token[], at: number): { days: number; next: number } | undefined {
  const token = tokens[at];
  const count =
    token?.text === 'a' ? 1 : token?.number !== undefined && !token.number.ordinal ? token.number.value : undefined;
  const days = UNIT_DAYS.get(tokens[at + 1]?.text ?? '');
  if (count === undefined || days === undefined || !Number.isInteger(count) || count > 1000) return undefined;
  return { days: count * days, next: at + 2 };
}

/** "next week", "this month", "last year": a span, which a weekday or a day of the month can make a day. */
function spanAt(tokens: readonly Token[], at: number): DatePiece | undefined {
  const which = whichOf(tokens[at]);
  if (which === undefined) return undefined;
  const offset = offsetOf(which);
  switch (tokens[at + 1]?.text) {
    case 'week':
    case 'weekend':
      return { parts: { week: offset }, next: at + 2 };
    case 'month':
      return { parts: { monthOffset: offset }, next: at + 2 };
    case 'year':
      return { parts: { yearOffset: offset }, next: at + 2 };
    case undefined:
    default:
      return undefined;
  }
}
