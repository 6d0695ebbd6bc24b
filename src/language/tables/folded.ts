/** Text as tables hold it: in lower case, with straight apostrophes and without hyphens, accents off unless the language needs them. */
export type Fold = (text: string) => string;

/** For languages in which people, and recognisers, leave accents out. */
export function withoutAccents(text: string): string {
  return plain(text)
    .normalize('NFD')
    .replaceAll(/\p{M}+/gu, '');
}

/** For German, where a mark over a letter makes another word: only the sharp s is written out. */
export function withUmlauts(text: string): string {
  return plain(text).normalize('NFC').replaceAll('ß', 'ss');
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[’‘]/g, "'")
    .replaceAll(/[\u00A0\u202F\s]+/g, ' ');
}

/** The words, numerals and question marks of a folded text; what an apostrophe or a hyphen joins are several. */
export function piecesOf(folded: string): readonly string[] {
  return folded.match(/[\p{L}\p{M}]+|\d+|[?？]/gu) ?? [];
}

/** Phrases to look up by their first word, the longest of each first. */
export type Phrases = ReadonlyMap<string, readonly (readonly string[])[]>;

/** Builds a table out of phrases that commas separate. */
export function phrasesOf(fold: Fold, list: string): Phrases {
  const table = new Map<string, (readonly string[])[]>();
  for (const phrase of list.split(',')) {
    const pieces = piecesOf(fold(phrase));
    const first = pieces[0];
    if (first !== undefined) table.set(first, [...(table.get(first) ?? []), pieces]);
  }
  for (const phrases of table.values()) phrases.sort((one, other) => other.length - one.length);
  return table;
}

/** How many pieces the longest phrase has that stands at a place; 0 for none. */
export function lengthAt(pieces: readonly string[], at: number, table: Phrases): number {
  const phrases = table.get(pieces[at] ?? '') ?? [];
  return phrases.find((phrase) => phrase.every((piece, offset) => pieces[at + offset] === piece))?.length ?? 0;
}

/** Words, separated by white space. */
export function wordsIn(fold: Fold, list: string): ReadonlySet<string> {
  return new Set(piecesOf(fold(list)));
}
