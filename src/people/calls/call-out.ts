import { hasUnheard } from '../../kernel/resume.ts';
import { readState } from '../../kernel/upgrade.ts';
import { FlowError } from '../../errors.ts';
import type { EntryCorrelation, InboxEntry } from '../../events/inbox.ts';
import type { JsonObject } from '../../events/json.ts';
import type { StoredEntry } from '../../ports/inbox.ts';
import type { Store } from '../../ports/store.ts';
import type { Clock } from '../../ports/time.ts';

/** A call that is to be made to the person of a session. */
export interface OutgoingCall {
  readonly sessionId: string;
  /** What the session began with, or begins with; its `contact` says where the person is. */
  readonly input: JsonObject;
  /** The flow of a session that the call begins; null for one that is kept. */
  readonly flow: string | null;
  readonly correlation: EntryCorrelation;
}

/**
 * Calls somebody: resolves once an agent is on its way, and it rings where it can. Made twice it is one call. Throws
 * `callee-unknown` where nobody knows how to reach the person, and what the server throws.
 */
export type PlaceCall = (call: OutgoingCall) => Promise<void>;

/** How often somebody is called who is not reached, and how long after each time, in milliseconds. */
export interface CallRules {
  readonly attempts: number;
  readonly everyMs: number;
}

/** What becomes of a call; without the number. */
export interface CallNote {
  readonly event: 'call:placed' | 'call:not-placed' | 'call:unanswered';
  readonly sessionId: string;
  readonly attempt: number;
  /** The code of the error, where nobody could be called. */
  readonly reason?: string;
}

export interface CallOutOptions {
  readonly store: Pick<Store, 'loadSnapshot' | 'post' | 'withdraw' | 'deferEntry'>;
  readonly clock: Clock;
  /** Null in a process that cannot call. */
  readonly place: PlaceCall | null;
  readonly rules: CallRules;
  readonly tell: (note: CallNote) => void;
}

/** Why the entry of somebody who was called waits. */
export const calledReason = 'called';

/** How often, and how long after, a process that cannot call leaves a call to those that can, in milliseconds. */
const mostPassed = 3;
const passedMs = 2_000;

/** The entry that calls somebody, once another one has left something to be said. It is posted before that is taken. */
export function callEntry(entry: InboxEntry): InboxEntry {
  return { ...entry, key: `${entry.key}/call`, signal: { type: 'call:due' }, actor: null };
}

/**
 * Takes an entry that asks for a call. The person is called as long as something is left to be said and nobody talks to
 * them, each time later, and then the entry is a dead letter. Where nobody can call them it is told, and what is to be
 * said waits for their next call. Throws what placing throws.
 */
export function createCallOut({ store, clock, place, rules, tell }: CallOutOptions) {
  return async ({ entry, attempts }: StoredEntry): Promise<void> => {
    const { key, sessionId } = entry;
    const consume = async (): Promise<void> => {
      await store.post([], [], [key]);
      await store.withdraw(key);
    };
    const note = async (event: CallNote['event'], reason?: string): Promise<void> => {
      const facts = { attempt: attempts + 1, ...(reason === undefined ? {} : { reason }) };
      tell({ event, sessionId, ...facts });
      const outcome = event === 'call:placed' ? 'allowed' : 'denied';
      await store.post([], [{ actor: null, action: event, outcome, sessionId, details: { key, ...facts } }]);
    };
    const call = await wantedCall(store, entry);
    if (call === null) return await consume();
    if (place === null && attempts < mostPassed)
      return await store.deferEntry(key, clock.now() + passedMs, 'nobody-calls');
    if (place === null) {
      await note('call:not-placed', 'nobody-calls');
      return await consume();
    }
    if (attempts >= rules.attempts) {
      await note('call:unanswered');
      return await store.deferEntry(key, null, 'nobody-answers');
    }
    try {
      await place(call);
    } catch (error) {
      if (!(error instanceof FlowError) || error.code !== 'callee-unknown') throw error;
      await note('call:not-placed', error.code);
      return await consume();
    }
    await note('call:placed');
    await store.deferEntry(key, clock.now() + rules.everyMs, calledReason);
  };
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
