import { isLately, isWithin } from '../../bounds.ts';
import {
  dateOfDay,
  dayNumber,
  daysInMonth,
  parseCivilTime,
  toIsoDate,
  weekdayOf,
  type CivilDate,
} from './civil-date.ts';
import { isReplacedNumber, settle, versionsOf } from '../answers/corrections.ts';
import { datesIn } from './date-grammar.ts';
import { correctedDate, type DateParts } from './date-parts.ts';
import type { Reading, ReadOptions } from '../reading.ts';
import { tokensOf } from '../numbers/spoken-numbers.ts';
import { wordSet } from '../words.ts';

type Failure = Extract<Reading, { ok: false }>;
type Resolved = { date: CivilDate; certain: boolean } | Failure;

/** Regions that write the month before the day. */
const MONTH_FIRST = wordSet('US PR GU VI AS MP PH FM MH PW');
/** "The day before", "the Sunday after": relative to a day that was not said. */
const DAY_BY_ANOTHER = /(?:day|night|evening|morning|week)s? (?:before|after)\s*(?:$|[,.;!?])/i;
/** An older birth year is implausible, so a two-digit year further back belongs to the later century. */
const OLDEST_YEARS = 110;
/** A date without a year that lies further ahead was perhaps meant to be past. */
const FAR_AHEAD_DAYS = 310;

/**
 * Reads a day. Without a year, a date with `direction: 'future'` is the next such day; with any other it is incomplete. A weekday is the
 * coming one, or with `direction: 'past'` the last one. A two-digit year of a past date is read when only one century is possible. A past date that is not asked for needs its year.
 */
export function readDate(text: string, options: ReadOptions): Reading {
  const now = parseCivilTime(options.now);
  const monthFirst = MONTH_FIRST.has((options.region ?? 'US').toUpperCase());
  const asked = options.asked === true;
  const versions = versionsOf(tokensOf(text));
  const { mentions, unsettled } = settle(
    versions,
    (tokens, version) => datesIn(tokens, version, { monthFirst, asked }),
    correctedDate,
  );
  const [mention, ...others] = mentions;
  if (mention === undefined) return { ok: false, problem: 'not-found' };
  const isBareDay = Object.keys(mention.value).every((part) => part === 'day');
  if (unsettled && isBareDay && isReplacedNumber(versions, text.slice(mention.start, mention.end)))
    return { ok: false, problem: 'not-found' };
  if (DAY_BY_ANOTHER.test(text)) return { ok: false, problem: 'ambiguous' };
  const today = now?.day;
  const resolved = mentions.map((each) => onlyAllowed(inCalendar(resolve(each.value, today, options)), options));
  const dates = resolved.flatMap((each) => ('date' in each ? [toIsoDate(each.date)] : []));
  const candidates = [...new Set(dates)];
  const bound = mentions.some((each) => each.bound);
  const same = others.length === 0 || (candidates.length === 1 && dates.length === mentions.length);
  if (bound || !same) return { ok: false, problem: 'ambiguous', ...(candidates.length > 0 && { candidates }) };
  const [found] = resolved;
  if (found === undefined || !('date' in found)) return found ?? { ok: false, problem: 'not-found' };
  const problem = today === undefined ? undefined : wrongSide(dayNumber(found.date) - today, options.direction);
  const value = toIsoDate(found.date);
  if (problem !== undefined) return { ok: false, problem, candidates: [value] };
  const { start, end } = mention;
  return { ok: true, value, said: text.slice(start, end), start, end, certain: found.certain && !unsettled };
}

/** Only days that YYYY-MM-DD can write: "tomorrow" on the last day of the year 9999 is not one. */
function inCalendar(resolved: Resolved): Resolved {
  const isWritten = (day: unknown): boolean => /^\d{4}-/.test(String(day));
  if ('date' in resolved) return isWritten(toIsoDate(resolved.date)) ? resolved : { ok: false, problem: 'not-found' };
  return resolved.candidates === undefined
    ? resolved
    : { ...resolved, candidates: resolved.candidates.filter(isWritten) };
}

/** The one of several days that the bounds allow. */
function onlyAllowed(resolved: Resolved, { bounds }: ReadOptions): Resolved {
  if ('date' in resolved || resolved.problem !== 'ambiguous' || (resolved.candidates?.length ?? 0) < 2) return resolved;
  const allowed = resolved.candidates?.filter((day) => isWithin(bounds, day)) ?? [];
  const date = allowed.length === 1 ? parseCivilTime(`${allowed[0]}T00:00`) : undefined;
  return date === undefined ? resolved : { date: dateOfDay(date.day), certain: true };
}

