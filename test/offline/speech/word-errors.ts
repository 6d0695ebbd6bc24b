import { digitsOf } from '../../../src/language/english/numbers/spoken-numbers.ts';

/** Normalizes words to lower case and numbers to single digits, so that only misheard words count as different. */
export function normaliseSpoken(text: string): string[] {
  return digitsOf(text.toLowerCase().replaceAll(/(?<=\p{Letter})-(?=\p{Letter})/gu, ''))
    .replaceAll(/(\d+)(?:st|nd|rd|th)\b/g, '$1')
    .replaceAll(/\d/g, ' $& ')
    .replaceAll(/\b([ap])[. ]+m\b/g, '$1m')
    .replaceAll("'", '')
    .split(/[^\p{Letter}\p{Number}]+/u)
    .filter(Boolean);
}

/** Counts the words that must be changed, added or left out (Levenshtein). */
export function wordErrors(said: readonly string[], heard: readonly string[]): number {
  let row = heard.map((_, at) => at + 1);
  for (const [at, word] of said.entries()) {
    let [corner, left] = [at, at + 1];
    row = row.map((above, to) => {
      const cost = Math.min(above + 1, left + 1, corner + (word === heard[to] ? 0 : 1));
      [corner, left] = [above, cost];
      return cost;
    });
  }
  return row.at(-1) ?? said.length;
}
