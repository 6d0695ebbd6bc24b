import type { Effect, EffectKey } from '../model/effect.ts';
import type { Event } from '../model/events/event.ts';
import type { Json, JsonObject } from '../model/json.ts';
import type { Lease, SessionSnapshot } from '../model/ports/store.ts';

/**
 * A store that works by turns: `claimInbound` claims an input, and the writes of its turn become visible together or
 * not at all.
 */
export interface DurableStore {
  /** Claims an input for one turn. Throws a FlowError of the store. */
  claimInbound(inputKey: string): Promise<'claimed' | 'duplicate'>;
  /** Throws a FlowError of the store. */
  loadSessionSnapshot(sessionId: string): Promise<SessionSnapshot | null>;
  /** Begins a turn. Throws a FlowError of the store. */
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
  /** Opens a wait. Does nothing if it is known. Throws `session-taken` if another process keeps its session. */
  register(wait: WaitRecord): Promise<void>;
  /** Answers a wait once. Throws `resolution-mismatch` or `wait-of-session`. */
  resolve(waitId: EffectKey, payload: unknown): Promise<void>;
  /** Returns unanswered waits whose deadline has passed. Throws a FlowError of the store. */
  timeoutDue(now: Date, limit: number): Promise<WaitRecord[]>;
}

/** Outgoing effects, as a view of the effects. */
export interface OutboxDispatcher {
  /** Claims intents that are not yet sent. Throws a FlowError of the store. */
  claim(limit: number): Promise<OutboxIntent[]>;
  /** Settles an intent as sent. Throws `call-of-session` for a call of a flow. */
  markSent(intentId: EffectKey, metadata?: JsonObject): Promise<void>;
  /** Records a failed delivery; without `retryAt` it is final. Throws `call-of-session`, and `option-invalid` for an invalid time. */
  markFailed(intentId: EffectKey, reason: string, retryAt?: Date): Promise<void>;
}
