/** Names that every condition knows in addition to those of its flow. */
export const momentNames: readonly string[] = ['now', 'today'];

/**
 * Returns the value of such a name: `now` is `civil`, the local time as `YYYY-MM-DDTHH:mm`, and `today` its date.
 * Undefined for any other name.
 */
export function momentNamed(name: string, civil: string): string | undefined {
  if (name === 'now') return civil;
  return name === 'today' ? civil.slice(0, 10) : undefined;
}

/** Returns UTC at an instant in epoch milliseconds, `YYYY-MM-DDTHH:mm`; that of 1970 if the instant is out of range. */
export function utcTime(at: number): string {
  const text = Math.abs(at) <= latestMoment ? new Date(at).toISOString() : '';
  return text.length === ISO_LENGTH ? text.slice(0, 16) : '1970-01-01T00:00';
}

/** The last instant of a four-digit year. */
const latestMoment = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
const ISO_LENGTH = '1970-01-01T00:00:00.000Z'.length;

/** Returns the day of a date or date-time, counted from 1970-01-01; undefined for other values and invalid dates. */
export function dayNumber(value: unknown): number | undefined {
  const [, year, month, day] = (typeof value === 'string' ? DATE.exec(value) : null) ?? [];
  if (year === undefined || month === undefined || day === undefined) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day)
    ? Math.floor(date.getTime() / DAY_MS)
    : undefined;
}

/** Returns the date of a day number as `YYYY-MM-DD`; undefined outside the years 0 to 9999. */
export function dateOf(day: number): string | undefined {
  const date = new Date(day * DAY_MS);
  const year = date.getUTCFullYear();
  return year >= 0 && year <= 9999 ? date.toISOString().slice(0, 10) : undefined;
}

/** Returns the weekday of a day number, in lower case. */
export function weekdayOf(day: number): string {
  // 1970-01-01 was a Thursday.
  return weekdays[(((day + 3) % 7) + 7) % 7] ?? '';
}

export const weekdays: readonly string[] = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
];

const DAY_MS = 86_400_000;
const DATE = /^(\d{4})-(\d\d)-(\d\d)(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)?)?$/;

/** Checks whether a time has an offset. Without one it is a local time in the reader's zone. */
export function hasOffset(time: string): boolean {
  return /(?:Z|[+-]\d\d:\d\d)$/.test(time);
}
