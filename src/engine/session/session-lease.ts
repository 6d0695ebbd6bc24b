import { FlowError } from '../../model/errors.ts';
import type { Lease, Store } from '../../model/ports/store.ts';
import type { Clock } from '../../model/ports/time.ts';
import { isGone } from './process-owner.ts';

/** How long a lease lasts without renewal, and how often it is renewed. */
const leaseMs = 15_000;
const renewEveryMs = 3_000;

/** A session that this process owns. */
export interface HeldSession {
  readonly lease: Lease;
  /** Stops renewing the lease. */
  readonly stopRenewal: () => void;
  /** Changes the owner's name on the lease. */
  readonly rename: (owner: string) => void;
  /** Resolves when a renewal shows that another owner has the session. */
  readonly lost: Promise<void>;
}

/**
 * Acquires the lease of a session and renews it until stopped. Takes it over from a dead process of this
 * machine, or from the owner `from`. Throws `session-taken` if another owner is, or may be, alive.
 */
export async function holdSession(
  store: Store,
  sessionId: string,
  owner: string,
  clock: Clock,
  from?: string,
): Promise<HeldSession> {
  let lease = await store.leases.acquire({ sessionId, owner, ttlMs: leaseMs, from });
  if (lease === null && (await endDeadOwner(store, sessionId, clock)))
    lease = await store.leases.acquire({ sessionId, owner, ttlMs: leaseMs, from });
  if (lease === null)
    throw new FlowError(
      'session-taken',
      `session "${sessionId}" is owned by another process. If that one has died, its lease ends in ${leaseMs / 1_000} seconds.`,
    );
  let cancel = (): void => undefined;
  let lose = (): void => undefined;
  const lost = new Promise<void>((resolve) => (lose = resolve));
  let shown = lease;
  const sign = (): void => {
    // A failed renewal also shows in the next commit, which the store then refuses.
    store.leases.renew(shown, leaseMs).then(
      (renewed) => renewed === null && lose(),
      () => undefined,
    );
  };
  const renew = (): void => {
    cancel = clock.schedule(renewEveryMs, () => {
      sign();
      renew();
    });
  };
  renew();
  const rename = (name: string): void => {
    if (name === shown.owner) return;
    shown = { ...shown, owner: name };
    sign();
  };
  return { lease, lost, rename, stopRenewal: () => cancel() };
}

/** Returns the owner whose lease has not expired; null if there is none. */
export async function ownerOf(store: Store, sessionId: string, clock: Clock): Promise<string | null> {
  const [session] = await store.sessions.list({ limit: 1, id: sessionId });
  const lease = session?.lease ?? null;
  return lease !== null && lease.expiresAt > clock.now() ? lease.owner : null;
}

/** Releases a session whose owner was a process of this machine that has died. Returns whether it did. */
export async function endDeadOwner(store: Store, sessionId: string, clock: Clock): Promise<boolean> {
  const owner = await ownerOf(store, sessionId, clock);
  return owner !== null && isGone(owner) && (await releaseAs(store, sessionId, owner));
}

/** Releases a session on behalf of a dead owner; false if another owner has it. */
export async function releaseAs(store: Pick<Store, 'leases'>, sessionId: string, owner: string): Promise<boolean> {
  const lease = await store.leases.acquire({ sessionId, owner, ttlMs: momentMs });
  if (lease !== null) await store.leases.release(lease);
  return lease !== null;
}

/** Lease time for an immediate release, in milliseconds. */
const momentMs = 1_000;
