import type { Event } from '../events/event.ts';
import type { Hub } from './hub.ts';
import type { Reader } from './reader.ts';
import type { Clock } from './time.ts';

/** An endpoint that a run is attached to: a terminal, a room, a socket, a test. Documents do not refer to channels. */
export interface Channel {
  readonly name: string;
  /** Called before the run begins. Channels start in the order in which they were attached. */
  onStart?(run: ChannelRun): Promise<void>;
  /** Called after the run has ended, in the reverse order. */
  onComplete?(): Promise<void>;
  onEvent?(event: Event): void;
  /**
   * Asks a person and returns the answer in that person's words. The channel may show `choices`. `signal` withdraws the
   * question. `reader` reads words in the language of the run. With `takesText`, other words than `choices` are an answer too.
   */
  ask?(
    question: string,
    choices: readonly string[],
    signal: AbortSignal,
    reader: Reader,
    takesText?: boolean,
  ): Promise<string | Answer>;
  /** Receives the agent's speech piece by piece. A piece counts as heard when the promise resolves. */
  onSpeech?(piece: string): Promise<void>;
  /** Called when the agent has finished speaking or was interrupted. */
  onSpeechEnd?(): void;
}

/** Asks a person on behalf of a task. The channel decides how to read the answer. */
export type AskPerson = (
  question: string,
  choices: readonly string[],
  signal: AbortSignal,
  takesText?: boolean,
) => Promise<string | Answer>;

/** A person's answer to a question. */
export interface Answer {
  /** The answer in the person's words. */
  readonly content: string;
  /** The choice that the answer means, if the channel knows it. */
  readonly choice?: string;
}

/** The part of a run that its channels can use. */
export interface ChannelRun extends Pick<Hub, 'subscribe'> {
  readonly sessionId: string;
  /** The clock of the run. */
  readonly clock: Clock;
  readonly kind: 'tasks' | 'conversation';
  /**
   * Sends a text. A conversation takes it as the caller's next turn and resolves once that is answered; a task flow
   * gives it to the agent run that began last. Repeated `eventId`s return `duplicate`. Returns `over` if no
   * conversation or agent run is left to take the text.
   */
  send(text: string, options?: { readonly eventId?: string }): Promise<'taken' | 'duplicate' | 'over'>;
  /**
   * Resolves when the agent is silent and the conversation waits for the caller. Resolves at once if there is no
   * conversation.
   */
  idle(): Promise<void>;
  /** Sends a message to one agent run. The event `agent:start` names the run. */
  sendToRun(runId: string, message: string): SendOutcome;
  /** Sends a message to the latest agent run of a node that has not ended. */
  sendTo(nodeId: string, message: string): SendOutcome;
  /** Ends an agent run after its next answer. */
  closeRun(runId: string): SendOutcome;
  /**
   * Ends the run. Aborts running work, except writes, which it waits for. A run in a durable store then stops until it
   * is run again; with `handOver`, a clerk continues it as after a crash. Throws `input-invalid` for other options.
   */
  abort(how?: { readonly handOver?: boolean }): void;
}

/** Whether a message reached an agent run; `run-over` if the run has ended or never existed. */
export type SendOutcome =
  | { readonly ok: true; readonly runId: string }
  | { readonly ok: false; readonly code: 'run-over'; readonly message: string };
