import type { FlowRef } from './flow-ref.ts';
import type { GeneratorAnswer, InboundWords } from './signals/generator-yield.ts';
import type { Json, JsonObject } from './json.ts';
import type { Provenance } from './provenance.ts';

/**
 * `session/turn/ordinal`: unique within a store, stable across replays, and a tool's idempotency key. Once the store
 * has deleted sessions, `session/~incarnation/turn/ordinal`, so a new session with an old id does not repeat keys. A
 * model's call is `session/turn/ordinal.place`: the key of its reply and its position in the reply.
 */
export type EffectKey = string;

/** Progress of an effect. `unknown`: a crash cut off a speech or a call, and its outcome cannot be determined. */
export type EffectState = 'intended' | 'started' | 'done' | 'failed' | 'cancelled' | 'unknown';

/**
 * Why a fixed line is spoken. `aside` fills a pause or explains one; `operator` speaks for a person who has taken the
 * conversation over.
 */
export type SayReason = 'node' | 'ask' | 'action' | 'aside' | 'fallback' | 'recap' | 'notice' | 'repeat' | 'operator';

/** A line spoken word for word, without an inference. */
export interface SayPayload {
  readonly text: string;
  readonly reason: SayReason;
  /** The caller cannot interrupt the line once it is audible. No effect in text sessions. */
  readonly protected?: true;
}

/** A reply that the model generates for one visit of a node. */
export interface ReplyPayload {
  readonly node: string;
  readonly visit: number;
}

/** The wait behind a call whose outcome comes later, with its ids. */
export interface CallWait extends Pick<OutsideWait, 'wait' | 'proxyId' | 'scheduleId'> {
  /** Absent if no person is asked. */
  readonly escalationId?: string;
}

/** One call of a registered function. `confirmed`: a person agreed to exactly these arguments. */
export interface ToolPayload {
  readonly name: string;
  /** The node visit in which the model made the call. */
  readonly node: string;
  readonly visit: number;
  /** The name by which the host finds the code. */
  readonly handler: string;
  readonly callId: string;
  readonly arguments: JsonObject;
  readonly write: boolean;
  readonly confirmed: boolean;
  /** Number of the current attempt, across processes; absent for the first. */
  readonly attempt?: number;
  /** Arguments named after slots, converted to the slot's form; absent if the model wrote that form itself. */
  readonly values?: JsonObject;
  /** Provenance of the arguments named after slots. */
  readonly provenance?: Readonly<Record<string, Provenance>>;
  /** The node made the call on entry: its arguments are not checked and it has no confirmation yet. */
  readonly isByNode?: true;
  /** The wait of a started call whose outcome comes later. */
  readonly waitsFor?: CallWait;
  /** The outcome has arrived and is taken once the flow and the agent are active again. */
  readonly hasEnded?: true;
}

/** The subject of an open confirmation. */
export type ConfirmSubject =
  | { readonly kind: 'slot'; readonly slot: string; readonly value: Json }
  | { readonly kind: 'call'; readonly call: ToolPayload }
  /** A node's own yes-no question. */
  | { readonly kind: 'node'; readonly node: string };

/** A yes-no question to the caller. `say` is spoken when the wait opens. */
export interface ConfirmWait {
  readonly wait: 'confirm';
  readonly say: string;
  /** The text for asking again: `say` with a lead-in. */
  readonly put?: string;
  readonly subject: ConfirmSubject;
  /** The caller cannot interrupt the question once it is audible. No effect in text sessions. */
  readonly protected?: true;
}

/**
 * A wait for something outside the call. `wait:resolved` with a value that meets `schema` resolves it. Its deadline is
 * the effect's.
 */
export interface OutsideWait {
  /**
   * The kinds: a yes or no of a named person, a decision of a person with authority, a person's words, a time, an
   * event.
   */
  readonly wait: 'confirm' | 'admin_resolution' | 'proxy_input' | 'timeout' | 'scheduler';
  /** The queue or person to ask; null if no person is asked. */
  readonly to: string | null;
  /** Empty if no person is asked. */
  readonly question: string;
  /** Facts to show to the person who resolves the wait. A resolution is bound to `factsHash`: see `factsHashOf`. */
  readonly facts: JsonObject;
  readonly factsHash: string;
  /** The possible decisions; empty if the schema alone defines them. */
  readonly options: readonly string[];
  /** JSON Schema of the resolution. */
  readonly schema: JsonObject;
  /** Version of the resolution format. */
  readonly version: 1;
  /** The action at the deadline; null without a deadline, or if the deadline itself is the awaited event. */
  readonly policy: DeadlinePolicy | null;
  /** The deadline as local time in the session's time zone, if it was given that way. */
  readonly until?: string;
  /** Further deadlines, in order. */
  readonly later: readonly LaterDeadline[];
  readonly reach: Reach;
  /** Defaults to the wait's key. */
  readonly escalationId?: string;
  readonly proxyId?: string;
  readonly scheduleId?: string;
  /** Name of the event that resolves the wait. */
  readonly event?: string;
}

