import type { JobContext } from '@livekit/agents';
import type { Store } from '../ports/store.ts';
import type { Clock } from '../ports/time.ts';
import { readState } from '../kernel/upgrade.ts';
import { holdSession } from '../turn/engine/hold-session.ts';
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
 * Keeps the call of a job from before it joins the room. Throws `session-taken` where another process has the call, whose
 * record is left as it is.
 */
export async function keepCall(
  store: Store,
  { job, acceptArguments }: JobContext['info'],
  { sessionId, metadata }: { readonly sessionId: string; readonly metadata: JobMetadata },
  clock: Clock,
): Promise<KeptCallOfJob> {
  // A customer who is called may take longer to pick up than a lease lasts.
  const held = await holdSession(store, sessionId, job.id, clock);
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
