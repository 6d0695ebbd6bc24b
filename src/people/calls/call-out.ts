import { hasUnheard } from '../../kernel/question/pending-speech.ts';
import { readState } from '../../kernel/state/upgrade.ts';
import { errorKind, FlowError } from '../../model/errors.ts';
import type { EntryCorrelation, InboxEntry } from '../../model/inbox.ts';
import type { JsonObject } from '../../model/json.ts';
import type { StoredEntry } from '../../model/ports/inbox.ts';
import type { Store } from '../../model/ports/store.ts';
import type { Clock } from '../../model/ports/time.ts';
import type { CallResult, Missed } from './call-result.ts';

/** A call to the person of a session. */
export interface OutgoingCall {
  readonly sessionId: string;
  /** The input of the session; its `contact` holds the number or address. */
  readonly input: JsonObject;
  /** The flow of a new session; null for a stored one. */
  readonly flow: string | null;
  readonly correlation: EntryCorrelation;
}

/** A placed call. */
export interface PlacedCall {
  /**
   * Resolves when the call is answered or has failed to reach the person; rejects with `call-failed` if the line fails.
   * Absent if the result cannot be observed.
   */
  readonly result?: Promise<CallResult>;
}

/**
 * Places a call and resolves when an agent is on its way. Repeated calls with the same session are one call. Throws
 * `callee-unknown` if the person has no known address, and errors of the server.
 */
export type PlaceCall = (call: OutgoingCall) => Promise<PlacedCall | void>;

/** Rules for repeated calls to a person who was not reached, in milliseconds. */
export interface CallRules {
  readonly attempts: number;
  readonly everyMs: number;
  /** Maximum ringing time. */
  readonly ringMs: number;
  /** The results after which the person is called again. */
  readonly retry: ReadonlySet<Missed>;
}

/** The outcome of a call, without the number. */
export interface CallNote {
  readonly event: 'call:placed' | 'call:answered' | 'call:missed' | 'call:not-placed' | 'call:unanswered';
  readonly sessionId: string;
  /** The number of the call, from 1; for an unanswered call, the number of the last one. */
  readonly attempt: number;
  /** The code of the error if the call could not be placed. */
  readonly reason?: string;
  /** Why the person was not reached, with the status of the telephone network if it reported one. */
  readonly result?: CallResult['result'];
  readonly sipStatus?: number;
  /** Whether the person is called again. */
  readonly again?: boolean;
}

export interface CallOutOptions {
  readonly store: Pick<Store, 'sessions' | 'inbox'>;
  readonly clock: Clock;
  /** Null in a process that cannot call. */
  readonly place: PlaceCall | null;
  readonly rules: CallRules;
  readonly tell: (note: CallNote) => void;
  /** Counts the result of a campaign call. */
  readonly count?: (campaignId: string, result: CallResult['result']) => Promise<void>;
  /** Receives the error if a result could not be stored; the call is then repeated. */
  readonly onError?: (error: unknown) => void;
}

/** The reason of an entry that waits after a call. */
export const calledReason = 'called';

/**
 * How often, and for how long each time, a process that cannot call leaves an entry to other processes, in
 * milliseconds.
 */
const mostPassed = 3;
const passedMs = 2_000;

/**
 * Processes an entry that asks for a call. The person is called while the agent has something to say and no call is
 * open, after a growing delay. After the last attempt, or a result that is not retried, the entry becomes a dead
 * letter. If no process can call, this is recorded and the words wait for the person's next call. Throws errors of
 * `place`.
 */
