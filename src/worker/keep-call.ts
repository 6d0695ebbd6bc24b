import type { JobContext } from '@livekit/agents';
import { FlowError } from '../errors.ts';
import type { Store } from '../ports/store.ts';
import type { Clock } from '../ports/time.ts';
import { readState } from '../kernel/upgrade.ts';
import { type HeldSession, holdSession } from '../turn/engine/hold-session.ts';
import { isClerk } from '../turn/engine/process-owner.ts';
import { toKeptPlace } from './call-place.ts';
import type { JobMetadata } from './job-metadata.ts';
import { isOver } from './rescue.ts';

/** A call that a store keeps beside its session, so that another process finds the caller when this one dies. */
export interface KeptCallOfJob {
  /** Keeps who it is that calls. The conversation is to begin at once, for the session is held by it from then on. */
  attend(caller: string): Promise<void>;
  /** Forgets the call, because it is over; does nothing where another process has taken it over. */
  end(): Promise<void>;
  /** Forgets the call, because it cannot be taken. */
  drop(): Promise<void>;
  /** Releases the call, so that another process may go on with it at once. */
  letGo(): Promise<void>;
}

/**
 * Keeps the call of a job from before it joins the room. A process that has the call and gives no sign of life is waited for
 * until its lease has ended: it may have died with its machine, and the caller calls again. A clerk is waited for that carries
 * out what was decided. Throws `session-taken` where another process has the call, whose record is left as it is.
 */
export async function keepCall(
  store: Store,
  { job, acceptArguments }: JobContext['info'],
  { sessionId, metadata }: { readonly sessionId: string; readonly metadata: JobMetadata },
  clock: Clock,
): Promise<KeptCallOfJob> {
  // A customer who is called may take longer to pick up than a lease lasts.
  const held = await holdOnceFree(store, sessionId, job.id, clock);
  const keep = async (caller: string | null): Promise<void> => {
    const told = { ...metadata, sessionId, ...(caller === null ? {} : { participant: caller }), again: true };
    const place = toKeptPlace({
      room: job.room?.name ?? '',
      roomId: job.room?.sid ?? '',
      agentName: job.agentName,
      dispatch: job.dispatchId,
      agent: acceptArguments.identity,
      caller,
      metadata: JSON.stringify(told),
    });
    await store.keepCall({ sessionId, place });
  };
  await keep(metadata.participant ?? null).catch((error: unknown) => {
    held.stopRenewal();
    throw error;
  });
  return {
    async attend(caller) {
      await keep(caller);
      // From here on the conversation itself gives the signs of life.
      held.stopRenewal();
    },
    async end() {
      const kept = await store.loadSnapshot(sessionId);
      // An owner whose lease was taken over cannot end the session.
      if (kept === null || isOver(readState(kept.state).status)) await store.dropCall(sessionId);
    },
    async drop() {
      held.stopRenewal();
      await store.dropCall(sessionId);
    },
    async letGo() {
      held.stopRenewal();
      await store.releaseLease(held.lease);
    },
  };
}

/** How often it is looked whether a call is free, and for how long: a lease, and a moment more. In milliseconds. */
const lookEveryMs = 1_000;
const lookForMs = 16_000;
/** The same where a clerk has the session: the caller who waits is on the line. */
const lookAtClerkEveryMs = 200;
const lookAtClerkForMs = 60_000;

async function holdOnceFree(store: Store, sessionId: string, owner: string, clock: Clock): Promise<HeldSession> {
  const leaseNow = async () => (await store.listSessions(1, { id: sessionId }))[0]?.lease ?? null;
  const began = clock.now();
  const before = await leaseNow();
  for (;;) {
    let pauseMs = lookEveryMs;
    try {
      return await holdSession(store, sessionId, owner, clock);
    } catch (error) {
      if (!(error instanceof FlowError) || error.code !== 'session-taken') throw error;
      const lease = await leaseNow();
      const isWorkedOn = lease !== null && isClerk(lease.owner);
      if (isWorkedOn) pauseMs = lookAtClerkEveryMs;
      if (clock.now() - began >= (isWorkedOn ? lookAtClerkForMs : lookForMs)) throw error;
      // Whoever has it lives, and is no clerk: another job of the same call, or of another one.
      const isAlive = before === null || lease?.token !== before.token || lease.expiresAt > before.expiresAt;
      if (lease !== null && !isWorkedOn && isAlive) throw error;
    }
    await new Promise<void>((resolve) => void clock.schedule(pauseMs, resolve));
  }
}
