import type { EffectKey, Reach } from './effect.ts';

export type { Reach } from './effect.ts';
import type { Json, JsonObject } from './json.ts';

/** Who has done something, as `resolveActor` tells it; `id` is theirs in the application. */
export interface ActorRef {
  readonly id: string;
  readonly name?: string;
}

/** What an entry belongs to, besides its session. Epoch milliseconds for `scheduledFor`. */
export interface EntryCorrelation {
  readonly escalationId?: string;
  readonly proxyId?: string;
  readonly scheduleId?: string;
  readonly campaignId?: string;
  readonly segmentId?: string;
  readonly recipientUserExternalId?: string;
  readonly triggerType?: 'at' | 'every' | 'cron' | 'manual' | 'followup' | 'campaign';
  readonly scheduledFor?: number;
  readonly runAttempt?: number;
}

/** What reaches a session from outside of its call. Closed, and JSON: the moment of the step is added when it is taken. */
export type OutsideSignal =
  /** Somebody has answered a wait; `resolution` meets the wait's schema. */
  | { readonly type: 'wait:resolved'; readonly key: EffectKey; readonly resolution: JsonObject }
  /** The deadline of a wait has come. */
  | { readonly type: 'wait:expired'; readonly key: EffectKey }
  /** Words that did not come through the call: of a person in the caller's stead, by a text channel, of a schedule. */
  | {
      readonly type: 'user:turn';
      readonly eventId: string;
      readonly text: string;
      readonly via: 'proxy' | 'message' | 'scheduled';
    }
  /** A host waits for something that the flow knows nothing of; it is answered like a wait of the flow. */
  | {
      readonly type: 'wait:registered';
      readonly key: EffectKey;
      readonly wait: 'confirm' | 'admin_resolution' | 'proxy_input' | 'timeout' | 'scheduler';
      /** What the wait belongs to, and what may resolve it, as its effect keeps it. */
      readonly payload: JsonObject;
      /** Epoch milliseconds. */
      readonly deadline?: number;
    }
  /** The run that a pending call of the session has begun has ended: the call can be answered. */
  | { readonly type: 'run:ended'; readonly key: EffectKey }
  /** A person takes the conversation over; the agent is silent until it ends. */
  | { readonly type: 'takeover:started'; readonly participant?: string }
  /** Words that the agent's voice says for the person who has taken over. */
  | { readonly type: 'takeover:said'; readonly text: string }
  /** Words that the person said to the caller, as a recogniser heard them. */
  | { readonly type: 'takeover:heard'; readonly text: string }
  /** The agent goes on, at a node where one is named; `note` is shown to the model. */
  | { readonly type: 'takeover:ended'; readonly node?: string; readonly note?: string }
  /** The first turn of a session that a schedule or a campaign begins. */
  | { readonly type: 'session:started'; readonly flow: string; readonly input: JsonObject }
  | { readonly type: 'node:requested'; readonly to: string }
  /** An effect that somebody else has performed, such as a message that was sent. */
  | {
      readonly type: 'effect:settled';
      readonly key: EffectKey;
      readonly state: 'done' | 'failed' | 'cancelled';
      readonly result?: Json;
      readonly error?: string;
    }
  /** A schedule's time has come: its own little session posts the run and the next tick. */
  | { readonly type: 'schedule:due' }
  /** A campaign's next page of recipients is to be read. */
  | { readonly type: 'campaign:due' }
  /** The person of the session is to be called, if something is to be said to them and nobody talks to them. */
  | { readonly type: 'call:due' }
  /**
   * Who works on a session hands it over, or may have died in the middle: somebody else is to go on with it. `callOver`: the call
   * is over for this reason and nobody comes back to it, so that the conversation ends unless something is waited for.
   */
  | { readonly type: 'session:left'; readonly callOver?: 'room-closed' | 'worker-stopped' };

/** One entry of the inbox: a signal with a key, an address and a due time. */
export interface InboxEntry {
  /** Identity: what is posted twice is taken once; consumed as an input key by the commit that it causes. */
  readonly key: string;
  readonly sessionId: string;
  /** Epoch milliseconds; now for as soon as possible. */
  readonly dueAt: number;
  readonly signal: OutsideSignal;
  readonly reach: Reach;
  readonly correlation: EntryCorrelation;
  /** Who has posted it; null for the store itself, schedules and dispatchers. */
  readonly actor: ActorRef | null;
}

/** A privileged act, or one that was denied. `hash` chains it to the record before it, so that a deleted one shows. */
export interface AuditRecord {
  /** Grows by one within a store. */
  readonly seq: number;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly actor: ActorRef | null;
  /** What was done or denied: `wait:resolve`, `proxy:say`, `takeover:start`, `inbox:repost` and so on. */
  readonly action: string;
  readonly outcome: 'allowed' | 'denied';
  readonly sessionId: string | null;
  /** Facts for the reader, without speech: the wait's key, the decision, the hash of the facts shown, why it was denied. */
  readonly details: JsonObject;
  /** SHA-256, as hex, of the record before it and this one without its hash. */
  readonly hash: string;
}
