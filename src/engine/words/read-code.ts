import type { GraphSlot } from '../../flow/graph/graph.ts';

/** The part of a text that is a slot's value, with its offsets. */
export interface SaidCode {
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

/** A spoken code has at most this many words. */
const mostWords = 12;

/**
 * Returns the part of a text that matches a slot's pattern: as written, without spaces
 * ("AB 12 34"), or in capitals. Undefined without a pattern, a match, or a unique match.
 */
export function codeIn({ pattern }: GraphSlot, text: string): SaidCode | undefined {
  if (pattern?.ok !== true) return undefined;
  const words = [...text.matchAll(/[\p{L}\p{N}](?:[^\s]*[\p{L}\p{N}])?/gu)].slice(0, mostWords);
  const found: SaidCode[] = [];
  for (let from = 0; from < words.length; from += 1)
    for (let to = words.length; to > from; to -= 1) {
      const start = words[from]?.index ?? 0;
      const last = words[to - 1];
      const end = (last?.index ?? 0) + (last?.[0].length ?? 0);
      const value = formsOf(text.slice(start, end)).find((form) => pattern.test(form));
      // A part of a match is not another value.
      if (value !== undefined && !found.some((one) => one.start <= start && end <= one.end))
        found.push({ value, start, end });
    }
  return found.length === 1 ? found[0] : undefined;
}

function formsOf(said: string): readonly string[] {
  const joined = said.replaceAll(/[\s-]+/g, '');
  return [...new Set([said, joined, said.toUpperCase(), joined.toUpperCase()])];
}
