import type { GraphSlot } from '../../graph/graph.ts';

/** The part of a text that is a value of a slot, between two offsets. */
export interface SaidCode {
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

/** More words than these are no code that somebody says. */
const mostWords = 12;

/**
 * The part of a text that has the form of a slot with a pattern: as it is written, without the spaces within it ("AB 12 34"),
 * or in capital letters. Undefined if the slot has no pattern, no part fits, or two different ones do.
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
      // A part of what fits is no other value.
      if (value !== undefined && !found.some((one) => one.start <= start && end <= one.end))
        found.push({ value, start, end });
    }
  return found.length === 1 ? found[0] : undefined;
}

function formsOf(said: string): readonly string[] {
  const joined = said.replaceAll(/[\s-]+/g, '');
  return [...new Set([said, joined, said.toUpperCase(), joined.toUpperCase()])];
}
