import type { Signal } from '../../events/signal.ts';

/** What tasks ask the caller of a conversation, as the flow sees it. */
export interface TaskQuestions {
  /** Whether a question is asked that was not answered yet. */
  isOpen(): boolean;
  /** Takes the line of the open question, to say it; null where it is being said, or was. */
  takeLine(): { readonly key: string; readonly text: string } | null;
  /** Whether the caller's words are for the open question: they are where anything of it was heard. */
  isAnswered(): Promise<boolean>;
  /** A signal was folded: the question is answered if the step has decided so. */
  follow(signal: Signal): void;
  /** Withdraws the open question, because the task that asked it has ended. */
  takeBack(): void;
  /** Whether an answer was taken since the last call of this: then the task that asked goes on. */
  wasAnswered(): boolean;
  /** Work is over that had asked, whether or not it was answered: what follows is said, where nobody is about to. */
  workIsOver(): void;
  /** Resolves when the work is over, or when a task asks: the caller of this then says the question. */
  unlessAsked(work: Promise<unknown>): Promise<void>;
  /** The same for whoever leaves it to another to say the question. */
  untilAsked(work: Promise<unknown>): Promise<void>;
}
