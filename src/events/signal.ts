import type { CallWait, EffectKey } from './effect.ts';
import type { FlowRef } from './flow-ref.ts';
import type { InboundWords } from './generator-yield.ts';
import type { ActorRef, EntryCorrelation } from './inbox.ts';
import type { Utterance } from './dialogue.ts';
import type { Json, JsonObject } from './json.ts';
import type { ValueReadings } from './provenance.ts';
import type { GeneratorSignal } from './generator-signal.ts';
import type { PeopleSignal } from './people-signal.ts';
import type { SignalOf } from './signal-of.ts';
import type { TaskLogSignal, TaskQuestionSignal } from './task-signal.ts';
import type { TypedValues } from './typed-value.ts';

export interface SessionStarted extends SignalOf<'session:started'> {
  readonly sessionId: string;
  readonly flow: FlowRef;
  readonly input: JsonObject;
  /** IANA time zone in which "today" and spoken dates are meant. */
  readonly timeZone: string;
  /** Nobody listens, as in `session:resumed`. */
  readonly silent?: true;
  /** What has begun it: a run of a schedule, or a campaign. Absent where a caller has. */
  readonly correlation?: EntryCorrelation;
  /** What `beforeLLM` has decided about the first turn of a run; absent if the flow goes on. */
  readonly policy?: TurnPolicy;
  /** The language that `beforeLLM` has chosen for the first turn of a run; that of the flow where absent. */
  readonly language?: string;
  /** Part of its keys, by which it differs from a session of the same id that was deleted. */
  readonly incarnation?: number;
}

/** A new process took the session over; what it finds unsettled is decided by the kernel. */
export interface SessionResumed extends SignalOf<'session:resumed'> {
  /** Nobody was cut off, as in a conversation that is written: what is still intended was neither sent nor said. */
  readonly byText?: true;
  /** Nobody listens: what is to be said from here on waits for a process that somebody listens to. */
  readonly silent?: true;
}

/** The session is over, from outside (hang-up for good, room deleted, stopped). */
export interface SessionEnded extends SignalOf<'session:ended'> {
  readonly reason: string;
}

/** How a turn came: through the call, of a person in the caller's stead, by a text channel, of a schedule. */
export type TurnVia = 'speech' | 'text' | 'dtmf' | 'proxy' | 'message' | 'scheduled';

/** The caller completed a turn, whatever it was carried by, or somebody has spoken in their stead. */
export interface UserTurn extends SignalOf<'user:turn'> {
  readonly eventId: string;
  readonly text: string;
  readonly via: TurnVia;
  /** Who has posted it; absent for the caller. */
  readonly actor?: ActorRef;
  /** What it belongs to besides its session. */
  readonly correlation?: EntryCorrelation;
  /** What rules read in the words before the step, so that a replay reads nothing; absent where nothing is read. */
  readonly utterance?: Utterance;
  /** Absent where the turn is the flow's. */
  readonly policy?: TurnPolicy;
  /** It answers what a task has asked: for the flow it is no turn. */
  readonly answersTask?: true;
  /** It was decided while a task asks the caller: the reply that waits for the answer is not void. */
  readonly taskAsks?: true;
  /**
   * Lines that had not ended when the caller began to speak, or pressed the first key, in the order of saying. Takes
   * precedence over the `heard` of their `speech:settled`, which tells what was heard until the line ended or was cut off:
   * a caller may speak over a question that is said to its end. Absent where each line had ended by then, in a text
   * session, and in logs of older releases; then `speech:settled` counts. The `speech:settled` of a line that these words
   * have cut off comes before this turn unless LiveKit is late.
   */
  readonly heard?: readonly HeardLine[];
}

/** A line that the caller has spoken over, as it stood when they began. */
export interface HeardLine {
  /** The effect that intends the line, or the reply of the model. */
  readonly key: EffectKey;
  /**
   * Whole words from the start of the line that were played by then, less what a person cannot have answered yet; empty
   * where that is none. A realtime model says a line in its own words: these stand here. Null where it cannot be told.
   */
  readonly text: string | null;
}