export function createCallOut({ store, clock, place, rules, tell, count, onError }: CallOutOptions) {
  const note = async ({ key, sessionId }: InboxEntry, noted: Omit<CallNote, 'sessionId'>): Promise<void> => {
    tell({ ...noted, sessionId });
    const { event: action, ...details } = noted;
    const outcome = good.has(action) ? 'allowed' : 'denied';
    await store.inbox.post([], [{ actor: null, action, outcome, sessionId, details: { key, ...details } }]);
  };
  /** Stores the result of a call while the entry waits for the next attempt. */
  const keepResult = async (entry: InboxEntry, attempt: number, { result, sipStatus }: CallResult): Promise<void> => {
    const facts = { attempt, result, ...(sipStatus === undefined ? {} : { sipStatus }) };
    const { campaignId } = entry.correlation;
    if (campaignId !== undefined) await count?.(campaignId, result);
    if (result === 'answered') return await note(entry, { event: 'call:answered', ...facts });
    const again = rules.retry.has(result) && attempt < rules.attempts;
    await note(entry, { event: 'call:missed', ...facts, again });
    await store.inbox.defer(entry.key, {
      until: again ? clock.now() + rules.everyMs : null,
      reason: result,
      isTry: false,
    });
  };
  /** Stores a failure of the line, which is retried like a call that could not be placed. */
  const keepFailure = async (entry: InboxEntry, attempt: number, error: unknown): Promise<void> => {
    await note(entry, { event: 'call:not-placed', attempt, reason: errorKind(error) });
    const again = attempt < rules.attempts;
    await store.inbox.defer(entry.key, {
      until: again ? clock.now() + rules.everyMs : null,
      reason: errorKind(error),
      isTry: false,
    });
  };
  return async ({ entry, attempts }: StoredEntry): Promise<void> => {
    const { key } = entry;
    const attempt = attempts + 1;
    const consume = async (): Promise<void> => {
      await store.inbox.post([], [], [key]);
      await store.inbox.withdraw(key);
    };
    const call = await wantedCall(store, entry);
    if (call === null) {
      // The process of the session has died before it spoke. Wait until another process has continued the session.
      const guardedUntil = await guardedUntilIn(store, entry.sessionId);
      if (guardedUntil === null) return await consume();
      return await store.inbox.defer(key, {
        until: Math.max(guardedUntil, clock.now()) + afterGuardMs,
        reason: 'session-left',
        isTry: false,
      });
    }
    if (place === null && attempts < mostPassed)
      return await store.inbox.defer(key, { until: clock.now() + passedMs, reason: 'nobody-calls' });
    if (place === null) {
      await note(entry, { event: 'call:not-placed', attempt, reason: 'nobody-calls' });
      return await consume();
    }
    if (attempts >= rules.attempts) {
      await note(entry, { event: 'call:unanswered', attempt: attempts });
      return await store.inbox.defer(key, { until: null, reason: 'nobody-answers' });
    }
    let placed: PlacedCall | void;
    try {
      placed = await place(call);
    } catch (error) {
      if (!(error instanceof FlowError) || error.code !== 'callee-unknown') throw error;
      await note(entry, { event: 'call:not-placed', attempt, reason: error.code });
      return await consume();
    }
    await note(entry, { event: 'call:placed', attempt });
    // The delay prevents a second call while the telephone rings. If this process dies, the next attempt replaces it.
    await store.inbox.defer(key, { until: clock.now() + Math.max(rules.everyMs, rules.ringMs), reason: calledReason });
    placed?.result
      ?.then(
        (result) => keepResult(entry, attempt, result),
        (error: unknown) => keepFailure(entry, attempt, error),
      )
      .catch((error: unknown) => onError?.(error));
  };
}

const good: ReadonlySet<CallNote['event']> = new Set(['call:placed', 'call:answered']);

/** Delay after a guard entry before the session is checked again, in milliseconds. */
const afterGuardMs = 1_000;

/** Returns when a session whose process died is continued, in epoch milliseconds; null if there is no such entry. */
async function guardedUntilIn(store: Pick<Store, 'inbox'>, sessionId: string): Promise<number | null> {
  const open = await store.inbox.list({ state: 'open', sessionId, limit: 100 });
  return open.find(({ entry }) => entry.signal.type === 'session:left')?.notBefore ?? null;
}

/** Returns the call; null if there is nothing to say or the session has already started. */
async function wantedCall(
  store: Pick<Store, 'sessions'>,
  { sessionId, signal, correlation }: InboxEntry,
): Promise<OutgoingCall | null> {
  const kept = await store.sessions.get(sessionId);
  if (signal.type === 'session:started')
    return kept === null ? { sessionId, input: signal.input, flow: signal.flow, correlation } : null;
  if (kept === null) return null;
  const state = readState(kept.state);
  // Subflows have their own input; the contact is in the input of the outermost flow.
  const [outermost] = state.position.stack.flatMap((frame) => (frame.kind === 'subflow' ? [frame.caller] : []));
  const { input } = outermost ?? state.knowledge;
  return hasUnheard(state) ? { sessionId, input, flow: null, correlation } : null;
}
