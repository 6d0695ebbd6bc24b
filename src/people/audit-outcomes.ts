import type { AuditRecord } from '../events/inbox.ts';
import type { JsonObject } from '../events/json.ts';
import { hashOf } from '../graph/hash.ts';
import type { Store } from '../ports/store.ts';
import { recordsOf } from './read-audit.ts';

/** A recorded decision that is not what its session was told. */
export interface StrayDecision {
  readonly seq: number;
  readonly sessionId: string;
  /** Of the wait. */
  readonly key: string;
  /** `other`: the session was told something else. `lost`: nothing was told, and nothing waits to be. */
  readonly fault: 'other' | 'lost';
}

/** More entries than one session has. */
const mostEntries = 1_000;

/**
 * Compares each decision of the audit with what its session has taken, or is to take: the two are written in one transaction, so
 * a difference was made afterwards. Sessions that the store has forgotten are passed over. Rejects where the store fails.
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

/** The hashes of what a session was or will be told of each wait; null where the store has forgotten it. */
async function resolutionsIn(store: Store, sessionId: string): Promise<ReadonlyMap<string, readonly string[]> | null> {
  if ((await store.loadSnapshot(sessionId)) === null) return null;
  const hashes = new Map<string, string[]>();
  const add = (key: string, resolution: JsonObject): void =>
    void hashes.set(key, [...(hashes.get(key) ?? []), hashOf(resolution)]);
  // What is taken between the two looks stands in the second.
  for (const { entry } of await store.listEntries({ sessionId, limit: mostEntries }))
    if (entry.signal.type === 'wait:resolved') add(entry.signal.key, entry.signal.resolution);
  for (const { signal } of await store.readLog(sessionId))
    if (signal.type === 'wait:resolved') add(signal.key, signal.resolution);
  return hashes;
}

/** Whether a decision of which no signal is kept has been taken all the same, or came too late. */
async function isSettled(store: Store, sessionId: string, key: string): Promise<boolean> {
  // A run of a task flow keeps no signal of what it has taken. A conversation keeps each, so that one was changed there.
  if (await store.wasConsumed(`resolve/${key}`)) return await isTaskRun(store, sessionId);
  const effect = (await store.loadEffects(sessionId)).find((one) => one.key === key);
  return effect === undefined || (effect.state !== 'intended' && effect.state !== 'started');
}

/** Only the state of a run of a task flow has this member. */
async function isTaskRun(store: Store, sessionId: string): Promise<boolean> {
  const state = (await store.loadSnapshot(sessionId))?.state ?? null;
  return typeof state === 'object' && state !== null && Object.hasOwn(state, 'taskFlow');
}
