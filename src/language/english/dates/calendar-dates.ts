import {
  NUMBERED_THINGS,
  isNamedByPlace,
  isOrdinaryWord,
  MONTHS,
  offsetOf,
  skipWords,
  WEEKDAYS,
  whichOf,
} from './calendar-words.ts';
import type { DateOptions, DateParts, DatePiece } from './date-parts.ts';
import { yearAt, type Token } from '../numbers/spoken-numbers.ts';
import { wordSet } from '../words.ts';

const AFTER_DAY = wordSet(`
  please is was works would will at or and if for in of then sounds should if i because that no not so around about my maybe okay ok
  thanks we afternoon morning evening`);
/** "give me a second", "my third". */
const BEFORE_NO_DAY = wordSet('a an another every each my your his her our per one');

/** A day of the calendar that begins here: in numerals, or with the name of its month. */
export function calendarDateAt(tokens: readonly Token[], at: number, options: DateOptions): DatePiece | undefined {
  if (tokens[at]?.number === undefined) return monthThenDayAt(tokens, at);
  return numeralDateAt(tokens, at, options) ?? spokenNumeralsAt(tokens, at, options) ?? dayThenMonthAt(tokens, at);
}

/** A part of a date by itself: "the fourth", "1984", "in eighty four". */
export function dayOrYearAt(tokens: readonly Token[], at: number, options: DateOptions): DatePiece | undefined {
  if (tokens[at]?.number === undefined) return shortYearAfterIn(tokens, at);
  const year = yearAt(tokens, at);
  return year === undefined
    ? dayAloneAt(tokens, at, options.corrects)
    : { parts: { year: year.year }, next: year.next };
}

