import type { Event } from '../events/event.ts';
import type { Hub } from './hub.ts';
import type { Reader } from './reader.ts';

/** What a run is attached to: a terminal, a room, a socket, a test. No document names one. */
export interface Channel {
  readonly name: string;
  /** Before the run begins; channels start in the order in which they were attached. `run` is what it is attached to. */
  onStart?(run: ChannelRun): Promise<void>;
  /** After the run has ended; in the reverse order. */
  onComplete?(): Promise<void>;
  onEvent?(event: Event): void;
  /**
   * Asks a person and gives what they said, in their own words. Choices may be shown; `signal` takes the question back;
   * `reader` reads words in the language of the run.
   */
  ask?(question: string, choices: readonly string[], signal: AbortSignal, reader: Reader): Promise<string | Answer>;
  /** Takes what the agent of a conversation says, piece by piece as it is spoken: a piece counts as heard once this resolves. */
  onSpeech?(piece: string): Promise<void>;
  /** What the agent was saying is complete, or was cut off here. */
  onSpeechEnd?(): void;
}

/** Asks a person as a run's tasks do, which leave it to the channel how the answer is read. */
export type AskPerson = (question: string, choices: readonly string[], signal: AbortSignal) => Promise<string | Answer>;

/** What a person said who was asked. */
export interface Answer {
  /** In their own words. */
  readonly content: string;
  /** Which of the choices is meant, where the channel can tell. */
  readonly choice?: string;
}

/** A run as its channels reach it. */
export interface ChannelRun extends Pick<Hub, 'subscribe'> {
  readonly sessionId: string;
  readonly kind: 'tasks' | 'conversation';
  /**
   * Says something: to a conversation as the caller's next turn, which resolves once it is answered, to a task flow for
   * the run of an agent that began last. The same `eventId` is taken once; `over` where nobody listens, or not any more.
   */
  send(text: string, options?: { readonly eventId?: string }): Promise<'taken' | 'duplicate' | 'over'>;
  /** Resolves when nobody speaks and the conversation waits for the caller; at once where there is none. */
  idle(): Promise<void>;
  /** Says something to one run of an agent, which the event `agent:start` names. */
  sendToRun(runId: string, message: string): SendOutcome;
  /** Says something to the latest run of a node's agent that has not ended. */
  sendTo(nodeId: string, message: string): SendOutcome;
  /** Lets one run of an agent end once it has answered. */
  closeRun(runId: string): SendOutcome;
  /**
   * Ends the run: what runs is aborted, but for writes, which are waited for. A run that a store keeps then stands still until
   * it is run again; with `handOver` a clerk goes on with it, as after a crash. Throws `input-invalid` for other options.
   */
  abort(how?: { readonly handOver?: boolean }): void;
}

/** Whether a message has reached a run of an agent; `run-over` where there is none, or not any more. */
export type SendOutcome =
  | { readonly ok: true; readonly runId: string }
  | { readonly ok: false; readonly code: 'run-over'; readonly message: string };
