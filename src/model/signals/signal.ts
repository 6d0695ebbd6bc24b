import type { EffectKey } from '../effect.ts';
import type { CallWait } from '../outside-wait.ts';
import type { AnswerVerdict, CalleeWords } from '../callee.ts';
import type { FlowRef } from '../flow-ref.ts';
import type { InboundWords } from './generator-yield.ts';
import type { ActorRef, EntryCorrelation } from '../inbox.ts';
import type { Utterance } from '../dialogue.ts';
import type { Json, JsonObject } from '../json.ts';
import type { ValueReadings } from '../provenance.ts';
import type { GeneratorSignal } from './generator-signal.ts';
import type { PeopleSignal } from './people-signal.ts';
import type { SignalOf } from './signal-of.ts';
import type { TaskLogSignal, TaskQuestionSignal } from './task-signal.ts';
import type { TypedValues } from '../typed-value.ts';

export interface SessionStarted extends SignalOf<'session:started'> {
  readonly sessionId: string;
  readonly flow: FlowRef;
  readonly input: JsonObject;
  /** IANA time zone for "today" and spoken dates. */
  readonly timeZone: string;
  /** No listener is connected, as in `session:resumed`. */
  readonly silent?: true;
  /** The schedule or campaign that began the session; absent if a caller did. */
  readonly correlation?: EntryCorrelation;
  /** The agent's side placed the call. `flow` is the name by which a later attempt begins. Absent if a caller called. */
  readonly called?: { readonly flow: string };
  /** Decision of `beforeLLM` about the first turn of a run; absent if the flow proceeds. */
  readonly policy?: TurnPolicy;
  /** Language that `beforeLLM` chose for the first turn of a run; defaults to the flow's. */
  readonly language?: string;
  /** A part of the session's keys that distinguishes it from a deleted session of the same id. */
  readonly incarnation?: number;
}

/** A new process took the session over; the kernel decides about its unsettled effects. */
export interface SessionResumed extends SignalOf<'session:resumed'> {
  /**
   * The conversation is in writing, so no speech was cut off: effects that are still intended were neither sent nor
   * said.
   */
  readonly byText?: true;
  /** No listener is connected: speech from here on waits for a process that has one. */
  readonly silent?: true;
  /** Slots whose sealed digits this process cannot open. They are asked for again. */
  readonly unreadable?: readonly string[];
}

/** The session was ended from outside (final hang-up, room deleted, stopped). */
export interface SessionEnded extends SignalOf<'session:ended'> {
  readonly reason: string;
}

/** The conversation has reached its longest time, or its highest cost. */
export interface LimitReached extends SignalOf<'limit:reached'> {
  readonly limit: ConversationLimit;
}

/** A limit of a whole conversation. */
export type ConversationLimit = 'time' | 'cost';

/** The source of a turn: the call, a person on the caller's behalf, a text channel, or a schedule. */
export type TurnVia = 'speech' | 'text' | 'dtmf' | 'proxy' | 'message' | 'scheduled';

/** The caller completed a turn, by any medium, or a person spoke on the caller's behalf. */
export interface UserTurn extends SignalOf<'user:turn'> {
  readonly eventId: string;
  readonly text: string;
  readonly via: TurnVia;
  /** The actor who posted the turn; absent for the caller. */
  readonly actor?: ActorRef;
  /** Ids that relate the turn to a wait, schedule or campaign. */
  readonly correlation?: EntryCorrelation;
  /** The reading of the words by rules. Made before the step, so a replay reads nothing; absent if nothing is read. */
  readonly utterance?: Utterance;
  /** The reading of the first words of a call that the agent's side placed; absent in any other conversation. */
  readonly callee?: CalleeWords;
  /** A verdict of LiveKit's answering machine detection since the last signal. */
  readonly detected?: AnswerVerdict;
  /** Absent if the flow takes the turn. */
  readonly policy?: TurnPolicy;
  /** The turn answers a task's question and is not a turn of the flow. */
  readonly answersTask?: true;
  /** A policy decided the turn while a task asks the caller: the reply that waits for the answer stays valid. */
  readonly taskAsks?: true;
  /**
   * Lines still open when the caller began to speak or pressed the first key, in spoken order. Overrides the `heard` of
   * their `speech:settled`, which covers the time until the line ended: a caller may speak over a question that plays
   * to its end. Absent if every line had ended, in text sessions, and in logs of older releases; `speech:settled` then
   * applies. The `speech:settled` of a line that these words interrupted precedes this turn unless LiveKit is late.
   */
  readonly heard?: readonly HeardLine[];
}

