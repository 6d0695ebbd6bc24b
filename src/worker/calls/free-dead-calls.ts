import type { Store } from '../../model/ports/store.ts';
import { releaseAs } from '../../engine/session/session-lease.ts';
import { isGone, namesHere } from '../../engine/session/process-owner.ts';

/** More calls than one machine has. */
const mostLookedAt = 1_000;

/**
 * Releases the calls of dead processes of this machine, so that their leases
 * need not expire. Does nothing if the machine cannot distinguish processes.
 */
export async function freeDeadCalls(store: Pick<Store, 'calls' | 'leases'>): Promise<void> {
  const ownedBy = namesHere();
  if (ownedBy === null) return;
  for (const { sessionId, owner } of await store.calls.list({ ownedBy, limit: mostLookedAt }))
    if (isGone(owner)) await releaseAs(store, sessionId, owner);
}