/** 1984-03-04, 3/4/1984, 3/4. */
function numeralDateAt(tokens: readonly Token[], at: number, options: DateOptions): DatePiece | undefined {
  const separator = tokens[at + 1];
  const isSeparator = (token: Token | undefined): boolean => token?.glued === true && token.text === separator?.text;
  if (separator === undefined || !/^[-/.]$/.test(separator.text) || !separator.glued) return undefined;
  const [first, second, third] = [tokens[at], tokens[at + 2], tokens[at + 4]].map((token) => writtenNumber(token));
  if (first === undefined || second === undefined || tokens[at + 2]?.glued !== true) return undefined;
  if (third === undefined || !isSeparator(tokens[at + 3]) || tokens[at + 4]?.glued !== true) {
    if (separator.text !== '/' || first.length > 2 || second.length > 2 || isSeparator(tokens[at - 1]))
      return undefined;
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

function monthAndDay(first: number, second: number, { monthFirst }: DateOptions): DateParts {
  const [month, day] = monthFirst ? [first, second] : [second, first];
  return month > 12 && day <= 12 ? { month: day, day: month } : { month, day };
}

/** "ten thirty one seventy eight", "three slash four slash eighty four": only as an answer. */
function spokenNumeralsAt(tokens: readonly Token[], at: number, options: DateOptions): DatePiece | undefined {
  if (!options.asked || tokens[at - 1]?.number !== undefined) return undefined;
  const numbers: { value: number; at: number }[] = [];
  let next = at;
  while (numbers.length < 2) {
    const zero = tokens[next]?.number?.value === 0 ? 1 : 0;
    const number = tokens[next + zero]?.number;
    if (
      number === undefined ||
      number.ordinal ||
      number.value < 1 ||
      number.value > 31 ||
      (zero === 1 && number.value > 9)
    ) {
      return undefined;
    }
    numbers.push({ value: number.value, at: next });
    next += 1 + zero;
    while (['slash', 'dash', '/', '-', ','].includes(tokens[next]?.text ?? '')) next += 1;
  }
  const [first, second] = numbers;
  const year = yearAt(tokens, next) ?? shortYearAt(tokens, next);
  if (first === undefined || second === undefined || year === undefined || tokens[year.next]?.number !== undefined)
    return undefined;
  const { next: end, ...said } = year;
  return { parts: { ...monthAndDay(first.value, second.value, options), ...said }, next: end };
}

/** Reads a two-digit year if nothing follows that it could count or time. */
function shortYearAt(tokens: readonly Token[], at: number): { shortYear: number; next: number } | undefined {
  const quoted = tokens[at]?.text === "'" || tokens[at]?.text === '’' ? 1 : 0;
  const first = tokens[at + quoted]?.number;
  if (first === undefined || first.ordinal) return undefined;
  const second = tokens[at + quoted + 1]?.number;
  const isOh = first.digits === '0' && second?.digits.length === 1;
  if (!isOh && first.digits.length !== 2) return undefined;
  const next = at + quoted + (isOh ? 2 : 1);
  const after = tokens[next];
  const isFree =
    after === undefined || (after.mark && ![':', '/', '-', "'"].includes(after.text)) || AFTER_DAY.has(after.text);
  const isHalfOfDay = ['am', 'pm', 'a', 'p'].includes(after?.text ?? '');
  return isFree && !isHalfOfDay ? { shortYear: isOh ? second.value : first.value, next } : undefined;
}

/** "March third 1984", "May the 2nd", "March 1984", "in March". */
function monthThenDayAt(tokens: readonly Token[], at: number): DatePiece | undefined {
  const name = tokens[at]?.text ?? '';
  const month = MONTHS.get(name);
  if (month === undefined) return undefined;
  const dot = name.length <= 4 && tokens[at + 1]?.text === '.' ? 1 : 0;
  const article = ['the', 'on'].includes(tokens[at + 1 + dot]?.text ?? '') ? 1 : 0;
  const from = at + 1 + dot + article;
  const year = article === 0 ? yearAt(tokens, skipWords(tokens, from, [',', 'of'])) : undefined;
  const day = dayOf(tokens[from]);
  if (day !== undefined && (year === undefined || yearAfter(tokens, from + 1) !== undefined)) {
    if (!isOrdinaryWord(name) || isClearDay(tokens, from)) return withYear(tokens, { month, day }, from + 1);
  }
  if (year !== undefined) return { parts: { month, year: year.year }, next: year.next };
  const clear = !isOrdinaryWord(name) || isNamedByPlace(tokens, at);
  return clear ? withYear(tokens, { month }, at + 1) : undefined;
}

/** Checks for a clear day: "may four people" has none. */
function isClearDay(tokens: readonly Token[], at: number): boolean {
  const number = tokens[at]?.number;
  const after = tokens[at + 1];
  return (
    number?.ordinal === true ||
    after === undefined ||
    after.mark ||
    after.number !== undefined ||
    AFTER_DAY.has(after.text)
  );
}

/** "the fourth of March", "4 March 1984". */
function dayThenMonthAt(tokens: readonly Token[], at: number): DatePiece | undefined {
  const day = dayOf(tokens[at]);
  if (day === undefined) return undefined;
  const from = skipWords(tokens, at + 1, ['day', 'of', ',']);
  const name = tokens[from]?.text ?? '';
  const month = MONTHS.get(name);
  if (month !== undefined) {
    const number = tokens[at]?.number;
    const clear =
      !isOrdinaryWord(name) || number?.ordinal === true || number?.spoken === false || tokens[from - 1]?.text === 'of';
    return clear || yearAfter(tokens, from + 1) !== undefined ? withYear(tokens, { month, day }, from + 1) : undefined;
  }
  const which = whichOf(tokens[from]);
  if (tokens[from + 1]?.text !== 'month' || which === undefined || tokens[from - 1]?.text !== 'of') return undefined;
  return { parts: { day, monthOffset: offsetOf(which) }, next: from + 2 };
}

function dayOf(token: Token | undefined): number | undefined {
  const number = token?.number;
  const isDay =
    number !== undefined && Number.isInteger(number.value) && number.value >= 1 && number.digits.length <= 2;
  return isDay && !number.oh ? number.value : undefined;
}

function withYear(tokens: readonly Token[], parts: DateParts, at: number): DatePiece {
  const year = yearAfter(tokens, at) ?? (parts.day === undefined ? undefined : shortYearAfter(tokens, at));
  if (year === undefined) return { parts, next: at };
  const { next, ...said } = year;
  return { parts: { ...parts, ...said }, next };
}

function yearAfter(tokens: readonly Token[], at: number): { year: number; next: number } | undefined {
  return yearAt(tokens, skipWords(tokens, at, [',', 'of', 'in', 'the', 'year']));
}

function shortYearAfter(tokens: readonly Token[], at: number): { shortYear: number; next: number } | undefined {
  const from = skipWords(tokens, at, [',', 'of', 'in', 'year']);
  const inside = tokens[from - 1]?.text === 'in';
  const year = shortYearAt(tokens, from);
  // "the fourth of March in ten days" has no year.
  return inside && year !== undefined && year.shortYear < 13 ? undefined : year;
}

function shortYearAfterIn(tokens: readonly Token[], at: number): DatePiece | undefined {
  if (tokens[at]?.text !== 'in' || (tokens[at + 1]?.number?.value ?? 0) < 13) return undefined;
  const year = shortYearAt(tokens, at + 1);
  return year && { parts: { shortYear: year.shortYear }, next: year.next };
}

/** After these, "first" is a day of the month, even without the month. */
const BEFORE_RANK_AS_DAY = wordSet('the on by until till before after from since');

/** "six of us", "room 12", "at seven". */
function isCountOrThing(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1]?.text ?? '';
  const isOfPeople = tokens[at + 1]?.text === 'of' && PEOPLE.has(tokens[at + 2]?.text ?? '');
  return isOfPeople || NUMBERED_THINGS.has(before) || before === 'at';
}

const PEOPLE = wordSet('us them you those these our the my');

/** "the fourth": a day only where it does not count something ("my second child"). */
function dayAloneAt(tokens: readonly Token[], at: number, corrects: boolean): DatePiece | undefined {
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
  if (!number.ordinal && isCountOrThing(tokens, at)) return undefined;
  // "Second" by itself is more often a moment, and "whatever you have first" a rank.
  const isRank = !corrects && number.spoken && number.ordinal && (day === 1 || day === 2);
  if (isRank && !BEFORE_RANK_AS_DAY.has(before?.text ?? '') && !WEEKDAYS.has(before?.text ?? '')) return undefined;
  const after = tokens[at + 1];
  const isBareYear = !number.ordinal && day > 31;
  const isAlone =
    after === undefined ||
    after.mark ||
    AFTER_DAY.has(after.text) ||
    MONTHS.has(after.text) ||
    WEEKDAYS.has(after.text);
  return isAlone ? { parts: isBareYear ? { shortYear: day } : { day }, next: at + 1 } : undefined;
}
