import { hasUnheard } from '../../kernel/news.ts';
import { readState } from '../../kernel/upgrade.ts';
import { errorKind, FlowError } from '../../errors.ts';
import type { EntryCorrelation, InboxEntry } from '../../events/inbox.ts';
import type { JsonObject } from '../../events/json.ts';
import type { StoredEntry } from '../../ports/inbox.ts';
import type { Store } from '../../ports/store.ts';
import type { Clock } from '../../ports/time.ts';
import type { CallResult, Missed } from './call-result.ts';

/** A call that is to be made to the person of a session. */
export interface OutgoingCall {
  readonly sessionId: string;
  /** What the session began with, or begins with; its `contact` says where the person is. */
  readonly input: JsonObject;
  /** The flow of a session that the call begins; null for one that is kept. */
  readonly flow: string | null;
  readonly correlation: EntryCorrelation;
}

/** A call that was made: what becomes of it is known once the telephone was answered, or is not going to be. */
export interface PlacedCall {
  /** Rejects with `call-failed` where the line has failed; absent where nobody can tell whether it is answered. */
  readonly result?: Promise<CallResult>;
}

/**
 * Calls somebody: resolves once an agent is on its way, and it rings where it can. Made twice it is one call. Throws
 * `callee-unknown` where nobody knows how to reach the person, and what the server throws.
 */
export type PlaceCall = (call: OutgoingCall) => Promise<PlacedCall | void>;

/** How often somebody is called who is not reached, and how long after each time, in milliseconds. */
export interface CallRules {
  readonly attempts: number;
  readonly everyMs: number;
  /** How long it rings at most. */
  readonly ringMs: number;
  /** After which results somebody is called again. */
  readonly retry: ReadonlySet<Missed>;
}

/** What becomes of a call; without the number. */
export interface CallNote {
  readonly event: 'call:placed' | 'call:answered' | 'call:missed' | 'call:not-placed' | 'call:unanswered';
  readonly sessionId: string;
  /** Which call it is, from 1; of one that is unanswered, the last that was made. */
  readonly attempt: number;
  /** The code of the error, where nobody could be called. */
  readonly reason?: string;
  /** Why the person is not on the line, and the status of the telephone network, where it has told one. */
  readonly result?: CallResult['result'];
  readonly sipStatus?: number;
  /** Whether the person is called again. */
  readonly again?: boolean;
}

export interface CallOutOptions {
  readonly store: Pick<Store, 'loadSnapshot' | 'listEntries' | 'post' | 'withdraw' | 'deferEntry'>;
  readonly clock: Clock;
  /** Null in a process that cannot call. */
  readonly place: PlaceCall | null;
  readonly rules: CallRules;
  readonly tell: (note: CallNote) => void;
  /** Counts what has become of a call of a campaign. */
  readonly count?: (campaignId: string, result: CallResult['result']) => Promise<void>;
  /** A result could not be kept; the call is made again as if nobody knew it. */
  readonly onError?: (error: unknown) => void;
}

/** Why the entry of somebody who was called waits. */
export const calledReason = 'called';

/** How often, and how long after, a process that cannot call leaves a call to those that can, in milliseconds. */
const mostPassed = 3;
const passedMs = 2_000;

/**
 * Takes an entry that asks for a call. The person is called as long as something is left to be said and nobody talks to
 * them, each time later, and then the entry is a dead letter; so it is at once after a result for which nobody is called
 * again. Where nobody can call them it is told, and what is to be said waits for their next call. Throws what placing throws.
 */
