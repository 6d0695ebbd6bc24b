import type { Effect, EffectKey, SharedEffectKind } from '../effect.ts';
import type { Event } from '../events/event.ts';
import type { InboxEntry } from '../inbox.ts';
import type { Json, JsonObject } from '../json.ts';
import type { Signal } from '../signals/signal.ts';
import type { InboxStore } from './inbox.ts';

/** A logged signal; `seq` counts a session's signals from 1. */
export interface LoggedSignal {
  readonly seq: number;
  readonly signal: Signal;
}

/** Ownership of a session. `token` grows with every acquisition, and the store rejects commits under an older token. */
export interface Lease {
  readonly sessionId: string;
  readonly owner: string;
  readonly token: number;
  /** Epoch milliseconds by the store's clock. */
  readonly expiresAt: number;
  /**
   * Distinguishes this session from a deleted one with the same id: greater than the incarnation of every deleted
   * session. Absent if the store has deleted none.
   */
  readonly incarnation?: number;
}

/** A session at its last commit. */
export interface SessionSnapshot {
  readonly sessionId: string;
  readonly seq: number;
  readonly stateVersion: number;
  readonly state: Json;
  readonly graphHash: string;
}

/** One transaction: the store writes all of it or nothing. */
export interface StepCommit {
  readonly lease: Lease;
  /** The `seq` the writer started from. The commit fails if another writer has committed since. */
  readonly baseSeq: number;
  /** Keys of the inputs that this step consumed. */
  readonly inputKeys: readonly string[];
  readonly signals: readonly LoggedSignal[];
  readonly state: Json;
  readonly stateVersion: number;
  readonly graphHash: string;
  /** Effects that the step created or changed. */
  readonly effects: readonly Effect[];
  /** Events since the previous step. A function, because a store that does not keep events never builds them. */
  readonly events: () => readonly Event[];
  /** Entries for this or other sessions. Entries whose key is already known are skipped. */
  readonly posts?: readonly InboxEntry[];
  /** Keys of entries, open or dead, to delete before the posts. */
  readonly withdraws?: readonly string[];
}

/**
 * A store that works by turns: `claimInbound` claims an input, and the writes of its turn become visible together or
 * not at all.
 */
export interface DurableStore {
  claimInbound(inputKey: string): Promise<'claimed' | 'duplicate'>;
  loadSessionSnapshot(sessionId: string): Promise<SessionSnapshot | null>;
  beginTurn(input: TurnTxInput): Promise<TurnTransaction>;
}

export interface TurnTxInput {
  readonly sessionId: string;
  readonly inputKey: string;
  readonly lease: Lease;
}

/**
 * The writes of one durable turn. They become visible on `complete`, which stores its result as the effect
 * `INPUT/turn`. After `fail` only the audit record `turn:fail` with code and message remains.
 */
export interface TurnTransaction {
  appendEvent(event: Event): Promise<void>;
  upsertCheckpoint(checkpoint: SessionSnapshot): Promise<void>;
  upsertWait(wait: WaitRecord): Promise<void>;
  enqueueOutbox(intent: OutboxIntent): Promise<void>;
  complete(result: JsonObject): Promise<void>;
  fail(error: { readonly code: string; readonly message: string }): Promise<void>;
}

/** An open wait, as a view of one effect. */
export interface WaitRecord {
  readonly waitId: EffectKey;
  readonly type: 'confirm' | 'admin_resolution' | 'proxy_input' | 'timeout' | 'scheduler' | 'transfer';
  readonly sessionId: string;
  readonly flowId?: string;
  readonly escalationId?: string;
  readonly proxyId?: string;
  readonly scheduleId?: string;
  /** Epoch milliseconds. */
  readonly deadline?: number;
  /** Version of the resolution format. */
  readonly resumeVersion: number;
  /** JSON Schema of a resolution; absent if any value resolves the wait. */
  readonly resumeSchema?: JsonObject;
}

/** An effect that is intended and not yet started. */
export interface OutboxIntent {
  readonly intentId: EffectKey;
  readonly sessionId: string;
  readonly kind: Effect['kind'];
  readonly payload: Json;
}

/** Open waits, as a view of the effects. */
export interface WaitRegistry {
  register(wait: WaitRecord): Promise<void>;
  resolve(waitId: EffectKey, payload: unknown): Promise<void>;
  timeoutDue(now: Date, limit: number): Promise<WaitRecord[]>;
}

/** Outgoing effects, as a view of the effects. */
export interface OutboxDispatcher {
  claim(limit: number): Promise<OutboxIntent[]>;
  markSent(intentId: EffectKey, metadata?: JsonObject): Promise<void>;
  markFailed(intentId: EffectKey, reason: string, retryAt?: Date): Promise<void>;
}

/** A session in a list. */
export interface SessionSummary {
  readonly sessionId: string;
  readonly seq: number;
  readonly graphHash: string;
  /** Time of the last commit, in epoch milliseconds. */
  readonly updatedAt: number;
  /** The last lease that was not released, expired or not; null if the session has no owner. */
  readonly lease: Pick<Lease, 'owner' | 'token' | 'expiresAt'> | null;
}

/** Selects open effects, at most `limit`. */
export interface OpenEffectQuery {
  readonly kind: SharedEffectKind;
  readonly limit: number;
  /** Only effects whose deadline has passed at this time, the earliest first. */
  readonly dueBy?: number;
  /** Only waits for the event of this name. */
  readonly event?: string;
  /**
   * Only effects after this one, in a stable order that the store defines; null starts at the beginning. Cannot be
   * combined with `dueBy`.
   */
  readonly after?: EffectAddress | null;
}

