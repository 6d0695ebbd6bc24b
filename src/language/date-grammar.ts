import { isBound, isDenied, type Mention, type Version } from './corrections.ts';
import { yearAt, type Token } from './spoken-numbers.ts';
import { hasPhraseAt } from './words.ts';

/** What one expression says about a day; what it does not say is absent. */
export interface DateParts {
  year?: number;
  /** Two digits whose century was not said. */
  shortYear?: number;
  month?: number;
  day?: number;
  /** 1 for Monday to 7 for Sunday. */
  weekday?: number;
  /** Which of the days of that name. */
  which?: 'this' | 'next' | 'last';
  /** Days from today. */
  offset?: number;
  /** Weeks, months or years from the present one ("next week", "next month", "this year"). */
  week?: number;
  monthOffset?: number;
  yearOffset?: number;
  /** Days to add in the end ("a week from Tuesday"). */
  add?: number;
}

export interface GrammarOptions {
  monthFirst: boolean;
  asked: boolean;
}

interface Piece {
  parts: DateParts;
  next: number;
}

const MONTH_NAMES = 'january february march april may june july august september october november december'.split(' ');
const MONTHS = new Map([
  ...MONTH_NAMES.map((name, index) => [name, index + 1] as const),
  ...MONTH_NAMES.map((name, index) => [name.slice(0, 3), index + 1] as const),
  ['sept', 9] as const,
]);
const WEEKDAY_NAMES = 'monday tuesday wednesday thursday friday saturday sunday'.split(' ');
const WEEKDAYS = new Map([
  ...WEEKDAY_NAMES.map((name, index) => [name, index + 1] as const),
  ...WEEKDAY_NAMES.map((name, index) => [name.slice(0, 3), index + 1] as const),
  ...([['tues', 2], ['thur', 4], ['thurs', 4]] as const),
]);
/** Month and day names that are also ordinary words: they need a date beside them. */
const ORDINARY = new Set(['may', 'march', 'mar', 'sat', 'sun', 'wed', 'jan', 'dec']);
const BEFORE_NAME = new Set(['on', 'in', 'of', 'next', 'this', 'last', 'coming']);
const AFTER_DAY = new Set(
  `please is was works would will at or and if for in of then sounds should if i because that no not so around about my maybe
   okay ok thanks we afternoon morning evening`.split(/\s+/),
);
/** "give me a second", "my third". */
const BEFORE_NO_DAY = new Set(['a', 'an', 'another', 'every', 'each', 'my', 'your', 'his', 'her', 'our', 'per', 'one']);
const WHICH = new Map([['this', 'this'], ['coming', 'this'], ['next', 'next'], ['last', 'last'], ['past', 'last']] as const);
const UNIT_DAYS = new Map([['day', 1], ['days', 1], ['week', 7], ['weeks', 7], ['fortnight', 14]]);
const BETWEEN_PIECES = 4;

/** The days mentioned in a version of the text, each with all that is said about it. */
export function datesIn(tokens: readonly Token[], version: Version<Token>, options: GrammarOptions): Mention<DateParts>[] {
  const mentions: Mention<DateParts>[] = [];
  let at = 0;
  while (at < tokens.length) {
    const piece = pieceAt(tokens, at, options, version.correction !== undefined && at < 4);
    if (piece === undefined || isDenied(tokens, at)) {
      at = piece?.next ?? at + 1;
      continue;
    }
    const last = mentions.at(-1);
    if (last !== undefined && !last.bound && belongsTo(tokens, last, piece, at)) {
      last.value = { ...last.value, ...piece.parts };
      last.to = piece.next;
      last.end = tokens[piece.next - 1]?.end ?? last.end;
      last.bound = isBound(tokens, last.from, last.to);
    } else {
      mentions.push({
        value: piece.parts,
        from: at,
        to: piece.next,
        start: tokens[at]?.start ?? 0,
        end: tokens[piece.next - 1]?.end ?? 0,
        certain: true,
        bound: isBound(tokens, at, piece.next) || isWeekOf(tokens, at) || ['every', 'each', 'any'].includes(tokens[at - 1]?.text ?? ''),
      });
    }
    at = piece.next;
  }
  return mentions;
}

