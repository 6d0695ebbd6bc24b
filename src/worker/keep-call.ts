import type { JobContext } from '@livekit/agents';
import { FlowError } from '../errors.ts';
import type { Store } from '../ports/store.ts';
import type { Clock } from '../ports/time.ts';
import { readState } from '../kernel/upgrade.ts';
import { type HeldSession, holdSession } from '../turn/engine/hold-session.ts';
import { awaitingName, isAwaiting, isClerk, ownerName } from '../turn/engine/process-owner.ts';
import { toKeptPlace } from './call-place.ts';
import type { JobMetadata } from './job-metadata.ts';
import { pause } from './pause.ts';
import { isOver } from './rescue.ts';

/** A call that a store keeps beside its session, so that another process finds the caller when this one dies. */
export interface KeptCallOfJob {
  /**
   * Keeps who it is that calls. The conversation is to begin at once, for the session is held by it from then on. Throws
   * `session-taken` where another job has the session by now, whose caller has come before.
   */
  attend(caller: string): Promise<void>;
  /** Resolves once another job has the session whose caller has come, and this one's has not. */
  readonly lost: Promise<void>;
  /** Forgets the call, because it is over; does nothing where another process has taken it over. */
  end(): Promise<void>;
  /** Forgets the call, because it cannot be taken; does nothing where another process has it. */
  drop(): Promise<void>;
  /** Releases the call, so that another process may go on with it at once. */
  letGo(): Promise<void>;
}

/** The call that a job is to take. */
export interface JobCall {
  readonly sessionId: string;
  readonly metadata: JobMetadata;
  /** Resolves once the caller is in the room of the job, which is joined for that. Asked once, where another job waits as well. */
  readonly hasCome: () => Promise<unknown>;
  /** Tells the caller, if they are there, to wait. Asked for again and again while a clerk has the session. */
  readonly keepCompany: () => Promise<void>;
}

/**
 * Keeps the call of a job from before it joins the room. A process that has the call and gives no sign of life is waited for
 * until its lease has ended: it may have died with its machine, and the caller calls again. A clerk is waited for that carries
 * out what was decided. Of two jobs whose callers have not come, as of one who is called back and calls themselves meanwhile,
 * the one has the call whose caller comes first. Throws `session-taken` where another process has the call, whose record is
 * left as it is, and what `hasCome` throws.
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
    await store.keepCall({ sessionId, place });
  };
  // A customer who is called may take longer to pick up than a lease lasts.
  const awaiting = awaitingName(job.id);
  const first = await holdOnceFree(store, { sessionId, owner: awaiting, hasCome, keepCompany }, clock);
  let held = first;
  let isLost = false;
  const lost = first.lost.then(() => void (isLost ||= held === first));
  const letGo = async (): Promise<void> => {
    held.stopRenewal();
    await store.releaseLease(held.lease);
  };
  await keep(metadata.participant ?? null).catch(async (error: unknown) => {
    await letGo().catch(() => undefined);
    throw error;
  });
  return {
    lost,
    async attend(caller) {
      // From here on nobody else's caller has the call.
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
      // From here on the conversation itself gives the signs of life.
      held.stopRenewal();
    },
    async end() {
      const kept = await store.loadSnapshot(sessionId);
      // An owner whose lease was taken over cannot end the session.
      if (kept === null || isOver(readState(kept.state).status)) await store.dropCall(sessionId);
    },
    async drop() {
      if (!isLost) await store.dropCall(sessionId);
      await letGo();
    },
    letGo,
  };
}

/** How often it is looked whether a call is free, and for how long: a lease, and a moment more. In milliseconds. */
const lookEveryMs = 1_000;
const lookForMs = 16_000;
/** The same where a clerk has the session: the caller who waits is on the line, and is told so after a while and then again. */
const lookAtClerkEveryMs = 200;
const lookAtClerkForMs = 600_000;
const companyAfterMs = 4_000;
const companyEveryMs = 20_000;
/** How long a job that was there before may take to see its caller, whom this one sees: they may be of one room. In milliseconds. */
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
  const leaseNow = async () => (await store.listSessions(1, { id: sessionId }))[0]?.lease ?? null;
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
        // Whoever waits for their caller as well is waited for as long as nobody comes.
        await Promise.race([coming, pause(clock, lookEveryMs)]);
        if (isHere && clock.now() - metAt >= seenWithinMs) from = lease.owner;
        else if (isHere) await pause(clock, lookEveryMs);
        began = clock.now();
        continue;
      }
      const isWorkedOn = lease !== null && isClerk(lease.owner);
      if (clock.now() - began >= (isWorkedOn ? lookAtClerkForMs : lookForMs)) throw error;
      // Whoever has it lives, and is no clerk: another job of the same call, or of another one.
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
