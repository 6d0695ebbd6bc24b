import { compareDecimals } from './decimal.ts';
import { afterDigits, toNumber } from './numeral.ts';

/**
 * Compares two values. Returns a negative, zero or positive number; NaN if they have no order. Numbers and numeric
 * texts compare as numbers. Dates, times and date-times compare only if both have the same form and time zone.
 */
export function compareOrder(left: unknown, right: unknown): number {
  if (toNumber(left) !== undefined && toNumber(right) !== undefined) return compareDecimals(left, right);
  if (typeof left !== 'string' || typeof right !== 'string') return Number.NaN;
  const form = momentForm(left);
  return form !== undefined && form === momentForm(right) ? compare(left, right) : Number.NaN;
}

/** A date, a time or both, with the fraction shortened to one digit. */
const MOMENT = /^(?:\d{4}-\d\d-\d\d|(?:\d{4}-\d\d-\d\dT)?\d\d:\d\d(?::\d\d(?:\.\d)?)?)(Z|[+-]\d\d:\d\d)?$/;

function compare<T extends number | string>(a: T, b: T): number {
  return Number(a > b) - Number(a < b);
}

/** Returns the form of a date or time: its digits as zeros, the length of its fraction, and its time zone. */
function momentForm(text: string): string | undefined {
  const point = text.indexOf('.') + 1;
  const end = point === 0 ? 0 : afterDigits(text, point);
  const short = end > point ? `${text.slice(0, point)}0${text.slice(end)}` : text;
  const match = MOMENT.exec(short);
  if (match === null) return undefined;
  const zone = match[1] ?? '';
  return `${short.slice(0, short.length - zone.length).replaceAll(/\d/g, '0')} ${end - point} ${zone}`;
}