/**
 * What commands, hooks and the router decided about a turn before it reached the flow, so that a replay asks nobody:
 * a line is said and the flow stays where it is; nobody answers, or the flow of the next signal does; the session ends,
 * after a line where there is one.
 */
export type TurnPolicy = (
  | { readonly action: 'say'; readonly text: string; readonly by: 'command' | 'hook' }
  | {
      readonly action: 'hold';
      readonly by: 'command' | 'hook' | 'router';
      /** The flow of the next signal, which answers. */
      readonly to?: string;
      /** Said before that. */
      readonly text?: string;
    }
  | { readonly action: 'end'; readonly reason: string; readonly text?: string; readonly by: 'command' | 'hook' }
) & {
  /** Why, in the hook's own words. */
  readonly policyReason?: string;
};

/** In a voice call nobody has spoken for as long as the open question waits. */
export interface SilenceElapsed extends SignalOf<'silence:elapsed'> {
  /** Something was said before the silence of which no word was understood: the silence is that of a caller who waits. */
  readonly unclear?: true;
}

/** A write call is about to run, or to be tried again; committed first, so that a crash finds its intent. */
export interface ToolCalled extends SignalOf<'tool:called'> {
  readonly key: EffectKey;
  readonly callId: string;
  readonly name: string;
  /** The node and visit under whose view the model made the call. */
  readonly node: string;
  readonly visit: number;
  readonly arguments: JsonObject;
  /** What was found of the arguments that fill slots; absent in a log of before. */
  readonly readings?: ValueReadings;
  /** Which attempt it is; the first where absent. */
  readonly attempt?: number;
}

/**
 * Where a call wants to go, told by its handler: to a node of the graph, to a node made on the spot (`node` is its
 * document, `to` its id, or the hash of it), or explicitly nowhere. `invalid`: the node made on the spot is none, and the
 * flow stays.
 */
export type CallNext =
  | { readonly kind: 'node'; readonly to: string }
  | { readonly kind: 'dynamic'; readonly to: string; readonly node: JsonObject }
  | { readonly kind: 'invalid'; readonly to: string; readonly problem: string }
  | { readonly kind: 'stay' };

/** What became of one call of a completion. Only `done` calls may move. */
export interface SettledCall {
  readonly key: EffectKey;
  readonly callId: string;
  readonly name: string;
  /** The node and visit under whose view the model made the call. */
  readonly node: string;
  readonly visit: number;
  readonly arguments: JsonObject;
  /** What was found of the arguments that fill slots; absent in a log of before. */
  readonly readings?: ValueReadings;
  /** The arguments that fill slots or answer a question, as values; absent in a log of before. */
  readonly typed?: TypedValues;
  /** `waiting`: for the caller's yes, before it is begun. `pending`: it is begun, and its outcome comes later. */
  readonly state: 'done' | 'failed' | 'waiting' | 'pending' | 'cancelled' | 'blocked';
  /** Of a pending call: whom or what it waits for, where that is known. */
  readonly waitsFor?: CallWait;
  /** Of a pending call: it is a write that still runs, and stays intended until its end is told under the same key. */
  readonly isRunning?: true;
  readonly result?: Json;
  readonly error?: string;
  /** Why it failed, where that is known without its words. */
  readonly reason?: 'timeout';
  readonly next?: CallNext;
  /** How many bytes the result had as JSON before it was cut; absent where it is whole. */
  readonly cutFrom?: number;
  /** What its code has set: slots and variables by name. */
  readonly set?: JsonObject;
}

/** All calls of one completion have settled, in the order of calling; without calls it is an empty batch. */
export interface BatchSettled extends SignalOf<'batch:settled'> {
  /** The reply whose completion this was; null for a call that ran after a confirmation or a crash. */
  readonly reply: EffectKey | null;
  /** What the completion said besides its calls. */
  readonly text: string;
  /** Whether that text asks the caller something; absent in logs of older releases, where any text had the word. */
  readonly asks?: boolean;
  readonly calls: readonly SettledCall[];
  /** The caller completed a turn before the batch settled: reads no longer move, writes do. */
  readonly superseded?: boolean;
}

