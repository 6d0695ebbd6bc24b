import type { FlowRef } from './flow-ref.ts';
import type { GeneratorAnswer, InboundWords } from './generator-yield.ts';
import type { Json, JsonObject } from './json.ts';
import type { Provenance } from './provenance.ts';

/**
 * `session/turn/ordinal`: unique within a store, the same in every replay, and a tool’s idempotency key; once the store has
 * deleted sessions `session/~incarnation/turn/ordinal`, so that no session of an id repeats the keys of another. A model’s call
 * has the key of the reply that made it and its place there: `session/turn/ordinal.place`.
 */
export type EffectKey = string;

/**
 * How far an effect has come. `unknown` is a speech or call that a crash cut off: whether it took place cannot be
 * told any more.
 */
export type EffectState = 'intended' | 'started' | 'done' | 'failed' | 'cancelled' | 'unknown';

/**
 * Why a fixed line is spoken; `aside` where it only fills a pause or owns up to one, `operator` for a person who has
 * taken the conversation over.
 */
export type SayReason = 'node' | 'ask' | 'action' | 'aside' | 'fallback' | 'recap' | 'notice' | 'repeat' | 'operator';

/** A line spoken word for word, without an inference. */
export interface SayPayload {
  readonly text: string;
  readonly reason: SayReason;
  /** The caller cannot cut it off once it has begun to sound. Without effect in text. */
  readonly protected?: true;
}

/** A reply that the model generates under the view of one visit of a node. */
export interface ReplyPayload {
  readonly node: string;
  readonly visit: number;
}

/** Whom or what a call waits for whose outcome comes later: the wait of its run that counts, with its ids. */
export interface CallWait extends Pick<OutsideWait, 'wait' | 'proxyId' | 'scheduleId'> {
  /** Absent where nobody is asked. */
  readonly escalationId?: string;
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
  /** The arguments that bear the names of slots in the form of these, if the model has written them otherwise. */
  readonly values?: JsonObject;
  /** How the arguments are known that bear the names of slots. */
  readonly provenance?: Readonly<Record<string, Provenance>>;
  /** The node has made the call itself, on entry: its arguments are not checked and no yes was asked for yet. */
  readonly isByNode?: true;
  /** Of a call that is started and whose outcome comes later. */
  readonly waitsFor?: CallWait;
  /** Its outcome is there, and is taken once the flow and the agent have the word again. */
  readonly hasEnded?: true;
}

/** What an open confirmation is about. */
export type ConfirmSubject =
  | { readonly kind: 'slot'; readonly slot: string; readonly value: Json }
  | { readonly kind: 'call'; readonly call: ToolPayload }
  /** The question of a node that waits for the caller's yes or no. */
  | { readonly kind: 'node'; readonly node: string };

/** A yes or no of the caller; `say` is spoken when the wait opens. */
export interface ConfirmWait {
  readonly wait: 'confirm';
  readonly say: string;
  /** What is spoken instead, where the question comes again: `say` with a lead-in. */
  readonly put?: string;
  readonly subject: ConfirmSubject;
  /** The question as the caller hears it cannot be cut off once it has begun to sound. Without effect in text. */
  readonly protected?: true;
}

/**
 * What a session waits for that does not come through its call. It is resolved by `wait:resolved` with what meets
 * `schema`; its deadline is the effect's.
 */
export interface OutsideWait {
  /** A yes or no of somebody who is named, the decision of a person with authority, a person's words, a time, an event. */
  readonly wait: 'confirm' | 'admin_resolution' | 'proxy_input' | 'timeout' | 'scheduler';
  /** The queue or person who is asked; null where nobody is. */
  readonly to: string | null;
  /** Empty where nobody is asked. */
  readonly question: string;
  /** What whoever resolves it is shown. A resolution is bound to `factsHash`: see `factsHashOf`. */
  readonly facts: JsonObject;
  readonly factsHash: string;
  /** The decisions to choose from; empty where the schema alone tells. */
  readonly options: readonly string[];
  /** JSON Schema of the resolution. */
  readonly schema: JsonObject;
  /** Of the form of resolutions. */
  readonly version: 1;
  /** What the deadline does; null where there is none, or where it is what is waited for. */
  readonly policy: DeadlinePolicy | null;
  /** The time on the wall where the session is at which the deadline comes, where it was given so. */
  readonly until?: string;
  /** Deadlines behind that one, in order. */
  readonly later: readonly LaterDeadline[];
  readonly reach: Reach;
  /** The wait's own key where absent. */
  readonly escalationId?: string;
  readonly proxyId?: string;
  readonly scheduleId?: string;
  /** The name of the event that resolves it. */
  readonly event?: string;
}

/**
 * What a deadline does: the person is told once more; the wait is resolved by a default; somebody else is asked; the flow
 * goes to a node; the conversation ends; a wait for a time is over.
 */
export type DeadlinePolicy =
  | { readonly act: 'remind' }
  | { readonly act: 'answer'; readonly resolution: JsonObject }
  | { readonly act: 'escalate'; readonly to: string }
  | { readonly act: 'go_to'; readonly node: string }
  | { readonly act: 'end'; readonly reason: string };

/**
 * When a deadline comes: so long after the wait opens, or after the deadline before it; or at a time, with an offset
 * or where the session is (`2026-12-01T09:00`).
 */
export type DueTime = { readonly afterMs: number } | { readonly at: string };

/** A deadline that is set when the one before it has come. */
export interface LaterDeadline {
  readonly due: DueTime;
  readonly policy: DeadlinePolicy;
}

/** What is done with speech that nobody listens to: it waits for the next call, is written to the caller, or calls them. */
export type Reach = 'wait' | 'message' | 'call';

/** A text that is sent outside of the call, once by its effect's key; whoever has sent it settles the effect. */
export interface MessagePayload {
  /** `notify` for the people whom a wait asks; else the name of a text channel. */
  readonly channel: string;
  readonly to: string;
  readonly text: string;
  /** What belongs to it: of a notification the wait's `key`, `facts`, `factsHash` and `options`. */
  readonly data: JsonObject;
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

/** A question that the caller is to answer by yes or no. */
export type Confirmation = EffectOf<'wait', ConfirmWait>;

/** What a session waits for that does not come through its call. */
export type Waiting = EffectOf<'wait', OutsideWait>;

/** Everything that the world does for a session. Closed: a host performs every kind. */
export type Effect =
  | EffectOf<'say', SayPayload>
  | EffectOf<'reply', ReplyPayload>
  | EffectOf<'tool', ToolPayload>
  | Confirmation
  | Waiting
  | EffectOf<'action', ActionPayload>
  | EffectOf<'context', ContextPayload>
  | EffectOf<'task', TaskPayload>
  | EffectOf<'advance', AdvancePayload>
  | EffectOf<'handoff', HandoffPayload>
  | EffectOf<'end', EndPayload>
  | EffectOf<'message', MessagePayload>;

export type EffectKind = Effect['kind'];

/** What others may take or answer in the session's place; all else the session performs itself. */
export type SharedEffectKind = 'tool' | 'wait' | 'action' | 'task' | 'message';
