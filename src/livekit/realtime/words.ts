import type { Clock } from '../../ports/time.ts';
import { timeLimit } from '../../turn/engine/time-limit.ts';

/** A turn that asks for its words. */
export interface WordsWish {
  readonly id: string;
  /** Whether the id is that of an item of the model, so that its words come with it; those of any item are taken else. */
  readonly isItem: boolean;
  readonly withinMs: number;
}

/** The words of the caller, as a realtime model or a recogniser beside it tells them: often later than it answers. */
export interface CallerWords {
  /** Takes words that were understood for good; without an id where it is unknown which utterance they are of. */
  tell(itemId: string | undefined, text: string): void;
  has(itemId: string): boolean;
  /** Whether a turn has the words of this item. */
  isSpent(itemId: string): boolean;
  /**
   * The words of one turn, waited for as long as that may take; empty where none come. Null where they are not this
   * turn's: a newer one waits for them, or an earlier one has those of the same utterance.
   */
  of(wish: WordsWish): Promise<string | null>;
  /** The caller begins to speak: what was understood before is no part of it. */
  begin(): void;
}

export function createCallerWords(clock: Clock): CallerWords {
  const known = new Map<string, string>();
  const spent = new Set<string>();
  /** Understood, and taken by no turn. */
  let loose: readonly { readonly itemId: string | undefined; readonly text: string }[] = [];
  let waiting: {
    readonly wish: WordsWish;
    readonly utterance: number;
    readonly hear: (text: string | null) => void;
  } | null = null;
  let utterance = 0;
  /** The last utterance whose words a turn has that was noticed before it. */
  let takenIn: number | null = null;

  const takeLoose = (): string => {
    for (const { itemId } of loose) if (itemId !== undefined) spent.add(itemId);
    const text = loose.map((piece) => piece.text).join(' ');
    loose = [];
    return text.trim();
  };
  return {
    tell(itemId, text) {
      if (itemId !== undefined) known.set(itemId, text);
      loose = [...loose, { itemId, text }];
      if (waiting === null) return;
      const { wish, hear } = waiting;
      // Words of what was said before it stay loose until its own have come.
      if (wish.isItem && itemId !== undefined && itemId !== wish.id) return;
      if (waiting.utterance !== utterance && itemId !== wish.id) takenIn = utterance;
      waiting = null;
      hear(takeLoose());
    },
    has: (itemId) => known.has(itemId),
    isSpent: (itemId) => spent.has(itemId),
    async of(wish) {
      waiting?.hear(null);
      waiting = null;
      if (spent.has(wish.id)) return null;
      const own = known.get(wish.id);
      if (loose.length > 0 && (own !== undefined || !wish.isItem)) return takeLoose();
      if (own !== undefined) {
        spent.add(wish.id);
        return own;
      }
      const during = utterance;
      const words = new Promise<string | null>((hear) => (waiting = { wish, utterance: during, hear }));
      const mine = waiting;
      const heard = await timeLimit(words, clock, wish.withinMs);
      if (waiting === mine) waiting = null;
      if (heard !== 'late') return heard;
      if (loose.length > 0) return takeLoose();
      return takenIn === during ? null : '';
    },
    begin() {
      utterance += 1;
      loose = [];
    },
  };
}