export function createCallOut({ store, clock, place, rules, tell, count, onError }: CallOutOptions) {
  const note = async ({ key, sessionId }: InboxEntry, noted: Omit<CallNote, 'sessionId'>): Promise<void> => {
    tell({ ...noted, sessionId });
    const { event: action, ...details } = noted;
    const outcome = good.has(action) ? 'allowed' : 'denied';
    await store.post([], [{ actor: null, action, outcome, sessionId, details: { key, ...details } }]);
  };
  /** What the telephone network has told of a call, while the entry waits for the next one. */
  const keepResult = async (entry: InboxEntry, attempt: number, { result, sipStatus }: CallResult): Promise<void> => {
    const facts = { attempt, result, ...(sipStatus === undefined ? {} : { sipStatus }) };
    const { campaignId } = entry.correlation;
    if (campaignId !== undefined) await count?.(campaignId, result);
    if (result === 'answered') return await note(entry, { event: 'call:answered', ...facts });
    const again = rules.retry.has(result) && attempt < rules.attempts;
    await note(entry, { event: 'call:missed', ...facts, again });
    await store.deferEntry(entry.key, again ? clock.now() + rules.everyMs : null, result, false);
  };
  /** The line has failed and not the person: it is tried again soon, as where it fails at once. */
  const keepFailure = async (entry: InboxEntry, attempt: number, error: unknown): Promise<void> => {
    await note(entry, { event: 'call:not-placed', attempt, reason: errorKind(error) });
    const again = attempt < rules.attempts;
    await store.deferEntry(entry.key, again ? clock.now() + rules.everyMs : null, errorKind(error), false);
  };
  return async ({ entry, attempts }: StoredEntry): Promise<void> => {
    const { key } = entry;
    const attempt = attempts + 1;
    const consume = async (): Promise<void> => {
      await store.post([], [], [key]);
      await store.withdraw(key);
    };
    const call = await wantedCall(store, entry);
    if (call === null) {
      // Whoever was to say something has died before: it is to be said once somebody has gone on with that.
      const guardedUntil = await guardedUntilIn(store, entry.sessionId);
      if (guardedUntil === null) return await consume();
      return await store.deferEntry(key, Math.max(guardedUntil, clock.now()) + afterGuardMs, 'session-left', false);
    }
    if (place === null && attempts < mostPassed)
      return await store.deferEntry(key, clock.now() + passedMs, 'nobody-calls');
    if (place === null) {
      await note(entry, { event: 'call:not-placed', attempt, reason: 'nobody-calls' });
      return await consume();
    }
    if (attempts >= rules.attempts) {
      await note(entry, { event: 'call:unanswered', attempt: attempts });
      return await store.deferEntry(key, null, 'nobody-answers');
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
    // Nobody calls beside a telephone that rings; a process that dies meanwhile leaves it to the next call.
    await store.deferEntry(key, clock.now() + Math.max(rules.everyMs, rules.ringMs), calledReason);
    placed?.result
      ?.then(
        (result) => keepResult(entry, attempt, result),
        (error: unknown) => keepFailure(entry, attempt, error),
      )
      .catch((error: unknown) => onError?.(error));
  };
}

const good: ReadonlySet<CallNote['event']> = new Set(['call:placed', 'call:answered']);

/** How long after a guard is due it is looked whether something is to be said, in milliseconds. */
const afterGuardMs = 1_000;

/** When somebody goes on with a session whose process has died in the middle, in epoch milliseconds; null where none has. */
async function guardedUntilIn(store: Pick<Store, 'listEntries'>, sessionId: string): Promise<number | null> {
  const open = await store.listEntries({ state: 'open', sessionId, limit: 100 });
  return open.find(({ entry }) => entry.signal.type === 'session:left')?.notBefore ?? null;
}

/** Null where nothing is left to be said, or the session has begun by now. */
async function wantedCall(
  store: Pick<Store, 'loadSnapshot'>,
  { sessionId, signal, correlation }: InboxEntry,
): Promise<OutgoingCall | null> {
  const kept = await store.loadSnapshot(sessionId);
  if (signal.type === 'session:started')
    return kept === null ? { sessionId, input: signal.input, flow: signal.flow, correlation } : null;
  if (kept === null) return null;
  const state = readState(kept.state);
  // Its calls to other flows have the input of their own.
  const [outermost] = state.stack.flatMap((frame) => (frame.kind === 'subflow' ? [frame.caller] : []));
  const { input } = outermost ?? state;
  return hasUnheard(state) ? { sessionId, input, flow: null, correlation } : null;
}