/** The address of an effect. */
export interface EffectAddress {
  readonly sessionId: string;
  readonly key: EffectKey;
}

/** An unsettled effect and its session. */
export interface OpenEffect {
  readonly sessionId: string;
  readonly effect: Effect;
  /** Number of failed deliveries and the last reason; absent if no delivery failed. */
  readonly failed?: { readonly times: number; readonly reason: string };
}

/** The address of an effect. */
export interface EffectOf {
  readonly sessionId: string;
  readonly key: EffectKey;
}

/** The place of a session's caller, for placing a new agent in the same call. */
export interface KeptCall {
  readonly sessionId: string;
  readonly place: JsonObject;
}

/** A call whose session has no owner. */
export interface LostCall extends KeptCall {
  /** When the loss was detected, in epoch milliseconds. */
  readonly lostAt: number;
}

/** A call whose session has an owner, which may have crashed. */
export interface HeldCall {
  readonly sessionId: string;
  readonly owner: string;
}

/**
 * Storage for sessions. `openStore` opens a built-in store; a custom store must pass `describeStore` of
 * `roomflow/testing/store`. `createDurableStore`, `createWaitRegistry` and `createOutboxDispatcher` are views of any
 * store.
 */
export interface Store extends InboxStore {
  /**
   * Acquires a session under a new token. An existing lease of the same owner name, or of the owner `from`, is revoked.
   * Returns null while another owner's lease is valid. A lease that expires further in the future than its length
   * allows counts as expired, because its clock was wrong.
   */
  acquireLease(sessionId: string, owner: string, ttlMs: number, from?: string): Promise<Lease | null>;
  /**
   * Extends a lease to `ttlMs` from now, also an expired lease that was not reacquired. Returns null if the lease was
   * taken or released. The owner can rename itself under the same token.
   */
  renewLease(lease: Lease, ttlMs: number): Promise<Lease | null>;
  releaseLease(lease: Lease): Promise<void>;
  wasConsumed(inputKey: string): Promise<boolean>;
  loadSnapshot(sessionId: string): Promise<SessionSnapshot | null>;
  loadEffects(sessionId: string): Promise<readonly Effect[]>;
  readLog(sessionId: string, fromSeq?: number): Promise<readonly LoggedSignal[]>;
  /**
   * Returns the events of the session's commits in order. With `fromSeq`, only those of commits that ended at this
   * sequence or later. A commit can contain events without a signal, so events of the last known sequence may repeat.
   */
  readEvents(sessionId: string, fromSeq?: number): Promise<readonly Event[]>;
  /**
   * Lists sessions by last commit, the latest first: all, the one with this id, those whose id has this prefix, or those
   * whose last commit was before this time (epoch milliseconds). A lookup by id also returns an owned session without a
   * commit, with `seq` 0 and an empty `graphHash`.
   */
  listSessions(
    limit: number,
    of?: { readonly id: string } | { readonly prefix: string } | { readonly before: number },
  ): Promise<readonly SessionSummary[]>;
  /** Returns effects of one kind that are intended or started, of any session. */
  openEffects(query: OpenEffectQuery): Promise<readonly OpenEffect[]>;
  /**
   * Claims intended effects of one kind for `ttlMs`, so that no other dispatcher gets them meanwhile. Messages come
   * from any session; other kinds only from unowned sessions, because an owner performs them itself.
   */
  claimEffects(query: { kind: SharedEffectKind; ttlMs: number; limit: number }): Promise<readonly OpenEffect[]>;
  /**
   * Makes claimed effects claimable again at `until` (epoch milliseconds), or never if null, because they were sent. A
   * `reason` records a failed delivery. Ignores unknown keys.
   */
  holdEffects(effects: readonly EffectOf[], until: number | null, reason?: string): Promise<void>;
  /**
   * Stores the place of a session's caller and marks the call as not lost. With `unlessKept`, only if no place is
   * stored.
   */
  keepCall(call: KeptCall, unlessKept?: boolean): Promise<void>;
  /** Claims for `ttlMs` calls whose session has no owner, the least recently claimed first. */
  claimLostCalls(query: { ttlMs: number; limit: number }): Promise<readonly LostCall[]>;
  /** Returns stored calls of sessions whose owner's name has this prefix. */
  heldCalls(query: { ownedBy: string; limit: number }): Promise<readonly HeldCall[]>;
  dropCall(sessionId: string): Promise<void>;
  /**
   * Writes a step. Throws a FlowError `lease-lost` or `store-conflict` if another owner or writer was faster. If the
   * response to a commit is lost, the store looks it up before it retries, so a commit is never applied twice.
   */
  commit(commit: StepCommit): Promise<void>;
  saveGraph(hash: string, document: Json): Promise<void>;
  loadGraph(hash: string): Promise<Json | null>;
  /**
   * Deletes everything about a session, including its id, and ends the lease. Throws `lease-lost` if another owner
   * holds the lease.
   */
  deleteSession(lease: Lease): Promise<void>;
  /**
   * Forgets inputs that were consumed before this time (epoch milliseconds) and returns their number. Duplicates of
   * them are no longer detected.
   */
  forgetInputs(consumedBefore: number): Promise<number>;
  /**
   * Calls the listener soon after each commit that adds an effect other than speech; commits of other processes are
   * included if the store can observe them. Returns a function that removes the listener.
   */
  watch(listener: () => void): () => void;
  close(): Promise<void>;
}
