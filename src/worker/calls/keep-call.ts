import type { JobContext } from '@livekit/agents';
import { FlowError } from '../../model/errors.ts';
import type { Store } from '../../model/ports/store.ts';
import type { Clock } from '../../model/ports/time.ts';
import { readState } from '../../kernel/state/upgrade.ts';
import { type HeldSession, holdSession } from '../../engine/session/session-lease.ts';
import { awaitingName, isAwaiting, isClerk, ownerName } from '../../engine/session/process-owner.ts';
import { toKeptPlace } from './call-place.ts';
import type { JobMetadata } from '../jobs/job-metadata.ts';
import { pause } from '../pause.ts';
import { isOver } from '../jobs/rescue.ts';

/** A call stored beside its session, so that another process finds the caller if this one dies. */
export interface KeptCallOfJob {
  /**
   * Stores the caller. The conversation must begin at once, because it renews the lease from
   * then on. Throws `session-taken` if another job whose caller came first has the session.
   */
  attend(caller: string): Promise<void>;
  /** Resolves when another job whose caller has come takes the session, before this job's caller has. */
  readonly lost: Promise<void>;
  /** Deletes the call because it is over; no effect if another process has taken it over. */
  end(): Promise<void>;
  /** Deletes the call because it cannot be taken; no effect if another process has it. */
  drop(): Promise<void>;
  /** Releases the call, so that another process can resume it at once. */
  letGo(): Promise<void>;
}

/** The call that a job must take. */
export interface JobCall {
  readonly sessionId: string;
  readonly metadata: JobMetadata;
  /** Resolves when the caller is in the job's room, which it joins for that. Called once, if another job waits as well. */
  readonly hasCome: () => Promise<unknown>;
  /** Asks a present caller to wait. Called repeatedly while a clerk has the session. */
  readonly keepCompany: () => Promise<void>;
}

/**
 * Stores the call of a job before it joins the room. A silent owner is waited for until its lease expires, because its machine may
 * have died; so is a clerk that carries out a decision. If two jobs wait for their callers, the first caller decides which job has
 * the call. Throws `session-taken` if another process has the call, whose record stays unchanged, and what `hasCome` throws.
 */
export async function keepCall(
  store: Store,
  { job, acceptArguments }: JobContext['info'],
  { sessionId, metadata, hasCome, keepCompany }: JobCall,
  clock: Clock,
): Promise<KeptCallOfJob> {
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
    await store.calls.save({ sessionId, place });
  };
  // A called customer may take longer to answer than a lease lasts.
  const awaiting = awaitingName(job.id);
  const first = await holdOnceFree(store, { sessionId, owner: awaiting, hasCome, keepCompany }, clock);
  let held = first;
  let isLost = false;
  const lost = first.lost.then(() => void (isLost ||= held === first));
  const letGo = async (): Promise<void> => {
    held.stopRenewal();
    await store.leases.release(held.lease);
  };
  await keep(metadata.participant ?? null).catch(async (error: unknown) => {
    await letGo().catch(() => undefined);
    throw error;
  });
  return {
    lost,
    async attend(caller) {
      // From here on, no other caller can have the call.
      first.stopRenewal();
      const wanted = {
        sessionId,
        owner: ownerName(job.id),
        from: awaiting,
        hasCome: () => Promise.resolve(),
        keepCompany,
      };
      held = await holdOnceFree(store, wanted, clock).catch((error: unknown) => {
        isLost = true;
        throw error;
      });
      await keep(caller);
      // From here on, the conversation itself renews the lease.
      held.stopRenewal();
    },
    async end() {
      const kept = await store.sessions.get(sessionId);
      // An owner whose lease was taken over cannot end the session.
      if (kept === null || isOver(readState(kept.state).status)) await store.calls.delete(sessionId);
    },
    async drop() {
      if (!isLost) await store.calls.delete(sessionId);
      await letGo();
    },
    letGo,
  };
}

/** How often, and how long, to check whether a call is free: slightly longer than a lease. In milliseconds. */
const lookEveryMs = 1_000;
const lookForMs = 16_000;
/** The same while a clerk has the session. The waiting caller hears a line after a while, and then repeatedly. */
const lookAtClerkEveryMs = 200;
const lookAtClerkForMs = 600_000;
const companyAfterMs = 4_000;
const companyEveryMs = 20_000;
/** How long an earlier job may take to see the caller that this one sees, because they may share a room. In milliseconds. */
const seenWithinMs = 2_000;

interface Wanted {
  readonly sessionId: string;
  readonly owner: string;
  /** The owner that is taken over at once. */
  readonly from?: string;
  readonly hasCome: () => Promise<unknown>;
  readonly keepCompany: () => Promise<void>;
}

async function holdOnceFree(store: Store, wanted: Wanted, clock: Clock): Promise<HeldSession> {
  const { sessionId, owner } = wanted;
  const leaseNow = async () => (await store.sessions.list({ limit: 1, id: sessionId }))[0]?.lease ?? null;
  const before = await leaseNow();
  let began = clock.now();
  let { from } = wanted;
  let coming: Promise<void> | null = null;
  let [isHere, metAt] = [false, 0];
  let nextCompanyAt = began + companyAfterMs;
  for (;;) {
    try {
      return await holdSession(store, sessionId, owner, clock, from);
    } catch (error) {
      if (!(error instanceof FlowError) || error.code !== 'session-taken') throw error;
      const lease = await leaseNow();
      if (lease !== null && isAwaiting(lease.owner)) {
        if (coming === null) {
          metAt = clock.now();
          coming = wanted.hasCome().then(() => void (isHere = true));
        }
        // An owner that also waits for its caller keeps the session until a caller comes.
        await Promise.race([coming, pause(clock, lookEveryMs)]);
        if (isHere && clock.now() - metAt >= seenWithinMs) from = lease.owner;
        else if (isHere) await pause(clock, lookEveryMs);
        began = clock.now();
        continue;
      }
      const isWorkedOn = lease !== null && isClerk(lease.owner);
      if (clock.now() - began >= (isWorkedOn ? lookAtClerkForMs : lookForMs)) throw error;
      // The owner is alive and not a clerk: another job of this or another call.
      const isAlive = before === null || lease?.token !== before.token || lease.expiresAt > before.expiresAt;
      if (lease !== null && !isWorkedOn && isAlive) throw error;
      if (isWorkedOn && clock.now() >= nextCompanyAt) {
        nextCompanyAt = clock.now() + companyEveryMs;
        await wanted.keepCompany();
      }
      await pause(clock, isWorkedOn ? lookAtClerkEveryMs : lookEveryMs);
    }
  }
}
