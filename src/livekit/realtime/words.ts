import type { Clock } from '../../ports/time.ts';
import { timeLimit } from '../../turn/engine/time-limit.ts';

/** The words of the caller, as a realtime model or a recogniser beside it tells them: often later than it answers. */
export interface CallerWords {
  /** Takes words that were understood for good; without an id where it is unknown which utterance they are of. */
  tell(itemId: string | undefined, text: string): void;
  has(itemId: string): boolean;
  /** The words of one turn, waited for as long as that may take; empty where none come. */
  of(itemId: string, withinMs: number): Promise<string>;
  /** The caller begins to speak: what was understood before is no part of it. */
  begin(): void;
}

export function createCallerWords(clock: Clock): CallerWords {
  const known = new Map<string, string>();
  /** Understood, and not asked for under the id they came with. */
  let loose: string | null = null;
  let hear: ((text: string) => void) | null = null;
  return {
    tell(itemId, text) {
      if (itemId !== undefined) known.set(itemId, text);
      if (hear !== null) hear(text);
      else loose = text;
    },
    has: (itemId) => known.has(itemId),
    async of(itemId, withinMs) {
      const text = known.get(itemId) ?? loose;
      loose = null;
      if (text !== null) return text;
      const words = new Promise<string>((resolve) => (hear = resolve));
      const heard = await timeLimit(words, clock, withinMs);
      hear = null;
      return heard === 'late' ? '' : heard;
    },
    begin: () => void (loose = null),
  };
}