/** An effect that is neither speech nor call has ended: an action, a context change, a task, the end. */
export interface EffectSettled extends SignalOf<'effect:settled'> {
  readonly key: EffectKey;
  readonly state: 'done' | 'failed' | 'cancelled';
  readonly result?: Json;
  readonly error?: string;
  /** What the code of an action has set: slots and variables by name. */
  readonly set?: JsonObject;
}

/** A speech has ended. No decision reads it but what was heard. */
export interface SpeechSettled extends SignalOf<'speech:settled'> {
  readonly key: EffectKey;
  readonly state: 'done' | 'failed' | 'cancelled';
  readonly text: string;
  readonly heard: string;
  /** What was heard besides, such as a filler: no part of the conversation, and in neither of the two. */
  readonly aside?: string;
  /** The conversation is written: this is to be sent, and counts as heard. */
  readonly written?: { readonly channel: string; readonly to: string; readonly text: string };
}

/** A hook has decided about a reply before anything of it was heard: a replay asks no hook. What it lets pass is not told. */
export interface ResponseDecided extends SignalOf<'response:decided'> {
  /** The effect that intends the reply. */
  readonly key: EffectKey;
  readonly action: 'cancel' | 'replace';
  /** Why, in the hook's own words. */
  readonly policyReason?: string;
  /** What is said instead still asks what was to be asked. */
  readonly keepsQuestion?: true;
  /** What `beforeLLM` has decided about the inference that the key names, in a reply that no words have begun. */
  readonly policy?: TurnPolicy;
}

/** A structured answer leads the caller to another flow, which begins once the answer was said, whatever comes between. */
export interface ReplyRouted extends SignalOf<'reply:routed'> {
  readonly to: string;
  /** What the caller said that the answer is to; absent in older logs. */
  readonly inbound?: InboundWords;
}

/** The model failed or stayed silent past its deadline; the fallback line was or will be spoken. */
export interface ReplyFailed extends SignalOf<'reply:failed'> {
  readonly key: EffectKey;
  readonly reason: string;
}

/** What has changed the language of a conversation. */
export type LanguageCause = 'function' | 'hook' | 'recogniser' | 'code';

/** The conversation goes on in another language that its flow lists, by its tag as the flow writes it. */
export interface LanguageChanged extends SignalOf<'language:changed'> {
  readonly to: string;
  readonly by: LanguageCause;
}

/** The author's code moves the conversation, between turns. */
export interface NodeRequested extends SignalOf<'node:requested'> {
  readonly to: string;
}

/** Another flow, or another version, goes on with the same slots and variables. */
export interface FlowSwapped extends SignalOf<'flow:swapped'> {
  readonly flow: FlowRef;
  /** Where to go on; without it the node of the same id, else the initial node. */
  readonly node?: string;
  /** A new process took the session over, and it goes on in this flow instead of the one that it was in. */
  readonly resumed?: true;
  /** Another version, in which the node that the session is at is the same: nothing is broken off, said or asked anew. */
  readonly stays?: true;
}

/** The conversation steps into another flow and comes back to this node when that one ends. */
export interface FlowCalled extends SignalOf<'flow:called'> {
  readonly flow: FlowRef;
  /** For a generator any JSON; a flow of nodes reads the members of an object. */
  readonly input: Json;
  /** The caller was routed here: when the flow ends they have the word, and this node does not speak by itself. */
  readonly routed?: true;
  /** The caller's words that have led here, for the flow to hear; absent where none did, and in older logs. */
  readonly inbound?: InboundWords;
  /** A reply was given to those words already. */
  readonly answered?: true;
}

/** The called flow has ended; the graph of this step is the calling flow's again. */
export interface FlowReturned extends SignalOf<'flow:returned'> {}

/** Another flow takes the conversation over, with an input of its own. */
export interface FlowHandedOff extends SignalOf<'flow:handed-off'> {
  /** The effect that asked for it. */
  readonly key: EffectKey;
  readonly flow: FlowRef;
  readonly input: Json;
}

/** All that can happen to a session. Closed, and JSON: a log of signals is the session. */
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
  | FlowSwapped
  | FlowCalled
  | FlowReturned
  | FlowHandedOff
  | GeneratorSignal
  | PeopleSignal
  | TaskLogSignal
  | TaskQuestionSignal;
