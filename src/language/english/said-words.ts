import type { Grounding, Said } from '../../model/ports/reader.ts';

export type { Grounding, Said };

/** The texts to look into: the last turn, the last two together, then all of them. */
export function textsOf(turns: readonly string[]): readonly string[] {
  const last = turns.at(-1) ?? '';
  if (turns.length < 2) return [last];
  const two = turns.slice(-2);
  return [...new Set([last, two.join(' '), two.join(', '), ...turns.toReversed().slice(1), turns.join(' ')])];
}

/** Without case, accents and signs. */
export function normal(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\d]+/gu, ' ')
    .trim();
}
