/** All that is special about a context strategy: nothing else asks for its name. */
export interface ContextStrategy {
  /** What it does, as the reference says it behind the strategy's name. */
  readonly description: string;
  /**
   * How many of the oldest items of the conversation are hidden once the node is entered, of the number `said` before it;
   * null where nothing is ever hidden. Words of the caller that nobody has answered yet are not among them.
   */
  readonly hides: ((said: number) => number) | null;
  /** Whether a summary, which the model is asked for, stands for what is hidden. */
  readonly isSummarised: boolean;
}
