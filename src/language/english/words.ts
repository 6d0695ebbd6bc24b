/** One word, numeral or punctuation mark of a text, with its place there. */
export interface Word {
  /** In lower case with straight apostrophes. */
  text: string;
  start: number;
  end: number;
  /** Whether it stands right behind the word before it, as in "5pm" or "to-day". */
  glued: boolean;
  mark: boolean;
  /** Whether it begins with a capital letter. */
  capital: boolean;
}

const PIECES = /to-(?:day|morrow|night)(?!\p{L})|\p{L}[\p{L}\p{M}]*(?:['’]\p{L}+)*|\d+|\S/giu;
const FILLERS = wordSet('uh um uhm umm er erm hmm hm mm ah eh');

/** Cuts a text into words, numerals and marks; hesitations ("uh", "um") are left out. */
export function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  let previousEnd = -1;
  for (const match of text.matchAll(PIECES)) {
    const end = match.index + match[0].length;
    const spoken = match[0].toLowerCase().replaceAll('’', "'");
    if (!FILLERS.has(spoken)) {
      words.push({
        text: spoken.startsWith('to-') ? spoken.replace('-', '') : spoken,
        start: match.index,
        end,
        glued: previousEnd === match.index,
        mark: !/^[\p{L}\d]/u.test(spoken),
        capital: /^\p{Lu}/u.test(match[0]),
      });
    }
    previousEnd = end;
  }
  return words;
}

/** Whether a phrase, given as words, stands at this place. */
export function hasPhraseAt(words: readonly { text: string }[], at: number, phrase: readonly string[]): boolean {
  return phrase.every((word, offset) => words[at + offset]?.text === word);
}

export type PhraseTable = ReadonlyMap<string, readonly (readonly string[])[]>;

/** Phrases, separated by commas, to look up by their first word; the longest of each first. */
export function phraseTable(list: string): PhraseTable {
  const table = new Map<string, string[][]>();
  for (const phrase of list.split(',')) {
    const words = phrase.trim().split(/\s+/);
    const first = words[0] ?? '';
    table.set(first, [...(table.get(first) ?? []), words]);
  }
  for (const phrases of table.values()) phrases.sort((a, b) => b.length - a.length);
  return table;
}

/** Words, separated by white space, as a set. */
export function wordSet(list: string): ReadonlySet<string> {
  return new Set(list.trim().split(/\s+/));
}

/** The length in words of the longest phrase of the table that stands at this place, 0 for none. */
export function longestPhraseAt(words: readonly { text: string }[], at: number, table: PhraseTable): number {
  const phrase = table.get(words[at]?.text ?? '')?.find((candidate) => hasPhraseAt(words, at, candidate));
  return phrase?.length ?? 0;
}