/** The earlier date as a correction leaves it: "March third" and then "the fourth, 1984" are the fourth of March 1984. */
export function correctedDate(earlier: DateParts, later: DateParts): DateParts {
  const names = (parts: DateParts): boolean =>
    parts.weekday !== undefined || parts.offset !== undefined || parts.week !== undefined || parts.monthOffset !== undefined;
  if (names(later) || (names(earlier) && later.month !== undefined)) return later;
  const { weekday, which, offset, week, add, ...calendar } = earlier;
  const kept = later.day === undefined && later.month === undefined ? earlier : calendar;
  const { year, shortYear, ...withoutYear } = kept;
  return later.year === undefined && later.shortYear === undefined ? { ...kept, ...later } : { ...withoutYear, ...later };
}

/** "the week of the fourth". */
function isWeekOf(tokens: readonly Token[], at: number): boolean {
  const of = tokens[at - 1]?.text === 'the' ? at - 2 : at - 1;
  return tokens[of]?.text === 'of' && tokens[of - 1]?.text === 'week';
}

function belongsTo(tokens: readonly Token[], last: Mention<DateParts>, piece: Piece, at: number): boolean {
  if (at - last.to > BETWEEN_PIECES) return false;
  const between = tokens.slice(last.to, at);
  if (between.some((token) => ['or', 'and', 'to', 'through', 'until', 'till', '.', '?', '!', ';'].includes(token.text))) return false;
  return Object.entries(piece.parts).every(([part, value]) => [undefined, value].includes(last.value[part as keyof DateParts]));
}

function pieceAt(tokens: readonly Token[], at: number, options: GrammarOptions, corrects: boolean): Piece | undefined {
  const token = tokens[at];
  if (token === undefined) return undefined;
  if (token.number !== undefined) {
    return (
      numeralDateAt(tokens, at, options) ??
      spokenNumeralsAt(tokens, at, options) ??
      dayThenMonthAt(tokens, at) ??
      yearPieceAt(tokens, at) ??
      agoAt(tokens, at) ??
      dayAloneAt(tokens, at, corrects)
    );
  }
  return monthThenDayAt(tokens, at) ?? relativeAt(tokens, at) ?? weekdayAt(tokens, at) ?? shortYearAfterIn(tokens, at);
}

/** 1984-03-04, 3/4/1984, 3/4. */
function numeralDateAt(tokens: readonly Token[], at: number, options: GrammarOptions): Piece | undefined {
  const separator = tokens[at + 1];
  const isSeparator = (token: Token | undefined): boolean => token?.glued === true && token.text === separator?.text;
  if (separator === undefined || !/^[-/.]$/.test(separator.text) || !separator.glued) return undefined;
  const [first, second, third] = [tokens[at], tokens[at + 2], tokens[at + 4]].map((token) => writtenNumber(token));
  if (first === undefined || second === undefined || tokens[at + 2]?.glued !== true) return undefined;
  if (third === undefined || !isSeparator(tokens[at + 3]) || tokens[at + 4]?.glued !== true) {
    if (separator.text !== '/' || first.length > 2 || second.length > 2 || isSeparator(tokens[at - 1])) return undefined;
    return { parts: monthAndDay(Number(first), Number(second), options), next: at + 3 };
  }
  if (first.length === 4) {
    return { parts: { year: Number(first), month: Number(second), day: Number(third) }, next: at + 5 };
  }
  if (first.length > 2 || second.length > 2 || (third.length !== 2 && third.length !== 4)) return undefined;
  const year = third.length === 4 ? { year: Number(third) } : { shortYear: Number(third) };
  return { parts: { ...monthAndDay(Number(first), Number(second), options), ...year }, next: at + 5 };
}

function writtenNumber(token: Token | undefined): string | undefined {
  return token?.number !== undefined && !token.number.spoken && /^\d{1,4}$/.test(token.text) ? token.text : undefined;
}

