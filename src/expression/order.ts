import { compareDecimals } from './decimal.ts';
import { afterDigits, toNumber } from './numeral.ts';

/**
 * Below, at or above zero as `left` is less than, equal to or greater than `right`; NaN where they have no order. Numbers and numeric
 * text compare as numbers; dates, times and date-times compare as such, if both are written alike and in the same time zone.
 */
export function compareOrder(left: unknown, right: unknown): number {
  if (toNumber(left) !== undefined && toNumber(right) !== undefined) return compareDecimals(left, right);
  if (typeof left !== 'string' || typeof right !== 'string') return Number.NaN;
  const form = momentForm(left);
  return form !== undefined && form === momentForm(right) ? compare(left, right) : Number.NaN;
}

/** A date, a time or both, with one digit for all that are behind the point. */
const MOMENT = /^(?:\d{4}-\d\d-\d\d|(?:\d{4}-\d\d-\d\dT)?\d\d:\d\d(?::\d\d(?:\.\d)?)?)(Z|[+-]\d\d:\d\d)?$/;

function compare<T extends number | string>(a: T, b: T): number {
  return Number(a > b) - Number(a < b);
}

/** How a date or time is written: its digits as zeros, how many there are behind the point, and its time zone. */
function momentForm(text: string): string | undefined {
  const point = text.indexOf('.') + 1;
  const end = point === 0 ? 0 : afterDigits(text, point);
  const short = end > point ? `${text.slice(0, point)}0${text.slice(end)}` : text;
  const match = MOMENT.exec(short);
  if (match === null) return undefined;
  const zone = match[1] ?? '';
  return `${short.slice(0, short.length - zone.length).replaceAll(/\d/g, '0')} ${end - point} ${zone}`;
}
