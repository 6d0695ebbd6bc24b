/** A day of the calendar; nothing here knows of time zones. */
export interface CivilDate {
  year: number;
  month: number;
  day: number;
}

const DAY_MS = 86_400_000;

/** Days since 1970-01-01. */
export function dayNumber({ year, month, day }: CivilDate): number {
  return Math.round(Date.UTC(year, month - 1, day) / DAY_MS);
}

/** The day that lies this many days after 1970-01-01. */
export function dateOfDay(number: number): CivilDate {
  const date = new Date(number * DAY_MS);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

/** 1 for Monday to 7 for Sunday. */
export function weekdayOf(number: number): number {
  return ((((number + 3) % 7) + 7) % 7) + 1;
}

/** How many days a month has. */
export function daysInMonth(year: number, month: number): number {
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
}

/** The day as YYYY-MM-DD. */
export function toIsoDate({ year, month, day }: CivilDate): string {
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}

/** The day and the minute of the day of a civil time YYYY-MM-DDTHH:mm; undefined for anything else. */
export function parseCivilTime(text: string): { day: number; minute: number } | undefined {
  const match = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d))?/.exec(text);
  if (match === null) return undefined;
  const [year, month, day, hour, minute] = match.slice(1).map((part: string | undefined) => Number(part ?? 0));
  if (year === undefined || month === undefined || day === undefined) return undefined;
  if (day < 1 || day > daysInMonth(year, month)) return undefined;
  return { day: dayNumber({ year, month, day }), minute: (hour ?? 0) * 60 + (minute ?? 0) };
}
