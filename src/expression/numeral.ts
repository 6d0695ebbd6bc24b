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

/** Where the digits end that begin at a place. */
export function afterDigits(text: string, from: number): number {
  let at = from;
  for (let code = text.charCodeAt(at); code >= 48 && code <= 57; code = text.charCodeAt(at)) at += 1;
  return at;
}
