import { FlowError } from '../../errors.ts';
import type { Lease, Store } from '../../ports/store.ts';
import type { Clock } from '../../ports/time.ts';
import { isGone } from './process-owner.ts';

/** How long a session stays owned without a sign of life of its owner, and how often that sign is given. */
const leaseMs = 15_000;
const renewEveryMs = 3_000;

/** A session that this process owns. */
export interface HeldSession {
  readonly lease: Lease;
  /** Gives no more signs of life. */
  readonly stopRenewal: () => void;
  /** Shows the session under another name of its owner. */
  readonly rename: (owner: string) => void;
  /** Resolves once a sign of life has told that another owner has the session. */
  readonly lost: Promise<void>;
}

/**
 * Becomes the owner of a session, and gives signs of life from then on. An owner of this machine that has died is not waited
 * for, and the owner `from` is taken over. Throws `session-taken` where another one lives, or may live.
 */
export async function holdSession(
  store: Store,
  sessionId: string,
  owner: string,
  clock: Clock,
  from?: string,
): Promise<HeldSession> {
  let lease = await store.acquireLease(sessionId, owner, leaseMs, from);
  if (lease === null && (await endDeadOwner(store, sessionId, clock)))
    lease = await store.acquireLease(sessionId, owner, leaseMs, from);
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
    // A lease that cannot be renewed is told by the next commit as well, which the store then refuses.
    store.renewLease(shown, leaseMs).then(
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

/** The owner of a session by now, whose lease has not run out; null where there is none, or it owns it for the first time. */
export async function ownerOf(store: Store, sessionId: string, clock: Clock): Promise<string | null> {
  const [session] = await store.listSessions(1, { id: sessionId });
  const lease = session?.lease ?? null;
  return lease !== null && lease.expiresAt > clock.now() ? lease.owner : null;
}

/** Lets go of a session in the name of its owner, if that is a process of this machine that is gone. Tells whether it was. */
export async function endDeadOwner(store: Store, sessionId: string, clock: Clock): Promise<boolean> {
  const owner = await ownerOf(store, sessionId, clock);
  return owner !== null && isGone(owner) && (await letGoAs(store, sessionId, owner));
}

/** Lets go of a session in the name of an owner that is gone; false where another one has it. */
export async function letGoAs(
  store: Pick<Store, 'acquireLease' | 'releaseLease'>,
  sessionId: string,
  owner: string,
): Promise<boolean> {
  const lease = await store.acquireLease(sessionId, owner, momentMs);
  if (lease !== null) await store.releaseLease(lease);
  return lease !== null;
}

/** Long enough to let go again, in milliseconds. */
const momentMs = 1_000;
