import type { Store } from '../model/ports/store.ts';
import type { Clock } from '../model/ports/time.ts';
import { endDeadOwner, releaseAs } from '../engine/session/session-lease.ts';
import { isGone } from '../engine/session/process-owner.ts';

/** How many of the oldest due entries are checked. */
const mostLookedAt = 50;

/**
 * Releases the claims and leases by which dead processes of this machine hold due entries. A clerk owns sessions under
 * the name of its claims. With `isIdle`, sessions of unclaimed entries are checked too. Returns true if anything was
 * released.
 */
export async function releaseDeadClaims(store: Store, clock: Clock, isIdle: boolean): Promise<boolean> {
  const open = await store.inbox.list({ state: 'open', limit: mostLookedAt });
  const due = open.filter(({ notBefore }) => notBefore <= clock.now());
  const left = due.flatMap(({ entry: { key, sessionId }, claimedBy }) =>
    claimedBy !== null && isGone(claimedBy) ? [{ key, sessionId, owner: claimedBy }] : [],
  );
  let isFreed = left.length > 0;
  for (const { sessionId, owner } of left) await releaseAs(store, sessionId, owner);
  for (const owner of new Set(left.map((one) => one.owner))) {
    const keys = left.filter((one) => one.owner === owner).map(({ key }) => key);
    await store.inbox.release({ owner, keys });
  }
  if (!isIdle) return isFreed;
  for (const sessionId of new Set(due.map(({ entry }) => entry.sessionId)))
    if (await endDeadOwner(store, sessionId, clock)) isFreed = true;
  return isFreed;
}
