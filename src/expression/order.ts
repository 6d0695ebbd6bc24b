/**
 * Below, at or above zero as `left` is less than, equal to or greater than `right`; NaN where they have no order. Numbers and numeric
 * text compare as numbers; dates, times and date-times compare as such, if both are written alike and in the same time zone.
 */
export function compareOrder(left: unknown, right: unknown): number {
  const [a, b] = [toNumber(left), toNumber(right)];
  if (a !== undefined && b !== undefined) return compare(a, b);
  if (typeof left !== 'string' || typeof right !== 'string') return Number.NaN;
  const form = momentForm(left);
  return form !== undefined && form === momentForm(right) ? compare(left, right) : Number.NaN;
}

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
const MOMENT = /^(?:\d{4}-\d\d-\d\d|(?:\d{4}-\d\d-\d\dT)?\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:\d\d)?$/;

function compare<T extends number | string>(a: T, b: T): number {
  return Number(a > b) - Number(a < b);
}

/** The number that a value is or is written as; undefined where it is none. */
export function toNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isNaN(value) ? undefined : value;
  return typeof value === 'string' && NUMBER.test(value) ? Number(value) : undefined;
}

/** How a date or time is written: its digits as zeros, and its time zone. */
function momentForm(text: string): string | undefined {
  const match = MOMENT.exec(text);
  if (match === null) return undefined;
  const zone = match[1] ?? '';
  return text.slice(0, text.length - zone.length).replaceAll(/\d/g, '0') + zone;
}
