import type { EffectKey } from '../model/effect.ts';
import type { AuditRecord, InboxEntry } from '../model/inbox.ts';
import type { Json, JsonObject } from '../model/json.ts';
import { ownIdsOf } from '../model/proxy-id.ts';
import { hashOf } from '../flow/graph/hash.ts';
import { schemaCheck } from '../flow/graph/schema-check.ts';
import type { NewAuditRecord } from '../model/ports/inbox.ts';
import type { Store } from '../model/ports/store.ts';
import type { Clock } from '../model/ports/time.ts';
import { type Actor, type Authority, refOf } from './authority.ts';
import { recordsOf } from './read-audit.ts';
import { endOf, findWait, isOpen, type PostedWait, resourceOf, successorOf } from './waits.ts';

/** Dependencies of `resolveWait`. With a null `authority` every decision is allowed, as on the command line. */
export interface ResolveParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly authority: Pick<Authority, 'may'> | null;
}

/** A decision on a wait. */
export interface WaitAnswer {
  readonly key: EffectKey;
  readonly resolution: JsonObject;
  /** The hash of the facts that were shown; not checked if absent. */
  readonly factsHash?: string;
  readonly actor: Actor;
  /** The id of the link that was used; consumed with the decision. */
  readonly link?: string;
  /** How long to wait for a wait that is not stored yet, in milliseconds. Default: not at all. */
  readonly parkMs?: number;
  /** Ends that waiting early, for example when the server stops. */
  readonly signal?: AbortSignal;
}

/** The outcome of a decision. Only `posted` changes anything. */
export type ResolveOutcome =
  | { readonly outcome: 'posted' }
  /** The same decision was made before, by this or another request. */
  | { readonly outcome: 'same' }
  /** The wait is over or has another decision. */
  | { readonly outcome: 'over' }
  /** The facts differ from those that were shown. */
  | { readonly outcome: 'changed'; readonly factsHash: string }
  /** The resolution does not match the schema of the wait. The texts do not quote it. */
  | { readonly outcome: 'invalid'; readonly violations: readonly string[] }
  | { readonly outcome: 'denied' }
  | { readonly outcome: 'unknown' };

/** Polling interval for a wait that is not stored yet, in milliseconds. */
const lookEveryMs = 250;

/**
 * Posts a decision on a wait; the first valid decision counts. The entry, its audit record and the use of the link are
 * one transaction. A refused decision is recorded as denied.
 */
export async function resolveWait(parts: ResolveParts, answer: WaitAnswer): Promise<ResolveOutcome> {
  const { store, clock, authority } = parts;
  const { key, resolution, factsHash, actor, link } = answer;
  const deny = async (reason: string, sessionId: string | null): Promise<void> => {
    await store.inbox.post([], [recordOf(answer, 'denied', sessionId, { reason })]);
  };
  const wait = await parked(parts, answer);
  if (wait === null) {
    await deny('wait-unknown', null);
    return { outcome: 'unknown' };
  }
  const { sessionId, effect } = wait;
  const { decision } = resolution;
  const resource = { ...resourceOf(wait), ...(typeof decision === 'string' ? { decision } : {}) };
  if (authority !== null && !(await authority.may(actor, 'wait:resolve', resource))) {
    await deny('not-allowed', sessionId);
    return { outcome: 'denied' };
  }
  const violations = schemaCheck(effect.payload.schema).violations(resolution);
  if (violations.length > 0) {
    await deny('resolution-invalid', sessionId);
    return {
      outcome: 'invalid',
      violations: violations.map(({ path, message }) => `${['resolution', ...path].join('.')}: ${message}`),
    };
  }

  const before = await decidedBefore(store, sessionId, key);
  if (before === null && isOpen(effect) && clock.now() < endOf(wait)) {
    if (factsHash !== undefined && factsHash !== effect.payload.factsHash) {
      await deny('facts-changed', sessionId);
      return { outcome: 'changed', factsHash: effect.payload.factsHash };
    }
    const record = recordOf(answer, 'allowed', sessionId, { factsHash: effect.payload.factsHash });
    // Consumed together: nothing is posted or recorded if the wait or the link was used before.
    const once = [decidedKey(key), ...(link === undefined ? [] : [`link/${link}`])];
    const [told] = await store.inbox.post([entryOf(wait, answer, clock.now())], [record], once);
    if (told === 'posted') return { outcome: 'posted' };
  }
  // Another decision was first, perhaps just now.
  const first = before ?? (await decidedBefore(store, sessionId, key));
  if (first === resolutionHash(resolution)) return { outcome: 'same' };
  const successor = await successorOf(store, wait);
  await deny(successor === null ? 'wait-over' : 'facts-changed', sessionId);
  return successor === null
    ? { outcome: 'over' }
    : { outcome: 'changed', factsHash: successor.effect.payload.factsHash };
}

/** Returns the wait when it is stored; null if it is not stored within `parkMs`. */
async function parked(
  { store, clock }: ResolveParts,
  { key, parkMs = 0, signal }: WaitAnswer,
): Promise<PostedWait | null> {
  for (const until = clock.now() + parkMs; ;) {
    const wait = await findWait(store, key);
    const leftMs = until - clock.now();
    if (wait !== null || leftMs <= 0 || signal?.aborted === true) return wait;
    await pause(clock, Math.min(lookEveryMs, leftMs), signal);
  }
}

function pause(clock: Clock, ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      cancel();
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const cancel = clock.schedule(ms, done);
    signal?.addEventListener('abort', done);
  });
}

/** One key per wait: the store itself accepts only one decision. */
function entryOf({ sessionId, effect }: PostedWait, { key, resolution, actor }: WaitAnswer, now: number): InboxEntry {
  const { reach, escalationId } = effect.payload;
  return {
    key: `resolve/${key}`,
    sessionId,
    dueAt: now,
    signal: { type: 'wait:resolved', key, resolution },
    reach,
    correlation: {
      escalationId: escalationId ?? key,
      ...ownIdsOf(effect),
    },
    actor: refOf(actor),
  };
}

/**
 * Returns the audit record. It holds the decision if that is a choice, and otherwise only a hash, because a text may be
 * confidential.
 */
function recordOf(
  { key, resolution, actor, link }: WaitAnswer,
  outcome: NewAuditRecord['outcome'],
  sessionId: string | null,
  more: JsonObject,
): NewAuditRecord {
  const { decision } = resolution;
  const details = {
    key,
    ...(typeof decision === 'string' ? { decision: decision.slice(0, 100) } : {}),
    resolutionHash: resolutionHash(resolution),
    ...(link === undefined ? {} : { link }),
    ...more,
  };
  return { actor: refOf(actor), action: 'wait:resolve', outcome, sessionId, details };
}

/** The key that the first decision on a wait consumes. */
export function decidedKey(key: EffectKey): string {
  return `decided/${key}`;
}

/**
 * Returns the record of the decision on a wait; null if there is none. It is written in the transaction of its entry.
 */
export async function decisionOn(store: Store, sessionId: string, key: EffectKey): Promise<AuditRecord | null> {
  for await (const record of recordsOf(store, sessionId)) {
    const { action, outcome, details } = record;
    if (action === 'wait:resolve' && outcome === 'allowed' && details['key'] === key) return record;
  }
  return null;
}

/** Returns the hash of the decision on a wait; null if there is none. */
async function decidedBefore(store: Store, sessionId: string, key: EffectKey): Promise<Json | null> {
  return (await decisionOn(store, sessionId, key))?.details['resolutionHash'] ?? null;
}

function resolutionHash(resolution: JsonObject): string {
  return hashOf(resolution);
}
