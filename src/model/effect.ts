import type { FlowRef } from './flow-ref.ts';
import type { GeneratorAnswer, InboundWords } from './signals/generator-yield.ts';
import type { Json, JsonObject } from './json.ts';
import type { CallWait, OutsideWait } from './outside-wait.ts';
import type { Provenance } from './provenance.ts';
import type { TransferPayload } from './transfer.ts';

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

/** Keys that the agent presses, such as in the menu of another telephone system; `w` is a pause of half a second. */
export interface KeysPayload {
  readonly keys: string;
  readonly when: 'pre' | 'post';
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
  | EffectOf<'keys', KeysPayload>
  | EffectOf<'transfer', TransferPayload>
  | EffectOf<'message', MessagePayload>;

export type EffectKind = Effect['kind'];

/** Effects that other processes may claim or resolve. The session performs all others itself. */
export type SharedEffectKind = 'tool' | 'wait' | 'action' | 'task' | 'message';

/** The properties of a kind of effect that other parts depend on. The performer has one function per kind. */
interface EffectTraits<IsShared extends boolean = boolean> {
  /** Speech of the agent. */
  readonly speaks: boolean;
  /** The caller must hear it; of a wait, only a question to the caller. */
  readonly needsListener: boolean | 'question';
  /** It leads to the next words for the caller. */
  readonly answers: boolean;
  /** Its outcome decides what is said next. Until then the flow asks nothing. */
  readonly isWork: boolean;
  /** This process runs something for it. A copy of the session does not repeat it. */
  readonly runs: boolean;
  /** Other processes may claim or resolve it. */
  readonly isShared: IsShared;
  /** A dispatcher performs it even while the session has an owner; a person or an event answers it. */
  readonly performedBy: 'session' | 'dispatcher' | 'answer';
  /** `effect:settled` settles it. If false, another signal does. */
  readonly isSettledByHost: boolean;
  /** The store keeps its result or error. */
  readonly keepsOutcome: boolean;
  /** In the next process: performed again, forgotten because the heard part is unknown, or left open for its answer. */
  readonly onResume: 'again' | 'forgotten' | 'open';
}

const speech = {
  speaks: true,
  needsListener: true,
  answers: true,
  runs: false,
  isShared: false,
  performedBy: 'session',
  keepsOutcome: false,
  onResume: 'forgotten',
} as const;

/** Work of the session itself. */
const own = {
  speaks: false,
  needsListener: false,
  answers: true,
  isWork: true,
  runs: true,
  isShared: false,
  performedBy: 'session',
  keepsOutcome: false,
  onResume: 'again',
} as const;

/** Work of which the caller hears nothing. */
const beside = { ...own, answers: false, isWork: false, isSettledByHost: true } as const;

/** All sets of kinds are derived from this table. A new kind needs its type and its row here, and its case in the performer. */
export const effectKinds = {
  say: { ...speech, isWork: false, isSettledByHost: true },
  reply: { ...speech, isWork: true, isSettledByHost: false },
  tool: { ...own, isShared: true, isSettledByHost: false },
  wait: {
    ...beside,
    needsListener: 'question',
    runs: false,
    isShared: true,
    performedBy: 'answer',
    isSettledByHost: false,
    onResume: 'open',
  },
  action: { ...beside, isShared: true, keepsOutcome: true },
  context: beside,
  task: { ...own, isShared: true, isSettledByHost: true },
  advance: { ...own, isSettledByHost: false },
  handoff: { ...own, isSettledByHost: true },
  end: { ...own, isWork: false, runs: false, isSettledByHost: true },
  transfer: { ...beside, isSettledByHost: false, performedBy: 'answer' },
  // A menu does not wait for another process.
  keys: { ...beside, onResume: 'forgotten' },
  message: { ...beside, runs: false, isShared: true, performedBy: 'dispatcher', keepsOutcome: true },
} as const satisfies { readonly [Kind in EffectKind]: EffectTraits<Kind extends SharedEffectKind ? true : false> };

/** Returns the kinds with a property, in the order of the table. */
export function kindsThat(has: (traits: EffectTraits, kind: EffectKind) => boolean): readonly EffectKind[] {
  return (Object.keys(effectKinds) as EffectKind[]).filter((kind) => has(effectKinds[kind], kind)); // Its own keys.
}

/** Checks whether other processes may claim or resolve effects of a kind. */
export function isShared(kind: EffectKind): kind is SharedEffectKind {
  return effectKinds[kind].isShared;
}
