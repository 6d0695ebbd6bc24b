import { FlowError } from '../errors.ts';
import type { Lease, Store } from '../ports/store.ts';
import type { Clock } from '../ports/time.ts';

/** How long a session stays owned without a sign of life of its owner, and how often that sign is given. */
export const leaseMs = 15_000;
const renewEveryMs = 3_000;

/** A session that this process owns. */
export interface HeldSession {
  readonly lease: Lease;
  /** Gives no more signs of life. */
  readonly stopRenewal: () => void;
}

/** Becomes the owner of a session, and gives signs of life from then on. Throws `session-taken` where another one lives. */
export async function holdSession(store: Store, sessionId: string, owner: string, clock: Clock): Promise<HeldSession> {
  const lease = await store.acquireLease(sessionId, owner, leaseMs);
  if (lease === null)
    throw new FlowError(
      'session-taken',
      `session "${sessionId}" is owned by another process. If that one has died, its lease ends in ${leaseMs / 1_000} seconds.`,
    );
  let cancel = (): void => undefined;
  const renew = (): void => {
    cancel = clock.schedule(renewEveryMs, () => {
      // A lease that cannot be renewed is told by the next commit, which the store then refuses.
      void store.renewLease(lease, leaseMs).catch(() => undefined);
      renew();
    });
  };
  renew();
  return { lease, stopRenewal: () => cancel() };
}