/** The state of a line when the caller began to speak over it. */
export interface HeardLine {
  /** The effect of the line, or the model's reply. */
  readonly key: EffectKey;
  /**
   * The whole words of the line that had played, without those too recent to answer; may be empty. For a realtime
   * model, the words it actually spoke. Null if unknown.
   */
  readonly text: string | null;
}

/**
 * A decision of commands, hooks or the router about a turn before it reached the flow, recorded so a replay asks none
 * of them. `say`: a line is spoken and the flow stays. `hold`: the flow does not answer, or the flow of the next signal
 * does. `end`: the session ends, after `text` if given.
 */
export type TurnPolicy = (
  | { readonly action: 'say'; readonly text: string; readonly by: 'command' | 'hook' }
  | {
      readonly action: 'hold';
      readonly by: 'command' | 'hook' | 'router';
      /** The flow of the next signal, which answers. */
      readonly to?: string;
      /** Spoken first. */
      readonly text?: string;
    }
  | { readonly action: 'end'; readonly reason: string; readonly text?: string; readonly by: 'command' | 'hook' }
) & {
  /** The reason, in the hook's words. */
  readonly policyReason?: string;
};

/** In a voice call, nothing was said for as long as the open question waits. */
export interface SilenceElapsed extends SignalOf<'silence:elapsed'> {
  /** Before the silence came sound without an understood word: the caller waits for a reaction. */
  readonly unclear?: true;
  /** A verdict of LiveKit's answering machine detection since the last signal. */
  readonly detected?: AnswerVerdict;
}

/** A write call is about to run or to be retried. Committed first, so a crash finds the intent. */
export interface ToolCalled extends SignalOf<'tool:called'> {
  readonly key: EffectKey;
  readonly callId: string;
  readonly name: string;
  /** The node visit in which the model made the call. */
  readonly node: string;
  readonly visit: number;
  readonly arguments: JsonObject;
  /** Checks of the arguments that fill slots; absent in older logs. */
  readonly readings?: ValueReadings;
  /** Number of the attempt; absent for the first. */
  readonly attempt?: number;
}

/**
 * The next node that a call's handler requests: a node of the graph, a dynamic node (`node` is its document, `to` its
 * id or hash), or explicitly none. `invalid`: the dynamic node is malformed, and the flow stays.
 */
export type CallNext =
  | { readonly kind: 'node'; readonly to: string }
  | { readonly kind: 'dynamic'; readonly to: string; readonly node: JsonObject }
  | { readonly kind: 'invalid'; readonly to: string; readonly problem: string }
  | { readonly kind: 'stay' };

/** The outcome of one call of a completion. Only `done` calls may move the flow. */
export interface SettledCall {
  readonly key: EffectKey;
  readonly callId: string;
  readonly name: string;
  /** The node visit in which the model made the call. */
  readonly node: string;
  readonly visit: number;
  readonly arguments: JsonObject;
  /** Checks of the arguments that fill slots; absent in older logs. */
  readonly readings?: ValueReadings;
  /** Arguments that fill slots or answer a question, converted to values; absent in older logs. */
  readonly typed?: TypedValues;
  /** `waiting`: the call needs the caller's yes before it runs. `pending`: it was started and its outcome comes later. */
  readonly state: 'done' | 'failed' | 'waiting' | 'pending' | 'cancelled' | 'blocked';
  /** For a pending call, the wait behind it, if known. */
  readonly waitsFor?: CallWait;
  /** A pending write that still runs. It stays intended until its end is reported under the same key. */
  readonly isRunning?: true;
  readonly result?: Json;
  readonly error?: string;
  /** The reason for the failure, if known apart from the error text. */
  readonly reason?: 'timeout';
  readonly next?: CallNext;
  /** Size of the result as JSON in bytes before truncation; absent if complete. */
  readonly cutFrom?: number;
  /** Slots and variables that the handler set, by name. */
  readonly set?: JsonObject;
}

/** All calls of one completion have settled, in call order. Without calls, the batch is empty. */
export interface BatchSettled extends SignalOf<'batch:settled'> {
  /** The reply of this completion; null for a call that ran after a confirmation or a crash. */
  readonly reply: EffectKey | null;
  /** The text of the completion beside its calls. */
  readonly text: string;
  /**
   * Whether the text asks the caller a question. Absent in logs of older releases, where any text ended the agent's
   * turn.
   */
  readonly asks?: boolean;
  readonly calls: readonly SettledCall[];
  /** The caller completed a turn before the batch settled: reads no longer move the flow, writes do. */
  readonly superseded?: boolean;
}

