import type { AuditRecord } from '../model/inbox.ts';
import type { JsonObject } from '../model/json.ts';
import { hashOf } from '../flow/graph/hash.ts';
import type { Store } from '../model/ports/store.ts';
import { recordsOf } from './read-audit.ts';

/** A recorded decision that differs from the decision in its session. */
export interface StrayDecision {
  readonly seq: number;
  readonly sessionId: string;
  /** The key of the wait. */
  readonly key: string;
  /** `other`: the session holds another decision. `lost`: the session and its inbox hold none. */
  readonly fault: 'other' | 'lost';
}

/** More entries than one session has. */
const mostEntries = 1_000;

/**
 * Compares each recorded decision with the log and the inbox of its session. Both are written in one transaction, so a
 * difference means that one of them was changed later. Skips deleted sessions. Rejects if the store fails.
 */
export async function* strayDecisions(store: Store): AsyncGenerator<StrayDecision> {
  const bySession = new Map<string, AuditRecord[]>();
  for await (const record of recordsOf(store)) {
    if (record.action !== 'wait:resolve' || record.outcome !== 'allowed' || record.sessionId === null) continue;
    bySession.set(record.sessionId, [...(bySession.get(record.sessionId) ?? []), record]);
  }
  for (const [sessionId, records] of bySession) {
    const told = await resolutionsIn(store, sessionId);
    if (told === null) continue;
    for (const { seq, details } of records) {
      const { key, resolutionHash } = details;
      if (typeof key !== 'string') continue;
      const hashes = told.get(key);
      if (hashes === undefined) {
        if (!(await isSettled(store, sessionId, key))) yield { seq, sessionId, key, fault: 'lost' };
      } else if (!hashes.some((hash) => hash === resolutionHash)) yield { seq, sessionId, key, fault: 'other' };
    }
  }
}

/**
 * Returns the hashes of the resolutions of each wait in a session, both taken and pending; null if the session was
 * deleted.
 */
async function resolutionsIn(store: Store, sessionId: string): Promise<ReadonlyMap<string, readonly string[]> | null> {
  if ((await store.sessions.get(sessionId)) === null) return null;
  const hashes = new Map<string, string[]>();
  const add = (key: string, resolution: JsonObject): void =>
    void hashes.set(key, [...(hashes.get(key) ?? []), hashOf(resolution)]);
  // The inbox is read before the log: an entry taken in between is then found in the log.
  for (const { entry } of await store.inbox.list({ sessionId, limit: mostEntries }))
    if (entry.signal.type === 'wait:resolved') add(entry.signal.key, entry.signal.resolution);
  for (const { signal } of await store.steps.list(sessionId))
    if (signal.type === 'wait:resolved') add(signal.key, signal.resolution);
  return hashes;
}

/** Checks whether a decision without a stored signal was taken or came too late. */
async function isSettled(store: Store, sessionId: string, key: string): Promise<boolean> {
  // A run of a task flow stores no signals. A conversation stores each one, so a missing signal means that its log was
  // changed.
  if (await store.inbox.isConsumed(`resolve/${key}`)) return await isTaskRun(store, sessionId);
  const effect = (await store.effects.list(sessionId)).find((one) => one.key === key);
  return effect === undefined || (effect.state !== 'intended' && effect.state !== 'started');
}

/** Only the state of a task flow run has this member. */
async function isTaskRun(store: Store, sessionId: string): Promise<boolean> {
  const state = (await store.sessions.get(sessionId))?.state ?? null;
  return typeof state === 'object' && state !== null && Object.hasOwn(state, 'taskFlow');
}