function wrongSide(distance: number, direction: ReadOptions['direction']): 'out-of-range' | undefined {
  return (direction === 'past' && distance > 0) || (direction === 'future' && distance < 0)
    ? 'out-of-range'
    : undefined;
}

function resolve(parts: DateParts, today: number | undefined, options: ReadOptions): Resolved {
  const unaskedPast = options.direction === 'past' && options.asked !== true;
  if (unaskedPast && parts.year === undefined && parts.shortYear === undefined) return incomplete('year');
  if (parts.month !== undefined && (parts.month < 1 || parts.month > 12)) return { ok: false, problem: 'invalid' };
  if (parts.day !== undefined && (parts.day < 1 || parts.day > daysInMonth(2000, parts.month ?? 1))) {
    return { ok: false, problem: 'invalid' };
  }
  if (
    parts.year !== undefined &&
    parts.month !== undefined &&
    parts.day !== undefined &&
    Object.keys(parts).length === 3
  ) {
    return validDate({ year: parts.year, month: parts.month, day: parts.day });
  }
  if (today === undefined) return incomplete('date');
  if (parts.offset !== undefined) return agreeing(today + parts.offset, parts);
  if (parts.week !== undefined) {
    if (parts.weekday === undefined) return incomplete('day');
    return agreeing(today - weekdayOf(today) + parts.weekday + 7 * parts.week, parts);
  }
  const isCalendar =
    parts.day !== undefined || parts.month !== undefined || hasYear(parts) || parts.monthOffset !== undefined;
  return isCalendar ? calendarDate(parts, today, options) : nextWeekday(parts, today, options);
}

function calendarDate(parts: DateParts, today: number, options: ReadOptions): Resolved {
  const present = dateOfDay(today);
  const { day } = parts;
  if (day === undefined)
    return incomplete(parts.month === undefined && parts.monthOffset === undefined ? 'month' : 'day');
  if (parts.monthOffset !== undefined) {
    const months = present.year * 12 + present.month - 1 + parts.monthOffset;
    return agreeing(validDate({ year: Math.floor(months / 12), month: (months % 12) + 1, day }), parts);
  }
  const month = parts.month;
  if (month === undefined) {
    if (hasYear(parts)) return incomplete('month');
    const cue = options.asked === true || parts.weekday !== undefined;
    if (!cue || (options.direction !== 'future' && !isLately(options))) return incomplete('month');
    const nearest = nearestDayOfMonth(day, today, options.direction ?? 'future');
    // A weekday that agrees tells the month: "Friday the 27th".
    const isTold = parts.weekday !== undefined && options.direction === 'future' && 'date' in nearest;
    return agreeing(isTold ? { ...nearest, certain: true } : nearest, parts);
  }
  const year = parts.yearOffset === undefined ? parts.year : present.year + parts.yearOffset;
  if (year !== undefined) return agreeing(validDate({ year, month, day }), parts);
  if (parts.shortYear !== undefined) return shortYearDate(parts.shortYear, { month, day }, parts, today, options);
  if (options.direction !== 'future') return onlyYear({ month, day }, parts, options);
  for (let ahead = 0; ahead <= 8; ahead += 1) {
    const date = { year: present.year + ahead, month, day };
    if (day > daysInMonth(date.year, month) || dayNumber(date) < today) continue;
    return agreeing({ date, certain: dayNumber(date) - today <= FAR_AHEAD_DAYS }, parts);
  }
  return { ok: false, problem: 'invalid' };
}

/** A day without a year, if the bounds have only one year for it. */
function onlyYear(date: { month: number; day: number }, parts: DateParts, { bounds }: ReadOptions): Resolved {
  if (bounds?.after === undefined || bounds.before === undefined) return incomplete('year');
  const [from, to] = [Number(bounds.after.slice(0, 4)), Number(bounds.before.slice(0, 4))];
  if (!(to - from <= MOST_YEARS_TRIED)) return incomplete('year');
  const years = Array.from({ length: to - from + 1 }, (_, index) => from + index);
  const allowed = years.filter((year) => isWithin(bounds, toIsoDate({ ...date, year })));
  const [year] = allowed;
  return year === undefined || allowed.length > 1 ? incomplete('year') : agreeing(validDate({ ...date, year }), parts);
}

