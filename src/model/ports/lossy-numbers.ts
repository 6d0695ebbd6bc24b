/**
 * Returns the first number in a JSON text that parsing would change: an integer with too many digits, or a number too
 * large for JavaScript. Returns null if parsing preserves all numbers.
 */
export function lossyNumber(json: string): string | null {
  let isText = false;
  // The pattern does not match a whole string as one token: a long one would overflow the stack.
  for (const [token] of json.matchAll(/\\.|"|-?\d[\d.eE+-]*/gs)) {
    if (token === '"') isText = !isText;
    else if (!isText && !isLossless(token)) return token;
  }
  return null;
}

/** Checks whether parsing preserves a number. For an integer, every digit counts. */
export function isLossless(written: string): boolean {
  const number = Number(written);
  if (Math.abs(number) === Infinity) return false;
  return !/^[-+]?\d{16,}$/.test(written) || BigInt(number) === BigInt(written);
}

/** Message for such a number. The digits may be personal data and are not repeated. */
export const digitsLost = 'holds a number that would lose digits. Write it as a text, in quotes.';