function monthAndDay(first: number, second: number, { monthFirst }: GrammarOptions): DateParts {
  const [month, day] = monthFirst ? [first, second] : [second, first];
  return month > 12 && day <= 12 ? { month: day, day: month } : { month, day };
}

/** "ten thirty one seventy eight", "three slash four slash eighty four": only as an answer. */
function spokenNumeralsAt(tokens: readonly Token[], at: number, options: GrammarOptions): Piece | undefined {
  if (!options.asked || tokens[at - 1]?.number !== undefined) return undefined;
  const numbers: { value: number; at: number }[] = [];
  let next = at;
  while (numbers.length < 2) {
    const zero = tokens[next]?.number?.value === 0 ? 1 : 0;
    const number = tokens[next + zero]?.number;
    if (number === undefined || number.ordinal || number.value < 1 || number.value > 31 || (zero === 1 && number.value > 9)) {
      return undefined;
    }
    numbers.push({ value: number.value, at: next });
    next += 1 + zero;
    while (['slash', 'dash', '/', '-', ','].includes(tokens[next]?.text ?? '')) next += 1;
  }
  const [first, second] = numbers;
  const year = yearAt(tokens, next) ?? shortYearAt(tokens, next);
  if (first === undefined || second === undefined || year === undefined || tokens[year.next]?.number !== undefined) return undefined;
  const { next: end, ...said } = year;
  return { parts: { ...monthAndDay(first.value, second.value, options), ...said }, next: end };
}

/** Two digits that can only be a year: nothing that they could count or time follows. */
function shortYearAt(tokens: readonly Token[], at: number): { shortYear: number; next: number } | undefined {
  const quoted = tokens[at]?.text === "'" || tokens[at]?.text === '’' ? 1 : 0;
  const first = tokens[at + quoted]?.number;
  if (first === undefined || first.ordinal) return undefined;
  const second = tokens[at + quoted + 1]?.number;
  const isOh = first.digits === '0' && second?.digits.length === 1;
  if (!isOh && first.digits.length !== 2) return undefined;
  const next = at + quoted + (isOh ? 2 : 1);
  const after = tokens[next];
  const isFree = after === undefined || (after.mark && ![':', '/', '-', "'"].includes(after.text)) || AFTER_DAY.has(after.text);
  const isHalfOfDay = ['am', 'pm', 'a', 'p'].includes(after?.text ?? '');
  return isFree && !isHalfOfDay ? { shortYear: isOh ? second.value : first.value, next } : undefined;
}

/** "March third 1984", "May the 2nd", "March 1984", "in March". */
function monthThenDayAt(tokens: readonly Token[], at: number): Piece | undefined {
  const name = tokens[at]?.text ?? '';
  const month = MONTHS.get(name);
  if (month === undefined) return undefined;
  const dot = name.length <= 4 && tokens[at + 1]?.text === '.' ? 1 : 0;
  const article = ['the', 'on'].includes(tokens[at + 1 + dot]?.text ?? '') ? 1 : 0;
  const from = at + 1 + dot + article;
  const year = article === 0 ? yearAt(tokens, skip(tokens, from, [',', 'of'])) : undefined;
  const day = dayOf(tokens[from]);
  if (day !== undefined && (year === undefined || yearAfter(tokens, from + 1) !== undefined)) {
    if (!ORDINARY.has(name) || isClearDay(tokens, from)) return withYear(tokens, { month, day }, from + 1);
  }
  if (year !== undefined) return { parts: { month, year: year.year }, next: year.next };
  const clear = !ORDINARY.has(name) || BEFORE_NAME.has(tokens[at - 1]?.text ?? '') || tokens.length === 1;
  return clear ? withYear(tokens, { month }, at + 1) : undefined;
}

/** In "may four people" no day is meant. */
function isClearDay(tokens: readonly Token[], at: number): boolean {
  const number = tokens[at]?.number;
  const after = tokens[at + 1];
  return number?.ordinal === true || after === undefined || after.mark || after.number !== undefined || AFTER_DAY.has(after.text);
}

