import type { EffectKey } from '../events/effect.ts';
import type { AuditRecord, InboxEntry } from '../events/inbox.ts';
import type { Json, JsonObject } from '../events/json.ts';
import { ownIdsOf } from '../events/proxy-id.ts';
import { hashOf } from '../graph/hash.ts';
import { schemaCheck } from '../graph/schema-check.ts';
import type { NewAuditRecord } from '../ports/inbox.ts';
import type { Store } from '../ports/store.ts';
import type { Clock } from '../ports/time.ts';
import { type Actor, type Authority, refOf } from './authority.ts';
import { recordsOf } from './read-audit.ts';
import { endOf, findWait, isOpen, type PostedWait, resourceOf, successorOf } from './waits.ts';

/** What `resolveWait` works on. `authority` null lets the actor do it: whoever has the store at hand, by the command line. */
export interface ResolveParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly authority: Pick<Authority, 'may'> | null;
}

/** A decision on a wait. */
export interface WaitAnswer {
  readonly key: EffectKey;
  readonly resolution: JsonObject;
  /** Of the facts that whoever decides was shown; not looked at where absent. */
  readonly factsHash?: string;
  readonly actor: Actor;
  /** The id of the link that the decision came by: used up with it. */
  readonly link?: string;
  /** How long a wait that is not stored yet is waited for, in milliseconds; not at all where absent. */
  readonly parkMs?: number;
  /** Ends that waiting early, such as a server that stops. */
  readonly signal?: AbortSignal;
}

/** What became of a decision. Only `posted` has changed anything. */
export type ResolveOutcome =
  | { readonly outcome: 'posted' }
  /** The same was decided before, by this request or another. */
  | { readonly outcome: 'same' }
  /** The wait is over, or something else was decided before. */
  | { readonly outcome: 'over' }
  /** The facts are others than those that were shown. */
  | { readonly outcome: 'changed'; readonly factsHash: string }
  /** The resolution does not fit the wait's schema. Texts quote nothing of it. */
  | { readonly outcome: 'invalid'; readonly violations: readonly string[] }
  | { readonly outcome: 'denied' }
  | { readonly outcome: 'unknown' };

/** How often a wait that is not stored yet is looked for, in milliseconds. */
const lookEveryMs = 250;

/**
 * Posts what somebody has decided on a wait: the first valid decision is the one that counts. The entry, its audit record
 * and the use of the link are one transaction; what is refused is written down as denied.
 */
export async function resolveWait(parts: ResolveParts, answer: WaitAnswer): Promise<ResolveOutcome> {
  const { store, clock, authority } = parts;
  const { key, resolution, factsHash, actor, link } = answer;
  const deny = async (reason: string, sessionId: string | null): Promise<void> => {
    await store.post([], [recordOf(answer, 'denied', sessionId, { reason })]);
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
    // Used up together, so that nothing is posted or written where either was before.
    const once = [decidedKey(key), ...(link === undefined ? [] : [`link/${link}`])];
    const [told] = await store.post([entryOf(wait, answer, clock.now())], [record], once);
    if (told === 'posted') return { outcome: 'posted' };
  }
  // Somebody was faster, perhaps only just now.
  const first = before ?? (await decidedBefore(store, sessionId, key));
  if (first === resolutionHash(resolution)) return { outcome: 'same' };
  const successor = await successorOf(store, wait);
  await deny(successor === null ? 'wait-over' : 'facts-changed', sessionId);
  return successor === null
    ? { outcome: 'over' }
    : { outcome: 'changed', factsHash: successor.effect.payload.factsHash };
}

/** The wait, once it is stored; null where it is not by the end of the parking. */
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

/** One wait, one key: so the store itself lets only one decision in. */
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

/** The decision itself where it is a choice, and else only its hash: the rest may be what somebody said. */
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

/** Consumed with the first decision on a wait. */
export function decidedKey(key: EffectKey): string {
  return `decided/${key}`;
}

/** The record of what was decided on a wait; null where nothing was. It is of the same transaction as its entry. */
export async function decisionOn(store: Store, sessionId: string, key: EffectKey): Promise<AuditRecord | null> {
  for await (const record of recordsOf(store, sessionId)) {
    const { action, outcome, details } = record;
    if (action === 'wait:resolve' && outcome === 'allowed' && details['key'] === key) return record;
  }
  return null;
}

/** The hash of what was decided on a wait; null where nothing was. */
async function decidedBefore(store: Store, sessionId: string, key: EffectKey): Promise<Json | null> {
  return (await decisionOn(store, sessionId, key))?.details['resolutionHash'] ?? null;
}

function resolutionHash(resolution: JsonObject): string {
  return hashOf(resolution);
}
