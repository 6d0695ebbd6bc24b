import type { Effect, EffectKey, SharedEffectKind } from '../events/effect.ts';
import type { Event } from '../events/event.ts';
import type { InboxEntry } from '../events/inbox.ts';
import type { Json, JsonObject } from '../events/json.ts';
import type { Signal } from '../events/signal.ts';
import type { InboxStore } from './inbox.ts';

/** A signal as the log holds it: `seq` counts a session's signals from 1. */
export interface LoggedSignal {
  readonly seq: number;
  readonly signal: Signal;
}

/** Who owns a session; `token` grows with every taking, and a store refuses a commit under an older one. */
export interface Lease {
  readonly sessionId: string;
  readonly owner: string;
  readonly token: number;
  /** Epoch milliseconds, by the clock of the store. */
  readonly expiresAt: number;
  /**
   * Tells a session that begins under this lease from one of the same id that was deleted before: greater than for each session
   * that the store has deleted. Absent if it has deleted none.
   */
  readonly incarnation?: number;
}

/** A session as last committed. */
export interface SessionSnapshot {
  readonly sessionId: string;
  readonly seq: number;
  readonly stateVersion: number;
  readonly state: Json;
  readonly graphHash: string;
}

/** One transaction: all of it becomes durable, or nothing. */
export interface StepCommit {
  readonly lease: Lease;
  /** The `seq` the writer started from; another writer's commit in between makes this one fail. */
  readonly baseSeq: number;
  /** Inbound identities that this step consumed. */
  readonly inputKeys: readonly string[];
  readonly signals: readonly LoggedSignal[];
  readonly state: Json;
  readonly stateVersion: number;
  readonly graphHash: string;
  /** Effects intended or changed by the step. */
  readonly effects: readonly Effect[];
  /** What was told since the step before: a function, because a store that is never asked for them makes none. */
  readonly events: () => readonly Event[];
  /** Entries, of this session or others; one whose key is known already is left as it is. */
  readonly posts?: readonly InboxEntry[];
  /** Keys of entries, open or dead, that are deleted before others are posted. */
  readonly withdraws?: readonly string[];
}

/** A store by turns: an input is claimed, and what its turn writes becomes visible at once or not at all. */
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
 * What one durable turn writes. Nothing is visible before `complete`, which keeps its result as the effect `INPUT/turn`; after
 * `fail` nothing is, but for the audit record `turn:fail` with code and message.
 */
export interface TurnTransaction {
  appendEvent(event: Event): Promise<void>;
  upsertCheckpoint(checkpoint: SessionSnapshot): Promise<void>;
  upsertWait(wait: WaitRecord): Promise<void>;
  enqueueOutbox(intent: OutboxIntent): Promise<void>;
  complete(result: JsonObject): Promise<void>;
  fail(error: { readonly code: string; readonly message: string }): Promise<void>;
}