/** An effect other than speech or a call has ended: an action, a context change, a task, the end. */
export interface EffectSettled extends SignalOf<'effect:settled'> {
  readonly key: EffectKey;
  readonly state: 'done' | 'failed' | 'cancelled';
  readonly result?: Json;
  readonly error?: string;
  /** Slots and variables that an action's code set, by name. */
  readonly set?: JsonObject;
}

/** A speech has ended. Of its members, only `heard` influences decisions. */
export interface SpeechSettled extends SignalOf<'speech:settled'> {
  readonly key: EffectKey;
  readonly state: 'done' | 'failed' | 'cancelled';
  readonly text: string;
  readonly heard: string;
  /** Other audible text, such as a filler. It is not part of the conversation and in neither `text` nor `heard`. */
  readonly aside?: string;
  /** Present in a written conversation: the message to send. It counts as heard. */
  readonly written?: { readonly channel: string; readonly to: string; readonly text: string };
}

/** A hook decided about a reply before it was audible, so a replay asks no hook. Unchanged replies are not recorded. */
export interface ResponseDecided extends SignalOf<'response:decided'> {
  /** The effect of the reply. */
  readonly key: EffectKey;
  readonly action: 'cancel' | 'replace';
  /** The reason, in the hook's words. */
  readonly policyReason?: string;
  /** The replacement still asks the original question. */
  readonly keepsQuestion?: true;
  /** Decision of `beforeLLM` about the inference of this key, in a reply that no caller's words began. */
  readonly policy?: TurnPolicy;
}

/**
 * A structured answer routes the caller to another flow, which begins once the answer was spoken, even if other signals
 * intervene.
 */
export interface ReplyRouted extends SignalOf<'reply:routed'> {
  readonly to: string;
  /** The caller's words that the answer replies to; absent in older logs. */
  readonly inbound?: InboundWords;
}

/** The model failed or passed its deadline; the fallback line was or will be spoken. */
export interface ReplyFailed extends SignalOf<'reply:failed'> {
  readonly key: EffectKey;
  readonly reason: string;
}

/** The cause of a language change. */
export type LanguageCause = 'function' | 'hook' | 'recogniser' | 'code';

/** The conversation continues in another language of its flow. `to` is the tag as the flow writes it. */
export interface LanguageChanged extends SignalOf<'language:changed'> {
  readonly to: string;
  readonly by: LanguageCause;
}

/** The author's code moves the conversation between turns. */
export interface NodeRequested extends SignalOf<'node:requested'> {
  readonly to: string;
}

/** Another flow, or another version, continues with the same slots and variables. */
export interface FlowSwapped extends SignalOf<'flow:swapped'> {
  readonly flow: FlowRef;
  /** The node to continue at; defaults to the node of the same id, otherwise the initial node. */
  readonly node?: string;
  /** A new process took the session over and continues in this flow instead of the previous one. */
  readonly resumed?: true;
  /** The current node is identical in the new version: nothing is interrupted, spoken or asked again. */
  readonly stays?: true;
}

/** The conversation enters another flow and returns to this node when that flow ends. */
export interface FlowCalled extends SignalOf<'flow:called'> {
  readonly flow: FlowRef;
  /** Any JSON for a generator; a flow of nodes reads the members of an object. */
  readonly input: Json;
  /** The caller was routed here: when the flow ends the caller speaks next, and this node does not speak on return. */
  readonly routed?: true;
  /** The caller's words that led here, for the flow to read; absent without such words, and in older logs. */
  readonly inbound?: InboundWords;
  /** Those words already have a reply. */
  readonly answered?: true;
}

/** The called flow has ended. This step uses the graph of the calling flow. */
export interface FlowReturned extends SignalOf<'flow:returned'> {}

/** Another flow takes the conversation over, with its own input. */
export interface FlowHandedOff extends SignalOf<'flow:handed-off'> {
  /** The effect that requested the handoff. */
  readonly key: EffectKey;
  readonly flow: FlowRef;
  readonly input: Json;
}

/** All signals of a session. Closed, and JSON: the log of signals determines the session. */
export type Signal =
  | SessionStarted
  | SessionResumed
  | SessionEnded
  | UserTurn
  | SilenceElapsed
  | ToolCalled
  | BatchSettled
  | EffectSettled
  | SpeechSettled
  | ResponseDecided
  | ReplyRouted
  | ReplyFailed
  | LanguageChanged
  | NodeRequested
  | LimitReached
  | FlowSwapped
  | FlowCalled
  | FlowReturned
  | FlowHandedOff
  | GeneratorSignal
  | PeopleSignal
  | TaskLogSignal
  | TaskQuestionSignal;
