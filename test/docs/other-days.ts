/** A moment at which dialogues of the documents are played, and the time zone of the machine. */
export interface OtherDay {
  readonly name: string;
  readonly now: number;
  readonly zone: string;
}

/** The Saturday on which the dialogues of the pages take place. */
export const shownDay: OtherDay = { name: 'the day of the pages', now: Date.UTC(2026, 10, 21, 12), zone: 'UTC' };

/** Each weekday, the ends of months and years, 29 February, and the hours around clock changes. */
export const otherDays: readonly OtherDay[] = [
  { name: 'a Monday that ends a month', now: Date.UTC(2026, 10, 30, 12), zone: 'UTC' },
  { name: 'Tuesday, 29 February', now: Date.UTC(2028, 1, 29, 12), zone: 'UTC' },
  { name: 'a Wednesday that ends a month', now: Date.UTC(2027, 2, 31, 12), zone: 'UTC' },
  { name: 'a Thursday that ends a year', now: Date.UTC(2026, 11, 31, 12), zone: 'UTC' },
  { name: 'the last minute of a Friday and of a month', now: Date.UTC(2027, 3, 30, 23, 59), zone: 'UTC' },
  { name: 'the Saturday before the clock goes forward', now: Date.UTC(2027, 2, 14, 4, 30), zone: 'America/New_York' },
  { name: 'a Sunday in the hour that the clock repeats', now: Date.UTC(2027, 9, 31, 0, 30), zone: 'Europe/Paris' },
  { name: 'a Sunday a minute before the clock goes forward', now: Date.UTC(2027, 2, 28, 0, 59), zone: 'Europe/Paris' },
  { name: 'the Monday before 29 February', now: Date.UTC(2028, 1, 28, 12), zone: 'UTC' },
];

/** Runs a function on another day. Dates that are created with explicit arguments stay as they are. */
export async function onDay<Result>({ now, zone }: OtherDay, run: () => Promise<Result>): Promise<Result> {
  const { now: realNow } = Date;
  const realZone = process.env['TZ'];
  const offset = now - realNow();
  Date.now = () => realNow() + offset;
  process.env['TZ'] = zone;
  try {
    return await run();
  } finally {
    Date.now = realNow;
    if (realZone === undefined) delete process.env['TZ'];
    else process.env['TZ'] = realZone;
  }
}

/** Replaces each date in a dialogue by its weekday and its distance in weeks, so that dialogues of different days can be compared. */
export function withoutDates(text: string, { now, zone }: OtherDay): string {
  return text.replaceAll(written, (date, weekday: string, first: string, second: string) => {
    const [day, month] = /^\d/.test(first) ? [first, second.replace(/^de /, '')] : [second, first];
    const found = nextDays(now, zone).find(
      (one) => one.day === Number(day) && (one.english === month || one.spanish === month),
    );
    if (found === undefined) return `${date} (not within two weeks)`;
    const isRight = [found.weekday, found.spanishWeekday].includes(weekday);
    return isRight
      ? `${weekday} of the ${found.away <= 7 ? 'next seven days' : 'week after'}`
      : `${date} (wrong weekday)`;
  });
}

export function namesDate(text: string): boolean {
  return text.match(written) !== null;
}

/** "Friday, November 27" and "viernes, 27 de noviembre". */
const written = /\b(\p{L}+), (\p{Lu}\p{L}+|\d{1,2}) (\d{1,2}\b|de \p{L}+)/gu;

function nextDays(now: number, zone: string) {
  const form = (language: string, options: Intl.DateTimeFormatOptions, at: number): string =>
    new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' }).format(at);
  const [year = 0, month = 0, today = 0] = new Intl.DateTimeFormat('en-CA', { timeZone: zone })
    .format(now)
    .split('-')
    .map(Number);
  return Array.from({ length: 15 }, (_, away) => {
    const at = Date.UTC(year, month - 1, today + away);
    return {
      away,
      day: new Date(at).getUTCDate(),
      ...{ english: form('en', { month: 'long' }, at), spanish: form('es', { month: 'long' }, at) },
      ...{ weekday: form('en', { weekday: 'long' }, at), spanishWeekday: form('es', { weekday: 'long' }, at) },
    };
  });
}
