import type { Clock } from '../../model/ports/time.ts';
import { timeLimit } from '../../engine/time-limit.ts';

/** A turn that waits for its words. */
export interface WordsWish {
  readonly id: string;
  /** Whether the id is an item of the model, whose words come with it. Otherwise any words count. */
  readonly isItem: boolean;
  readonly withinMs: number;
}

/** The caller's words from a realtime model or a separate recogniser, often later than the answer. */
export interface CallerWords {
  /** Takes a final transcript; without an id if its utterance is unknown. */
  tell(itemId: string | undefined, text: string): void;
  has(itemId: string): boolean;
  /** Whether a turn has the words of this item. */
  isSpent(itemId: string): boolean;
  /**
   * Waits for the words of one turn; empty if none come in time. Null if the words are not this
   * turn's: a newer turn waits for them, or an earlier one has the words of the same utterance.
   */
  of(wish: WordsWish): Promise<string | null>;
  /** The caller begins to speak; earlier words are not part of it. */
  begin(): void;
}

export function createCallerWords(clock: Clock): CallerWords {
  const known = new Map<string, string>();
  const spent = new Set<string>();
  /** Final words that belong to no turn yet. */
  let loose: readonly { readonly itemId: string | undefined; readonly text: string }[] = [];
  let waiting: {
    readonly wish: WordsWish;
    readonly utterance: number;
    readonly hear: (text: string | null) => void;
  } | null = null;
  let utterance = 0;
  /** The last utterance whose words were given to a turn noticed before it. */
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
      // Words from before the turn stay unassigned until its own have come.
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
