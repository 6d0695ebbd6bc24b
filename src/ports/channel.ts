import type { Event } from '../events/event.ts';

/** What a run of tasks is attached to: a terminal, a room, a socket, a test. No document names one. */
export interface Channel {
  readonly name: string;
  /** Before the run begins; channels start in the order in which they were attached. */
  onStart?(): Promise<void>;
  /** After the run has ended; in the reverse order. */
  onComplete?(): Promise<void>;
  onEvent?(event: Event): void;
  /** Asks a person and gives what they said, in their own words. Choices may be shown; `signal` takes the question back. */
  ask?(question: string, choices: readonly string[], signal: AbortSignal): Promise<string>;
}
