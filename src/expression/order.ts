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

/** A date, a time or both, with one digit for all that are behind the point. */
const MOMENT = /^(?:\d{4}-\d\d-\d\d|(?:\d{4}-\d\d-\d\dT)?\d\d:\d\d(?::\d\d(?:\.\d)?)?)(Z|[+-]\d\d:\d\d)?$/;

function compare<T extends number | string>(a: T, b: T): number {
  return Number(a > b) - Number(a < b);
}

/** The number that a value is or is written as; undefined where it is none. */
export function toNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isNaN(value) ? undefined : value;
  return typeof value === 'string' && isNumeral(value) ? Number(value) : undefined;
}

/** Whether a text is a decimal number. Read by hand: V8 may run out of stack where an expression repeats itself for megabytes. */
function isNumeral(text: string): boolean {
  let at = afterSign(text, 0);
  const whole = afterDigits(text, at);
  let digits = whole - at;
  at = whole;
  if (text[at] === '.') {
    at = afterDigits(text, whole + 1);
    digits += at - whole - 1;
  }
  if (digits === 0) return false;
  if (text[at] === 'e' || text[at] === 'E') {
    const power = afterSign(text, at + 1);
    at = afterDigits(text, power);
    if (at === power) return false;
  }
  return at === text.length;
}

function afterSign(text: string, at: number): number {
  return text[at] === '+' || text[at] === '-' ? at + 1 : at;
}

function afterDigits(text: string, from: number): number {
  let at = from;
  for (let code = text.charCodeAt(at); code >= 48 && code <= 57; code = text.charCodeAt(at)) at += 1;
  return at;
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
