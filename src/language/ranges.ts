import type { RangeParts } from '../model/ports/reader.ts';

/**
 * The words of a range: what stands before its beginning, and between both ends. Regular expressions for lower case, the
 * longest alternative first. Without an opening the beginning is the first word.
 */
export type RangeWords = readonly (readonly [opening: string, joining: string])[];

/** Returns the ways to split a text into both ends of a range: "from Monday to Friday". */
export function rangesBy(words: RangeWords): (text: string) => readonly RangeParts[] {
  const patterns = words.map(([opening, joining]) => {
    const begins = opening === '' ? '' : `(?<!\\p{L})(?:${opening})(?!\\p{L})`;
    return {
      opening: new RegExp(begins, 'u'),
      joining: new RegExp(`(?<!\\p{L})(?:${joining})(?!\\p{L})`, 'gu'),
    };
  });
  return (text) => {
    const said = text.length > LONGEST ? '' : text.replaceAll(/[’‘]/g, "'");
    return patterns.flatMap(({ opening, joining }) => splits(said, opening, joining));
  };
}

const LONGEST = 200;

function splits(text: string, opening: RegExp, joining: RegExp): readonly RangeParts[] {
  const plain = text.toLowerCase();
  const begin = plain.length === text.length ? opening.exec(plain) : null;
  if (begin === null) return [];
  const at = begin.index + begin[0].length;
  return [...plain.slice(at).matchAll(joining)].flatMap(({ index, 0: joint }) => {
    const [from, to] = [text.slice(at, at + index), text.slice(at + index + joint.length)].map((part) => part.trim());
    return from === undefined || to === undefined || from === '' || to === ''
      ? []
      : [{ lead: text.slice(0, begin.index), from, to }];
  });
}