/**
 * The action at a deadline: remind the person, resolve with a default, ask another person, go to a node, or end the
 * conversation. Null ends a wait for a time.
 */
export type DeadlinePolicy =
  | { readonly act: 'remind' }
  | { readonly act: 'answer'; readonly resolution: JsonObject }
  | { readonly act: 'escalate'; readonly to: string }
  | { readonly act: 'go_to'; readonly node: string }
  | { readonly act: 'end'; readonly reason: string };

/**
 * Due time: a delay after the wait opens or after the previous deadline, or a time with an offset or in the session's
 * time zone (`2026-12-01T09:00`).
 */
export type DueTime = { readonly afterMs: number } | { readonly at: string };

/** A deadline that starts when the previous one has passed. */
export interface LaterDeadline {
  readonly due: DueTime;
  readonly policy: DeadlinePolicy;
}

/**
 * Handling of speech while no caller is connected: it waits for the next call, is sent as a message, or triggers a
 * call.
 */
export type Reach = 'wait' | 'message' | 'call';

/** A text message sent outside the call, once per effect key. The sender settles the effect. */
export interface MessagePayload {
  /** `notify` for the people that a wait asks, otherwise the name of a text channel. */
  readonly channel: string;
  readonly to: string;
  readonly text: string;
  /** Additional data; for a notification the wait's `key`, `facts`, `factsHash` and `options`. */
  readonly data: JsonObject;
}

/** A pre or post action that runs the author's handler. */
export interface ActionPayload {
  readonly action: string;
  readonly handler: string;
  readonly when: 'pre' | 'post';
  readonly data: JsonObject;
}

/** A change of the history shown to the model, by a context strategy. A summarizing strategy uses `prompt`. */
export interface ContextPayload {
  readonly strategy: string;
  readonly prompt: string;
}

/** One run of a catalog node that the step cannot compute. A task flow's log contains input and config. */
export interface TaskPayload {
  readonly type: string;
  readonly input?: Json;
  readonly config?: JsonObject;
}

/** The end of a flow, performed after all earlier speech. `returns` names the calling flow. */
export interface EndPayload {
  readonly reason: string;
  readonly returns: FlowRef | null;
  /** Unanswered words of the caller, for the flow that continues. */
  readonly inbound?: InboundWords;
}

/**
 * Continues a generator, from its start or with the answer to its last yield. With `step` above 0 and no answer it only
 * replays the recorded steps, to verify that the generator still repeats them.
 */
export interface AdvancePayload {
  /** Identifies this run of the generator within the session. */
  readonly run: number;
  /** Number of recorded yields. */
  readonly step: number;
  readonly answer: GeneratorAnswer | null;
}

/** Hands the conversation to another flow. */
export interface HandoffPayload {
  readonly to: string;
  readonly input: Json;
  /** A reply routed here. The caller speaks next when that flow ends; if the flow is unavailable, nothing changes. */
  readonly routed?: true;
  /** The requesting flow failed and this is its fallback, not an intended handoff. */
  readonly fallback?: true;
  /** Words of the caller for the other flow. */
  readonly inbound?: InboundWords;
}

interface EffectOf<Kind extends string, Payload> {
  readonly key: EffectKey;
  readonly kind: Kind;
  readonly state: EffectState;
  readonly node: string;
  readonly visit: number;
  readonly payload: Payload;
  /** Epoch milliseconds after which the effect is overdue. */
  readonly deadline?: number;
  readonly result?: Json;
}

/** A yes-no question to the caller. */
export type Confirmation = EffectOf<'wait', ConfirmWait>;

/** A wait for something outside the call. */
export type Waiting = EffectOf<'wait', OutsideWait>;

/** All effects of a session on the world. Closed: a host performs every kind. */
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

/** Effects that other processes may claim or resolve. The session performs all others itself. */
export type SharedEffectKind = 'tool' | 'wait' | 'action' | 'task' | 'message';
