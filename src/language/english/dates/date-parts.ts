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

/** What decides between readings of the same words. */
export interface DateOptions {
  monthFirst: boolean;
  asked: boolean;
  /** Whether a correction stands right before. */
  corrects: boolean;
}

/** What the tokens up to `next` say. */
export interface DatePiece {
  parts: DateParts;
  next: number;
}

/** The earlier date as a correction leaves it: "March third" and then "the fourth, 1984" are the fourth of March 1984. */
export function correctedDate(earlier: DateParts, later: DateParts): DateParts {
  const names = (parts: DateParts): boolean =>
    parts.weekday !== undefined ||
    parts.offset !== undefined ||
    parts.week !== undefined ||
    parts.monthOffset !== undefined;
  if (names(later) || (names(earlier) && later.month !== undefined)) return later;
  const { weekday, which, offset, week, add, ...calendar } = earlier;
  const kept = later.day === undefined && later.month === undefined ? earlier : calendar;
  const { year, shortYear, ...withoutYear } = kept;
  return later.year === undefined && later.shortYear === undefined
    ? { ...kept, ...later }
    : { ...withoutYear, ...later };
}
