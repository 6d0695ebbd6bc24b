import type { Signal } from '../model/signals/signal.ts';

/** Questions that tasks ask the caller, as the flow sees them. */
export interface TaskQuestions {
  /** Whether a question waits for its answer. */
  isOpen(): boolean;
  /** Takes the line of the open question to say it; null if it was said or is being said. */
  takeLine(): { readonly key: string; readonly text: string } | null;
  /** Whether the caller's words answer the open question: true if the caller heard any of it. */
  isAnswered(): Promise<boolean>;
  /** Updates the questions after a signal was folded. */
  follow(signal: Signal): void;
  /** Withdraws the open question because its task has ended. */
  takeBack(): void;
  /** Returns whether an answer was taken since the last call. If so, the task continues. */
  wasAnswered(): boolean;
  /** Reports that work which had asked has ended, so that its reply is said even if no performance is running. */
  workIsOver(): void;
  /** Resolves when the work ends or a task asks. The code that awaits it says the question. */
  unlessAsked(work: Promise<unknown>): Promise<void>;
  /** Like `unlessAsked`, for code that leaves the question to others. */
  untilAsked(work: Promise<unknown>): Promise<void>;
}
