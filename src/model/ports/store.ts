import type { Effect, EffectKey, SharedEffectKind } from '../effect.ts';
import type { Event } from '../events/event.ts';
import type { InboxEntry } from '../inbox.ts';
import type { Json, JsonObject } from '../json.ts';
import type { Signal } from '../signals/signal.ts';
import type { AuditStore, InboxStore } from './inbox.ts';

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
  readonly after?: EffectOf | null;
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

/** Selects sessions, at most `limit`, by at most one of the conditions. */
export interface SessionQuery {
  readonly limit: number;
  /** Only this session; also an owned session without a commit, with `seq` 0 and an empty `graphHash`. */
  readonly id?: string;
  /** Only sessions whose id has this prefix. */
  readonly prefix?: string;
  /** Only sessions whose last commit was before this time, in epoch milliseconds. */
  readonly before?: number;
}

/** Sessions at their last commit. */
export interface SessionStore {
  get(sessionId: string): Promise<SessionSnapshot | null>;
  /** Lists sessions by last commit, the latest first. */
  list(query: SessionQuery): Promise<readonly SessionSummary[]>;
  /**
   * Deletes everything about a session, including its id, and ends the lease. Throws `lease-lost` if another owner
   * holds the lease.
   */
  delete(lease: Lease): Promise<void>;
}

/** Compiled flows by their hash. */
export interface GraphStore {
  /** Stores a flow. Does nothing if the hash is known. */
  save(hash: string, document: Json): Promise<void>;
  get(hash: string): Promise<Json | null>;
}

/** Ownership of sessions. */
export interface LeaseStore {
  /**
   * Acquires a session for `ttlMs` under a new token. An existing lease of the same owner name, or of the owner `from`,
   * is revoked. Returns null while another owner's lease is valid. A lease that expires further in the future than its
   * length allows counts as expired, because its clock was wrong.
   */
  acquire(request: {
    readonly sessionId: string;
    readonly owner: string;
    readonly ttlMs: number;
    readonly from?: string | undefined;
  }): Promise<Lease | null>;
  /**
   * Extends a lease to `ttlMs` from now, also an expired lease that was not reacquired. Returns null if the lease was
   * taken or released. The owner can rename itself under the same token.
   */
  renew(lease: Lease, ttlMs: number): Promise<Lease | null>;
  release(lease: Lease): Promise<void>;
}

/** Places of callers, for placing a new agent in a call whose process crashed. */
export interface CallStore {
  /**
   * Stores the place of a session's caller and marks the call as not lost. With `unlessKept`, only if no place is
   * stored.
   */
  save(call: KeptCall, options?: { readonly unlessKept?: boolean }): Promise<void>;
  /** Returns stored calls of sessions whose owner's name has this prefix. */
  list(query: { readonly ownedBy: string; readonly limit: number }): Promise<readonly HeldCall[]>;
  /** Claims for `ttlMs` calls whose session has no owner, the least recently claimed first. */
  claimLost(query: { readonly ttlMs: number; readonly limit: number }): Promise<readonly LostCall[]>;
  delete(sessionId: string): Promise<void>;
}

/** Commits of sessions, with the signals and events they contain. */
export interface StepStore {
  /**
   * Writes a step. Throws a FlowError `lease-lost` or `store-conflict` if another owner or writer was faster. If the
   * response to a commit is lost, the store looks it up before it retries, so a commit is never applied twice.
   */
  create(commit: StepCommit): Promise<void>;
  /** Returns the signals of a session in order, from `fromSeq` on. */
  list(sessionId: string, fromSeq?: number): Promise<readonly LoggedSignal[]>;
  /**
   * Returns the events of the session's commits in order. With `fromSeq`, only those of commits that ended at this
   * sequence or later. A commit can contain events without a signal, so events of the last known sequence may repeat.
   */
  listEvents(sessionId: string, fromSeq?: number): Promise<readonly Event[]>;
}

/** Effects of sessions. Commits write them. */
export interface EffectStore {
  /** Returns the effects of a session. */
  list(sessionId: string): Promise<readonly Effect[]>;
  /** Returns effects of one kind that are intended or started, of any session. */
  listOpen(query: OpenEffectQuery): Promise<readonly OpenEffect[]>;
  /**
   * Claims intended effects of one kind for `ttlMs`, so that no other dispatcher gets them meanwhile. Messages come
   * from any session; other kinds only from unowned sessions, because an owner performs them itself.
   */
  claim(query: { kind: SharedEffectKind; ttlMs: number; limit: number }): Promise<readonly OpenEffect[]>;
  /**
   * Makes claimed effects claimable again at `until` (epoch milliseconds), or never if null, because they were sent. A
   * `reason` records a failed delivery. Ignores unknown keys.
   */
  update(
    effects: readonly EffectOf[],
    change: { readonly until: number | null; readonly reason?: string | undefined },
  ): Promise<void>;
}

/**
 * Storage for sessions, by nouns. `openStore` opens a built-in store; a custom store must pass `describeStore` of
 * `roomflow/testing/store`. `createDurableStore`, `createWaitRegistry` and `createOutboxDispatcher` are views of any
 * store.
 */
export interface Store {
  readonly sessions: SessionStore;
  readonly steps: StepStore;
  readonly graphs: GraphStore;
  readonly effects: EffectStore;
  readonly inbox: InboxStore;
  readonly audit: AuditStore;
  readonly leases: LeaseStore;
  readonly calls: CallStore;
  /**
   * Calls the listener soon after each commit that adds an effect other than speech; commits of other processes are
   * included if the store can observe them. Returns a function that removes the listener.
   */
  watch(listener: () => void): () => void;
  close(): Promise<void>;
}
