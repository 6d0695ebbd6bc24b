import type { EffectKey } from './effect.ts';
import type { Reach } from './outside-wait.ts';

export type { Reach } from './outside-wait.ts';
import type { Json, JsonObject } from './json.ts';

/** An actor, as `resolveActor` returns it; `id` is the application's. */
export interface ActorRef {
  readonly id: string;
  readonly name?: string;
}

/** Ids that relate an entry to its wait, schedule or campaign. `scheduledFor` is in epoch milliseconds. */
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
  /** Number of a call that repeats earlier ones, which reached no person, and whether one of them has left a message. */
  readonly callAttempt?: number;
  readonly messageLeft?: true;
}

/** A signal for a session from outside its call. Closed, and JSON: the time is added when a step takes it. */
export type OutsideSignal =
  /** A wait was answered; `resolution` meets the wait's schema. */
  | { readonly type: 'wait:resolved'; readonly key: EffectKey; readonly resolution: JsonObject }
  /** The deadline of a wait has passed. */
  | { readonly type: 'wait:expired'; readonly key: EffectKey }
  /** Words from outside the call: from a person on the caller's behalf, a text channel, or a schedule. */
  | {
      readonly type: 'user:turn';
      readonly eventId: string;
      readonly text: string;
      readonly via: 'proxy' | 'message' | 'scheduled';
    }
  /** A host registered a wait that the flow does not know. It is answered like a wait of the flow. */
  | {
      readonly type: 'wait:registered';
      readonly key: EffectKey;
      readonly wait: 'confirm' | 'admin_resolution' | 'proxy_input' | 'timeout' | 'scheduler' | 'transfer';
      /** The ids of the wait and the schema of its resolution, in the form of an effect's payload. */
      readonly payload: JsonObject;
      /** Epoch milliseconds. */
      readonly deadline?: number;
    }
  /** A run that a pending call started has ended: the call can be answered. */
  | { readonly type: 'run:ended'; readonly key: EffectKey }
  /** A person takes the conversation over; the agent is silent until the takeover ends. */
  | { readonly type: 'takeover:started'; readonly participant?: string }
  /** Words that the agent's voice speaks for the person. */
  | { readonly type: 'takeover:said'; readonly text: string }
  /** Words that the person said to the caller, as recognized. */
  | { readonly type: 'takeover:heard'; readonly text: string }
  /** The agent continues, at `node` if given; `note` is shown to the model. */
  | { readonly type: 'takeover:ended'; readonly node?: string; readonly note?: string }
  /** The first turn of a session that a schedule or a campaign begins. */
  | { readonly type: 'session:started'; readonly flow: string; readonly input: JsonObject }
  | { readonly type: 'node:requested'; readonly to: string }
  /** Another process performed an effect, for example sent a message. */
  | {
      readonly type: 'effect:settled';
      readonly key: EffectKey;
      readonly state: 'done' | 'failed' | 'cancelled';
      readonly result?: Json;
      readonly error?: string;
    }
  /** A schedule is due: its session posts the run and the next due time. */
  | { readonly type: 'schedule:due' }
  /** The next page of a campaign's recipients is due. */
  | { readonly type: 'campaign:due' }
  /** The session's person should be called, if there is something to say and no call is active. */
  | { readonly type: 'call:due' }
  /**
   * The session's worker hands it over or may have crashed: another process should continue. `callOver`: the call ended
   * for this reason and the caller will not return, so the conversation ends unless it has an open wait.
   */
  | { readonly type: 'session:left'; readonly callOver?: 'room-closed' | 'worker-stopped' }
  /** The session ends if it was last used this long ago, in milliseconds, and waits for nothing. */
  | { readonly type: 'session:idle'; readonly afterMs: number }
  /** The session has ended: another process puts its outcome together. `endedAt` is in epoch milliseconds. */
  | { readonly type: 'outcome:due'; readonly outcome: string; readonly endedAt: number }
  /** Another process delivers the outcome of the session. The body is the same in each attempt. */
  | { readonly type: 'outcome:ready'; readonly id: string; readonly body: string };

/** An inbox entry: a signal with a key, an address and a due time. */
export interface InboxEntry {
  /** Identity for deduplication. The commit that the entry causes consumes it as an input key. */
  readonly key: string;
  readonly sessionId: string;
  /** Epoch milliseconds; the current time for immediate delivery. */
  readonly dueAt: number;
  readonly signal: OutsideSignal;
  readonly reach: Reach;
  readonly correlation: EntryCorrelation;
  /** The actor who posted it; null for the store, schedules and dispatchers. */
  readonly actor: ActorRef | null;
}

/** A privileged act, allowed or denied. `hash` chains it to the previous record, so a deletion is detectable. */
export interface AuditRecord {
  /** Grows by one within a store. */
  readonly seq: number;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly actor: ActorRef | null;
  /** The act: `wait:resolve`, `proxy:say`, `takeover:start`, `inbox:repost` and so on. */
  readonly action: string;
  readonly outcome: 'allowed' | 'denied';
  readonly sessionId: string | null;
  /** Facts without speech: the wait's key, the decision, the hash of the facts shown, the reason for a denial. */
  readonly details: JsonObject;
  /** SHA-256 in hex over the previous hash and this record without its own. */
  readonly hash: string;
}