/** "the fourth of March", "4 March 1984". */
function dayThenMonthAt(tokens: readonly Token[], at: number): Piece | undefined {
  const day = dayOf(tokens[at]);
  if (day === undefined) return undefined;
  const from = skip(tokens, at + 1, ['day', 'of', ',']);
  const name = tokens[from]?.text ?? '';
  const month = MONTHS.get(name);
  if (month !== undefined) {
    const number = tokens[at]?.number;
    const clear = !ORDINARY.has(name) || number?.ordinal === true || number?.spoken === false || tokens[from - 1]?.text === 'of';
    return clear || yearAfter(tokens, from + 1) !== undefined ? withYear(tokens, { month, day }, from + 1) : undefined;
  }
  const which = WHICH.get((tokens[from]?.text ?? '') as 'this');
  if (tokens[from + 1]?.text !== 'month' || which === undefined || tokens[from - 1]?.text !== 'of') return undefined;
  return { parts: { day, monthOffset: offsetOf(which) }, next: from + 2 };
}

function dayOf(token: Token | undefined): number | undefined {
  const number = token?.number;
  const isDay = number !== undefined && Number.isInteger(number.value) && number.value >= 1 && number.digits.length <= 2;
  return isDay && !number.oh ? number.value : undefined;
}

function withYear(tokens: readonly Token[], parts: DateParts, at: number): Piece {
  const year = yearAfter(tokens, at) ?? (parts.day === undefined ? undefined : shortYearAfter(tokens, at));
  if (year === undefined) return { parts, next: at };
  const { next, ...said } = year;
  return { parts: { ...parts, ...said }, next };
}

function yearAfter(tokens: readonly Token[], at: number): { year: number; next: number } | undefined {
  const year = yearAt(tokens, skip(tokens, at, [',', 'of', 'in', 'the', 'year']));
  return year;
}

function shortYearAfter(tokens: readonly Token[], at: number): { shortYear: number; next: number } | undefined {
  const from = skip(tokens, at, [',', 'of', 'in', 'year']);
  const inside = tokens[from - 1]?.text === 'in';
  const year = shortYearAt(tokens, from);
  // "the fourth of March in ten days" has no year.
  return inside && year !== undefined && year.shortYear < 13 ? undefined : year;
}

function skip(tokens: readonly Token[], at: number, words: readonly string[]): number {
  let next = at;
  while (next < at + 4 && words.includes(tokens[next]?.text ?? '')) next += 1;
  return next;
}

function yearPieceAt(tokens: readonly Token[], at: number): Piece | undefined {
  const year = yearAt(tokens, at);
  return year && { parts: { year: year.year }, next: year.next };
}

function shortYearAfterIn(tokens: readonly Token[], at: number): Piece | undefined {
  if (tokens[at]?.text !== 'in' || (tokens[at + 1]?.number?.value ?? 0) < 13) return undefined;
  const year = shortYearAt(tokens, at + 1);
  return year && { parts: { shortYear: year.shortYear }, next: year.next };
}

/** "the fourth": a day only where it does not count something ("my second child"). */
function dayAloneAt(tokens: readonly Token[], at: number, corrects: boolean): Piece | undefined {
  const day = dayOf(tokens[at]);
  const number = tokens[at]?.number;
  if (day === undefined || number === undefined || (!number.ordinal && !corrects)) return undefined;
  const year = yearAfter(tokens, at + 1) ?? shortYearAfter(tokens, at + 1);
  if (year !== undefined && number.ordinal) {
    const { next, ...said } = year;
    return { parts: { day, ...said }, next };
  }
  const before = tokens[at - 1];
  if (before?.number !== undefined || BEFORE_NO_DAY.has(before?.text ?? '')) return undefined;
  // "Second" by itself is more often a moment.
  if (before === undefined && number.spoken && number.ordinal && day === 2) return undefined;
  const after = tokens[at + 1];
  const isBareYear = !number.ordinal && day > 31;
  const isAlone = after === undefined || after.mark || AFTER_DAY.has(after.text) || MONTHS.has(after.text) || WEEKDAYS.has(after.text);
  return isAlone ? { parts: isBareYear ? { shortYear: day } : { day }, next: at + 1 } : undefined;
}

