import type { Store } from '../ports/store.ts';
import { letGoAs } from '../turn/engine/hold-session.ts';
import { isGone, namesHere } from '../turn/engine/process-owner.ts';

/** How many calls of this machine are looked at: more than it has. */
const mostLookedAt = 1_000;

/**
 * Lets go of the calls that processes of this machine own which are gone, in their names, so that nobody waits until their
 * leases run out. Where the machine cannot tell processes apart nothing is done.
 */
export async function freeDeadCalls(store: Pick<Store, 'heldCalls' | 'acquireLease' | 'releaseLease'>): Promise<void> {
  const ownedBy = namesHere();
  if (ownedBy === null) return;
  for (const { sessionId, owner } of await store.heldCalls({ ownedBy, limit: mostLookedAt }))
    if (isGone(owner)) await letGoAs(store, sessionId, owner);
}
