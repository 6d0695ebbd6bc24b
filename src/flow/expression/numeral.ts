/** Returns the number that a value is or spells; undefined if it is neither. */
export function toNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isNaN(value) ? undefined : value;
  return typeof value === 'string' && isNumeral(value) ? Number(value) : undefined;
}

/**
 * Checks whether a text is a decimal number. Hand-written, because a repeating regular expression can exhaust V8's
 * stack on megabytes.
 */
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

/** Returns the end of the digits that begin at a position. */
export function afterDigits(text: string, from: number): number {
  let at = from;
  for (let code = text.charCodeAt(at); code >= 48 && code <= 57; code = text.charCodeAt(at)) at += 1;
  return at;
}
