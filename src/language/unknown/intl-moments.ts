/** Days, times and numbers in the form that Intl gives them in a language, and the reverse. */
export interface IntlMoments {
  day(day: string, form: DayForm): string;
  time(time: string): string;
  readonly decimalMark: string;
  number(value: number): string;
  /** Reads a day in one of the forms. Without a year it is the next such day. */
  readDay(text: string, today: string): string | null;
  readTime(text: string): string | null;
  readNumber(text: string): number | null;
}

export type DayForm = 'plain' | 'coming' | 'far';

const DAY_FORMS: Readonly<Record<DayForm, Intl.DateTimeFormatOptions>> = {
  plain: { year: 'numeric', month: 'long', day: 'numeric' },
  coming: { weekday: 'long', month: 'long', day: 'numeric' },
  far: { weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' },
};
const DAY_MS = 86_400_000;

export function intlMoments(language: string): IntlMoments {
  const locale = new Intl.Locale(language, { calendar: 'gregory', numberingSystem: 'latn' });
  const formatOf = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
    new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
  const days = new Map(Object.entries(DAY_FORMS).map(([form, options]) => [form, formatOf(options)] as const));
  const times = formatOf({ hour: 'numeric', minute: '2-digit' });
  const numbers = new Intl.NumberFormat(locale, { useGrouping: false, maximumFractionDigits: 10 });
  const decimalMark = numbers.formatToParts(1.5).find(({ type }) => type === 'decimal')?.value ?? '.';
  const written = (format: Intl.DateTimeFormat, at: number): string => plain(format.format(at));
  return {
    decimalMark,
    day(day, form) {
      const at = Date.parse(`${day}T00:00:00Z`);
      const format = days.get(form);
      return Number.isNaN(at) || format === undefined ? day : written(format, at);
    },
    time(time) {
      const at = Date.parse(`1970-01-01T${time}:00Z`);
      return Number.isNaN(at) ? time : written(times, at);
    },
    number: (value) => plain(numbers.format(value)),
    readDay(text, today) {
      const said = plain(text);
      const start = Date.parse(`${today}T00:00:00Z`);
      const years = (said.match(/\d{4}/g) ?? []).map(Number);
      for (const [form, format] of days) {
        // The form without a year is used for days within a year.
        const from = form === 'coming' ? start : Date.UTC(years[0] ?? Number.NaN, 0, 1);
        for (let at = from; at < from + 366 * DAY_MS; at += DAY_MS)
          if (written(format, at) === said) return new Date(at).toISOString().slice(0, 10);
      }
      return null;
    },
    readTime(text) {
      const said = plain(text);
      for (let minute = 0; minute < 1440; minute += 1)
        if (written(times, minute * 60_000) === said) return new Date(minute * 60_000).toISOString().slice(11, 16);
      return null;
    },
    readNumber(text) {
      const said = plain(text).replace(decimalMark, '.');
      return /^-?\d{1,15}(?:\.\d{1,10})?$/.test(said) ? Number(said) : null;
    },
  };
}

/** Removes characters that confuse a voice, such as thin spaces and direction marks. */
function plain(text: string): string {
  return text
    .replaceAll(/[\u00A0\u202F]/g, ' ')
    .replaceAll(/[\u200E\u200F\u061C]/g, '')
    .replaceAll('\u2212', '-')
    .trim();
}
