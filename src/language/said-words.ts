import type { ReadOptions } from './reading.ts';

/**
 * How sure it is that a caller said a value: `said`; `near` it, so that it takes somebody to understand it that way;
 * `unsaid`.
 */
export type Grounding = 'said' | 'near' | 'unsaid';

/** What a caller said, and what the value is of. */
export interface Said {
  /** The caller's turns in their order, the last of them last. */
  readonly turns: readonly string[];
  /** The last turn answers the question for this very value. */
  readonly asked: boolean;
  /** What its author says of the value: its name, question and description. */
  readonly about: string;
  readonly options: ReadOptions;
}

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
