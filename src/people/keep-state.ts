import { FlowError } from '../model/errors.ts';
import type { InboxEntry } from '../model/inbox.ts';
import { isJsonObject, type Json, type JsonObject } from '../model/json.ts';
import type { PlanChanged } from '../model/signals/plan-signal.ts';
import type { Lease, Store } from '../model/ports/store.ts';
import type { Clock, Ids } from '../model/ports/time.ts';
import { endDeadOwner } from '../engine/session/session-lease.ts';
import { ownerName } from '../engine/session/process-owner.ts';

/** Dependencies of a change of a schedule or a campaign. */
export interface KeepParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** A state with the entries that are posted and withdrawn in the same commit. */
export interface Folded<State> {
  readonly state: State;
  readonly posts: readonly InboxEntry[];
  readonly withdraws: readonly string[];
}

/** A kind of session that is not a conversation: its state is folded by this package, not by a flow. */
export interface KeptKind<State> {
  readonly sessionId: string;
  /** Stored in the field that holds a conversation's flow hash. */
  readonly hash: string;
  /** Returns null for any other state. */
  readonly read: (state: Json) => State | null;
}

/** Milliseconds; longer than a change takes. */
const leaseMs = 30_000;
const waitMs = 25;
const mostWaits = 400;

/**
 * Changes the state of a session in one transaction and consumes the entry that asked for it, if any. The log records
 * `change`. If the fold returns null, the state does not change, but the entry is consumed. Resolves to the resulting
 * state. Throws `session-taken` if another process holds the session for too long.
 */
export async function changeKept<State>(
  parts: KeepParts,
  kind: KeptKind<State>,
  change: string,
  fold: (state: State | null) => Folded<State> | null,
  entryKey: string | null = null,
): Promise<State | null> {
  const { store, clock } = parts;
  const lease = await leaseOf(parts, kind.sessionId);
  try {
    const snapshot = await store.sessions.get(kind.sessionId);
    const before = snapshot === null ? null : kind.read(snapshot.state);
    const folded = fold(before);
    const state = folded?.state ?? before;
    if (folded === null && entryKey === null) return state;
    // The entry refers to a session that does not exist; nothing is stored.
    if (state === null) {
      if (entryKey !== null) await store.inbox.withdraw(entryKey);
      return null;
    }
    const seq = snapshot?.seq ?? 0;
    // Older releases stored no log. The first signal then holds the whole state.
    const known = seq === 0 ? null : (before as Json);
    const signal = changed(known, state as Json, { at: clock.now(), change, entry: entryKey }); // States of schedules and campaigns are JSON.
    await store.steps.create({
      lease,
      baseSeq: seq,
      inputKeys: entryKey === null ? [] : [entryKey],
      signals: folded === null ? [] : [{ seq: seq + 1, signal }],
      state: state as Json,
      stateVersion: 1,
      graphHash: kind.hash,
      effects: [],
      events: () => [],
      ...(folded === null ? {} : { posts: folded.posts, withdraws: folded.withdraws }),
    });
    return state;
  } finally {
    await store.leases.release(lease);
  }
}

function changed(before: Json | null, after: Json, why: Pick<PlanChanged, 'at' | 'change' | 'entry'>): PlanChanged {
  const [old, now] = [membersOf(before), membersOf(after)];
  const set = Object.entries(now).filter(([name, value]) => JSON.stringify(old[name]) !== JSON.stringify(value));
  const unset = Object.keys(old).filter((name) => now[name] === undefined);
  return { type: 'plan:changed', ...why, set: Object.fromEntries(set), unset };
}

function membersOf(state: Json | null): JsonObject {
  return state !== null && isJsonObject(state) ? state : {};
}

async function leaseOf({ store, clock, ids }: KeepParts, sessionId: string): Promise<Lease> {
  const owner = ownerName(ids.create('owner'));
  for (let waits = 0; waits <= mostWaits; waits += 1) {
    const lease = await store.leases.acquire({ sessionId, owner, ttlMs: leaseMs });
    if (lease !== null) return lease;
    if (waits === 0 && (await endDeadOwner(store, sessionId, clock))) continue;
    await new Promise<void>((resolve) => void clock.schedule(waitMs, resolve));
  }
  throw new FlowError('session-taken', `session "${sessionId}" is owned by another process. Try again.`);
}
