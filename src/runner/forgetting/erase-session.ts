import { FlowError } from '../../model/errors.ts';
import type { Lease, Store } from '../../model/ports/store.ts';
import type { Ids } from '../../model/ports/time.ts';
import { runsCalledBy } from '../conversation/kept-sessions.ts';
import { followUpsOf } from '../follow-ups.ts';

/** Milliseconds; longer than a deletion takes. */
const leaseMs = 60_000;

/** The number of sessions that were deleted with a session. */
export interface Erased {
  readonly runs: number;
  readonly schedules: number;
}

/** Deletes a session with the runs that it called and the schedules of its agent. Throws `session-taken`. */
export async function eraseSession(store: Store, ids: Ids, sessionId: string): Promise<Erased> {
  const lease = await own(store, ids, sessionId);
  const runs = await runsCalledBy(store, sessionId);
  // The inputs of these runs came from the conversation.
  for (const run of runs) await store.sessions.delete(await own(store, ids, run));
  const schedules = await followUpsOf(store, sessionId);
  for (const schedule of schedules) await store.sessions.delete(await own(store, ids, schedule));
  await store.sessions.delete(lease);
  return { runs: runs.length, schedules: schedules.length };
}

/** Acquires the lease of a session. Throws `session-taken`. */
async function own(store: Store, ids: Ids, sessionId: string): Promise<Lease> {
  const lease = await store.leases.acquire({ sessionId, owner: ids.create('forget'), ttlMs: leaseMs });
  if (lease !== null) return lease;
  throw new FlowError(
    'session-taken',
    `session "${sessionId}" is owned by a running process. End the call first, or wait until its lease expires.`,
  );
}