const MOST_YEARS_TRIED = 3;

function shortYearDate(
  shortYear: number,
  date: { month: number; day: number },
  parts: DateParts,
  today: number,
  options: ReadOptions,
): Resolved {
  const years = [1900 + shortYear, 2000 + shortYear];
  const thisYear = dateOfDay(today).year;
  const possible = years.filter((year) => {
    if (options.direction === 'future') return year >= thisYear && dayNumber({ ...date, year }) >= today;
    const isPast = dayNumber({ ...date, year }) <= today && year >= thisYear - OLDEST_YEARS;
    return isPast || (options.direction === undefined && year >= thisYear && year < thisYear + 10);
  });
  const [year, second] = possible;
  if (year === undefined) return { ok: false, problem: 'out-of-range' };
  if (second !== undefined) {
    return {
      ok: false,
      problem: 'incomplete',
      missing: 'year',
      candidates: possible.map((each) => toIsoDate({ ...date, year: each })),
    };
  }
  return agreeing(validDate({ ...date, year }), parts);
}

/** A weekday by itself is the coming one; where people differ ("next Friday" on a Monday), nothing is chosen. */
function nextWeekday(parts: DateParts, today: number, options: ReadOptions): Resolved {
  const { weekday, which, add = 0 } = parts;
  if (weekday === undefined) return incomplete('day');
  if (which === 'last' || options.direction === 'past') {
    const back = today - ((weekdayOf(today) - weekday + 7) % 7 || 7);
    if (which !== 'last') return isLately(options) ? { date: dateOfDay(back), certain: false } : incomplete('date');
    return back > today - weekdayOf(today) ? ambiguous([back - 7, back]) : { date: dateOfDay(back), certain: true };
  }
  const distance = (weekday - weekdayOf(today) + 7) % 7;
  if (distance === 0 && which !== 'next') {
    return which === 'this'
      ? { date: dateOfDay(today + add), certain: true }
      : ambiguous([today + add, today + 7 + add]);
  }
  const ahead = distance === 0 ? 7 : distance;
  const withinThisWeek = weekdayOf(today) + ahead <= 7;
  if (which === 'next' && withinThisWeek) return ambiguous([today + ahead + add, today + ahead + 7 + add]);
  return { date: dateOfDay(today + ahead + add), certain: true };
}

function nearestDayOfMonth(day: number, today: number, direction: 'past' | 'future'): Resolved {
  const present = dateOfDay(today);
  const sign = direction === 'past' ? -1 : 1;
  for (let away = 0; away < 3; away += 1) {
    const months = present.year * 12 + present.month - 1 + sign * away;
    const date = { year: Math.floor(months / 12), month: (months % 12) + 1, day };
    if (day <= daysInMonth(date.year, date.month) && sign * (dayNumber(date) - today) >= 0)
      return { date, certain: false };
  }
  return incomplete('month');
}

/** The day, provided that the weekday, day and month said beside it are that day's. */
function agreeing(found: number | Resolved, parts: DateParts): Resolved {
  const resolved = typeof found === 'number' ? { date: dateOfDay(found), certain: true } : found;
  if (!('date' in resolved)) return resolved;
  const { date } = resolved;
  const differs =
    (parts.weekday !== undefined && parts.weekday !== weekdayOf(dayNumber(date))) ||
    (parts.day !== undefined && parts.day !== date.day) ||
    (parts.month !== undefined && parts.month !== date.month) ||
    (parts.year !== undefined && parts.year !== date.year);
  return differs ? ambiguous([dayNumber(date)]) : resolved;
}

function validDate(date: CivilDate): Resolved {
  const exists = date.year >= 1000 && date.year <= 2999 && date.day <= daysInMonth(date.year, date.month);
  return exists ? { date, certain: true } : { ok: false, problem: 'invalid' };
}

function hasYear(parts: DateParts): boolean {
  return parts.year !== undefined || parts.shortYear !== undefined || parts.yearOffset !== undefined;
}

function incomplete(missing: string): Failure {
  return { ok: false, problem: 'incomplete', missing };
}

function ambiguous(days: readonly number[]): Failure {
  return { ok: false, problem: 'ambiguous', candidates: days.map((day) => toIsoDate(dateOfDay(day))) };
}