/** "Tuesday", "next Tuesday", "Tuesday next week", "a week on Tuesday". */
function weekdayAt(tokens: readonly Token[], at: number): Piece | undefined {
  const name = tokens[at]?.text ?? '';
  const weekday = WEEKDAYS.get(name);
  if (weekday === undefined) return undefined;
  const before = tokens[at - 1]?.text ?? '';
  if (ORDINARY.has(name) && !BEFORE_NAME.has(before) && tokens.length > 1) return undefined;
  if (hasPhraseAt(tokens, at + 1, ['after', 'next'])) return { parts: { weekday, which: 'next', add: 7 }, next: at + 3 };
  if (tokens[at + 1]?.text === 'week') return { parts: { weekday, add: 7 }, next: at + 2 };
  const which = WHICH.get(before as 'this');
  return { parts: { weekday, ...(which && { which }) }, next: at + 1 };
}

function relativeAt(tokens: readonly Token[], at: number): Piece | undefined {
  for (const [phrase, parts] of RELATIVE) {
    if (hasPhraseAt(tokens, at, phrase)) return { parts, next: at + phrase.length };
  }
  return inDaysAt(tokens, at) ?? agoAt(tokens, at) ?? weekOrMonthAt(tokens, at);
}

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

/** "in three days". */
function inDaysAt(tokens: readonly Token[], at: number): Piece | undefined {
  if (tokens[at]?.text !== 'in') return undefined;
  const length = lengthAt(tokens, at + 1);
  if (length === undefined || tokens[length.next]?.text === 'of' || tokens[length.next]?.text === 'or') return undefined;
  return { parts: { offset: length.days }, next: skip(tokens, length.next, ['time']) };
}

/** "three days ago", "two weeks from today", "a week from Tuesday", "a week on Friday". */
function agoAt(tokens: readonly Token[], at: number): Piece | undefined {
  const length = lengthAt(tokens, at) ?? (tokens[at]?.text === 'week' ? { days: 7, next: at + 1 } : undefined);
  if (length === undefined) return undefined;
  const word = tokens[length.next]?.text;
  if (word === 'ago') return { parts: { offset: -length.days }, next: length.next + 1 };
  if (word !== 'from' && word !== 'on' && word !== 'after') return undefined;
  if (word === 'from' && ['now', 'today'].includes(tokens[length.next + 1]?.text ?? '')) {
    return { parts: { offset: length.days }, next: length.next + 2 };
  }
  const from = skip(tokens, length.next + 1, ['this', 'next', 'coming']);
  if (tokens[from]?.text === 'tomorrow') return { parts: { offset: length.days + 1 }, next: from + 1 };
  const day = weekdayAt(tokens, from);
  return day && length.days % 7 === 0 ? { parts: { ...day.parts, add: length.days }, next: day.next } : undefined;
}

function lengthAt(tokens: readonly Token[], at: number): { days: number; next: number } | undefined {
  const token = tokens[at];
  const count = token?.text === 'a' ? 1 : token?.number !== undefined && !token.number.ordinal ? token.number.value : undefined;
  const days = UNIT_DAYS.get(tokens[at + 1]?.text ?? '');
  if (count === undefined || days === undefined || !Number.isInteger(count) || count > 1000) return undefined;
  return { days: count * days, next: at + 2 };
}

/** "next week", "this month", "last year": a span, which a weekday or a day of the month can make a day. */
function weekOrMonthAt(tokens: readonly Token[], at: number): Piece | undefined {
  const which = WHICH.get((tokens[at]?.text ?? '') as 'this');
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

function offsetOf(which: 'this' | 'next' | 'last'): number {
  return which === 'this' ? 0 : which === 'next' ? 1 : -1;
}