/** An open wait: a view of one effect. */
export interface WaitRecord {
  readonly waitId: EffectKey;
  readonly type: 'confirm' | 'admin_resolution' | 'proxy_input' | 'timeout' | 'scheduler';
  readonly sessionId: string;
  readonly flowId?: string;
  readonly escalationId?: string;
  readonly proxyId?: string;
  readonly scheduleId?: string;
  /** Epoch milliseconds. */
  readonly deadline?: number;
  /** Of the form of resolutions. */
  readonly resumeVersion: number;
  /** JSON Schema of what may resolve it; anything where absent. */
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

/** Intended effects on their way out, as a view of the effects. */
export interface OutboxDispatcher {
  claim(limit: number): Promise<OutboxIntent[]>;
  markSent(intentId: EffectKey, metadata?: JsonObject): Promise<void>;
  markFailed(intentId: EffectKey, reason: string, retryAt?: Date): Promise<void>;
}

/** A session in a list of sessions. */
export interface SessionSummary {
  readonly sessionId: string;
  readonly seq: number;
  readonly graphHash: string;
  /** When it was last committed, in epoch milliseconds. */
  readonly updatedAt: number;
  /** Who took the lease last and has not released it, run out or not; null where nobody owns the session. */
  readonly lease: Pick<Lease, 'owner' | 'token' | 'expiresAt'> | null;
}

/** Which open effects are asked for, `limit` of them at most. */
export interface OpenEffectQuery {
  readonly kind: SharedEffectKind;
  readonly limit: number;
  /** Those whose deadline has come by then, the earliest first. */
  readonly dueBy?: number;
  /** Waits for the event of this name. */
  readonly event?: string;
  /**
   * Those past this one in an order of the store's own that stays as it is, whatever settles meanwhile; null for the first
   * ones. Not together with `dueBy`.
   */
  readonly after?: EffectAddress | null;
}

/** Where an effect is found. */
export interface EffectAddress {
  readonly sessionId: string;
  readonly key: EffectKey;
}

/** An effect that has not settled, and the session it belongs to. */
export interface OpenEffect {
  readonly sessionId: string;
  readonly effect: Effect;
  /** How often it could not be delivered, and why the last time; absent where it never failed. */
  readonly failed?: { readonly times: number; readonly reason: string };
}

/** Names an effect of a session. */
export interface EffectOf {
  readonly sessionId: string;
  readonly key: EffectKey;
}

/** Where the caller of a session is, for whoever has to call an agent there again. */
export interface KeptCall {
  readonly sessionId: string;
  readonly place: JsonObject;
}

/** A call whose session nobody owns. */
export interface LostCall extends KeptCall {
  /** When that was found, in epoch milliseconds. */
  readonly lostAt: number;
}

/** A call whose session somebody owns, who may have died. */
export interface HeldCall {
  readonly sessionId: string;
  readonly owner: string;
}

/**
 * Where sessions are kept. `openStore` opens one; one of your own must pass `describeStore` of `roomflow/testing/store`.
 * `createDurableStore`, `createWaitRegistry` and `createOutboxDispatcher` are views of any.
 */
export interface Store extends InboxStore {
  /**
   * Takes a session over, under a new token: also from an owner of the same name, who is shut out by it. Null while
   * another owner's lease has not expired; one that ends later than its length from now has, for its clock was wrong. The
   * lease of the owner `from` is taken over as one of the same name is.
   */
  acquireLease(sessionId: string, owner: string, ttlMs: number, from?: string): Promise<Lease | null>;
  /**
   * Lets a lease last for `ttlMs` from now on, also one that has run out and nobody took; null where it was taken or released.
   * The owner may give itself another name, under the same token.
   */
  renewLease(lease: Lease, ttlMs: number): Promise<Lease | null>;
  releaseLease(lease: Lease): Promise<void>;
  wasConsumed(inputKey: string): Promise<boolean>;
  loadSnapshot(sessionId: string): Promise<SessionSnapshot | null>;
  loadEffects(sessionId: string): Promise<readonly Effect[]>;
  readLog(sessionId: string, fromSeq?: number): Promise<readonly LoggedSignal[]>;
  /**
   * The events that the session's commits carried, in their order; with `fromSeq` of the commits that left its log at this
   * sequence or a later one. A commit may carry events and no signal, so those of the last sequence known may be given again.
   */
  readEvents(sessionId: string, fromSeq?: number): Promise<readonly Event[]>;
  /**
   * The sessions that were committed last, the latest first: all, the one of an id, or those whose ids begin so. The one of an
   * id is listed as well if it is owned and nothing of it was committed yet, with `seq` 0 and an empty `graphHash`.
   */
  listSessions(
    limit: number,
    of?: { readonly id: string } | { readonly prefix: string },
  ): Promise<readonly SessionSummary[]>;
  /** Effects of one kind that are intended or started, in any session. */
  openEffects(query: OpenEffectQuery): Promise<readonly OpenEffect[]>;
  /**
   * Takes intended effects of one kind for `ttlMs`, so that no other dispatcher gets them meanwhile: messages of any session,
   * and of sessions that nobody owns what their owner would perform itself.
   */
  claimEffects(query: { kind: SharedEffectKind; ttlMs: number; limit: number }): Promise<readonly OpenEffect[]>;
  /**
   * Lets claimed effects be claimed again at a moment, in epoch milliseconds, or (null) never, for they were sent. With a
   * `reason` the delivery has failed, and that is kept. An unknown key is ignored.
   */
  holdEffects(effects: readonly EffectOf[], until: number | null, reason?: string): Promise<void>;
  /** Keeps where the caller of a session is, whose call is not lost; with `unlessKept` only where nothing is kept of it. */
  keepCall(call: KeptCall, unlessKept?: boolean): Promise<void>;
  /** Takes calls whose session nobody owns for `ttlMs`, so that nobody else gets them meanwhile; the one taken longest ago first. */
  claimLostCalls(query: { ttlMs: number; limit: number }): Promise<readonly LostCall[]>;
  /** Calls that are kept and whose sessions are owned, by owners whose names begin so. */
  heldCalls(query: { ownedBy: string; limit: number }): Promise<readonly HeldCall[]>;
  dropCall(sessionId: string): Promise<void>;
  /**
   * Throws a FlowError `lease-lost` or `store-conflict` where another owner or writer was faster. A commit whose answer
   * was lost is looked up before it is sent again, so that it is never done twice.
   */
  commit(commit: StepCommit): Promise<void>;
  saveGraph(hash: string, document: Json): Promise<void>;
  loadGraph(hash: string): Promise<Json | null>;
  /** Deletes all that is kept of a session, its id as well, and ends the lease. Throws `lease-lost` where it is another's. */
  deleteSession(lease: Lease): Promise<void>;
  /** Forgets the inputs that were consumed before a moment, in epoch milliseconds: a duplicate is not known any more. Returns how many. */
  forgetInputs(consumedBefore: number): Promise<number>;
  /** Calls the listener soon after each commit that intends an effect other than speech, also of another process where the store can tell. Returns what ends it. */
  watch(listener: () => void): () => void;
  close(): Promise<void>;
}
