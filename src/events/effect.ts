import type { FlowRef } from './flow-ref.ts';
import type { GeneratorAnswer, InboundWords } from './generator-yield.ts';
import type { Json, JsonObject } from './json.ts';
import type { Provenance } from './provenance.ts';

/**
 * `session/turn/ordinal`: unique within a store, the same in every replay, and a tool's idempotency key. A model's call
 * has the key of the reply that made it and its place there: `session/turn/ordinal.place`.
 */
export type EffectKey = string;

/**
 * How far an effect has come. `unknown` is a speech or call that a crash cut off: whether it took place cannot be
 * told any more.
 */
export type EffectState = 'intended' | 'started' | 'done' | 'failed' | 'cancelled' | 'unknown';

/** Why a fixed line is spoken; `aside` where it only fills a pause or owns up to one. */
export type SayReason = 'node' | 'ask' | 'action' | 'aside' | 'fallback' | 'recap' | 'notice' | 'repeat';

/** A line spoken word for word, without an inference. */
export interface SayPayload {
  readonly text: string;
  readonly reason: SayReason;
}

/** A reply that the model generates under the view of one visit of a node. */
export interface ReplyPayload {
  readonly node: string;
  readonly visit: number;
}

/** One call of a registered function. `confirmed` tells that a person said yes to these very arguments. */
export interface ToolPayload {
  readonly name: string;
  /** The node and visit under whose view the model made the call. */
  readonly node: string;
  readonly visit: number;
  /** The name under which the host finds what to run. */
  readonly handler: string;
  readonly callId: string;
  readonly arguments: JsonObject;
  readonly write: boolean;
  readonly confirmed: boolean;
  /** Which attempt is under way, over processes; the first where absent. */
  readonly attempt?: number;
  /** How the arguments are known that bear the names of slots. */
  readonly provenance?: Readonly<Record<string, Provenance>>;
  /** The node has made the call itself, on entry: its arguments are not checked and no yes was asked for yet. */
  readonly isByNode?: true;
}

/** What an open confirmation is about. */
export type ConfirmSubject =
  | { readonly kind: 'slot'; readonly slot: string; readonly value: Json }
  | { readonly kind: 'call'; readonly call: ToolPayload };

/** A question to a person whose answer arrives as a later signal; `say` is spoken when the wait opens. */
export interface WaitPayload {
  readonly wait: 'confirm';
  readonly say: string;
  /** What is spoken instead, where the question comes again: `say` with a lead-in. */
  readonly put?: string;
  readonly subject: ConfirmSubject;
}

/** A pre or post action that runs a handler of the author's. */
export interface ActionPayload {
  readonly action: string;
  readonly handler: string;
  readonly when: 'pre' | 'post';
  readonly data: JsonObject;
}

/** A change of what the model is shown, by a context strategy's name; one that is summarised asks for it by `prompt`. */
export interface ContextPayload {
  readonly strategy: string;
  readonly prompt: string;
}

/** One run of a catalog node that cannot be computed inside the step. In a task flow its log tells input and config. */
export interface TaskPayload {
  readonly type: string;
  readonly input?: Json;
  readonly config?: JsonObject;
}

/** The end of a flow, performed after everything said before it; `returns` names the flow that called it. */
export interface EndPayload {
  readonly reason: string;
  readonly returns: FlowRef | null;
  /** Words of the caller that nobody has answered: they are for the flow that is come back to. */
  readonly inbound?: InboundWords;
}

/**
 * A generator runs on: from its start, or with the answer to its last yield. Without either (`step` above 0, no answer)
 * it only runs again up to the recorded step, to see that it still does what is recorded.
 */
export interface AdvancePayload {
  /** Tells this run of the generator from every other of the session. */
  readonly run: number;
  /** How many yields are recorded. */
  readonly step: number;
  readonly answer: GeneratorAnswer | null;
}

/** The conversation goes on in another flow. */
export interface HandoffPayload {
  readonly to: string;
  readonly input: Json;
  /** A reply has led there: when that flow ends the caller has the word, and where it cannot be had nothing changes. */
  readonly routed?: true;
  /** The flow that asked for it could not go on: nobody has handed anything off. */
  readonly fallback?: true;
  /** Words of the caller that the other flow is to hear. */
  readonly inbound?: InboundWords;
}

interface EffectOf<Kind extends string, Payload> {
  readonly key: EffectKey;
  readonly kind: Kind;
  readonly state: EffectState;
  readonly node: string;
  readonly visit: number;
  readonly payload: Payload;
  /** Epoch milliseconds after which the effect is late. */
  readonly deadline?: number;
  readonly result?: Json;
}

/** Everything that the world does for a session. Closed: a host performs every kind. */
export type Effect =
  | EffectOf<'say', SayPayload>
  | EffectOf<'reply', ReplyPayload>
  | EffectOf<'tool', ToolPayload>
  | EffectOf<'wait', WaitPayload>
  | EffectOf<'action', ActionPayload>
  | EffectOf<'context', ContextPayload>
  | EffectOf<'task', TaskPayload>
  | EffectOf<'advance', AdvancePayload>
  | EffectOf<'handoff', HandoffPayload>
  | EffectOf<'end', EndPayload>;

export type EffectKind = Effect['kind'];

/** What others may take or answer in the session's place; all else the session performs itself. */
export type SharedEffectKind = 'tool' | 'wait' | 'action' | 'task';
