import type { log } from '@livekit/agents';
import type { Store } from '../ports/store.ts';
import type { Clock, Ids } from '../ports/time.ts';
import { metadataOf, sessionIdOf } from './call-place.ts';
import { codeOf } from './error-code.ts';
import type { ServerRooms } from './server-rooms.ts';
import { supervise } from './supervisor.ts';
import { type RunningJob, watchJobs } from './watch-jobs.ts';

export interface RecoverOptions {
  /** Null where calls end with their process. */
  readonly store: Store | null;
  readonly rooms: ServerRooms;
  readonly agentName: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: ReturnType<typeof log>;
}

/** Only long enough to let go again, in milliseconds. */
const momentMs = 1_000;

/**
 * Calls an agent again to whom a job of this worker was talking when it died; with a store it goes on where it was, and
 * the calls of other workers that died are found as well. Returns what ends that.
 */
export function recoverJobs(runningJobs: () => readonly RunningJob[], options: RecoverOptions): () => Promise<void> {
  const { store, rooms, clock, logger } = options;
  const supervisor = store === null ? null : supervise({ ...options, store });
  const onGone = async (job: RunningJob): Promise<void> => {
    if (store !== null && supervisor !== null) {
      await letGo(store, job);
      await supervisor.look();
      return;
    }
    // An agent whose process has ended by itself has left the room; a dead one stays there for some 20 seconds.
    const room = await rooms.look(job.room);
    if (room === null || !room.participants.some(({ identity }) => identity === job.agent)) return;
    logger.warn({ event: 'call:lost', job: job.id }, 'a job has died, and nothing of its call is kept: it begins anew');
    await Promise.all([rooms.dispatch(job.room, job.agentName, job.metadata), rooms.remove(job.room, job.agent)]);
  };
  const endWatch = watchJobs(runningJobs, clock, (job) => {
    onGone(job).catch((error: unknown) =>
      logger.warn({ event: 'call:not-rescued', code: codeOf(error) }, 'supervisor'),
    );
  });
  return async () => {
    endWatch();
    await supervisor?.stop();
  };
}

/** The process of the job is gone: in its name, its session is let go of. One that another owns by now stays theirs. */
async function letGo(store: Store, { id, dispatchId, metadata }: RunningJob): Promise<void> {
  const told = metadataOf(metadata);
  if (told === null) return;
  const lease = await store.acquireLease(sessionIdOf({ id, dispatchId }, told), id, momentMs);
  if (lease !== null) await store.releaseLease(lease);
}
