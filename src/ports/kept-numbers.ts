/**
 * The first number of a JSON text that would become another one when it is parsed: a whole one with more digits than a number
 * of JavaScript holds, or one too large for any; null where all are kept.
 */
export function unkeptNumber(json: string): string | null {
  let isText = false;
  // One token for a whole text would take more stack than there is, where the text is long.
  for (const [token] of json.matchAll(/\\.|"|-?\d[\d.eE+-]*/gs)) {
    if (token === '"') isText = !isText;
    else if (!isText && !isKept(token)) return token;
  }
  return null;
}

/** Whether a number is kept as it is written, to its last digit where it is whole. */
export function isKept(written: string): boolean {
  const number = Number(written);
  if (Math.abs(number) === Infinity) return false;
  return !/^[-+]?\d{16,}$/.test(written) || BigInt(number) === BigInt(written);
}

/** What is told of such a number. Its digits may be somebody's, and are not repeated. */
export const digitsLost = 'holds a number that would lose digits. Write it as a text, in quotes.';
