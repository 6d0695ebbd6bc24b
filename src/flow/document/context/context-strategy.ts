/** The behaviour of a context strategy. No other code checks its name. */
export interface ContextStrategy {
  /** The description in the reference. */
  readonly description: string;
  /**
   * Returns how many of the oldest items are hidden on entry, of the number `said` before it; null if none is ever hidden.
   * Unanswered words of the caller are never hidden.
   */
  readonly hides: ((said: number) => number) | null;
  /** Whether a summary by the model replaces the hidden items. */
  readonly isSummarised: boolean;
}
