import type { Utterance } from '../../model/dialogue.ts';
import type { EntryCorrelation } from '../../model/inbox.ts';

/** The turn in progress: the keys of its effects, its limits, and the words that began it. */
export interface SessionTurn {
  /** Distinguishes the session from deleted ones with the same id; 0 if there can be none. Part of each effect's key. */
  readonly incarnation: number;
  /** Inbound signals so far. With `ordinal` it forms the next effect's key. */
  readonly number: number;
  readonly ordinal: number;
  /** Moves and generated replies in this turn, both limited. */
  readonly transitions: number;
  readonly replies: number;
  /** Consecutive failed replies. */
  readonly failures: number;
  readonly lastFlowEventId: string | null;
  /** Context of the last turn besides the session; null for the caller's own turns. */
  readonly correlation: EntryCorrelation | null;
  /** The caller's words of this turn until they are answered; null if there are none. */
  readonly words: HeardWords | null;
  /**
   * The slot or function that the caller's last words answered by a plain yes or no; null if the model should answer
   * them.
   */
  readonly answered: string | null;
}

/** The caller's words, with the question they answer and their reading. */
export interface HeardWords {
  /** The slot whose question was open. */
  readonly asked: string | null;
  /** The words have content that no model has read: the next node reads them. */
  readonly isUnheard: boolean;
  /** The words end a pause that the caller asked for: words without an answer do not count as an attempt. */
  readonly endsPatience?: boolean;
  /** Null once a slot has taken the value, and in logs without a reading. */
  readonly utterance: Utterance | null;
}

/** The turn before the first signal. */
export const noTurn: SessionTurn = {
  incarnation: 0,
  number: 0,
  ordinal: 0,
  transitions: 0,
  replies: 0,
  failures: 0,
  lastFlowEventId: null,
  correlation: null,
  words: null,
  answered: null,
};
