import { errorKind } from '../errors.ts';
import type { Store } from '../ports/store.ts';
import type { Clock } from '../ports/time.ts';
import { letGoAs, ownerOf } from '../turn/engine/hold-session.ts';
import { awaitingName, isGone, isNamed } from '../turn/engine/process-owner.ts';
import { metadataOf, sessionIdOf } from './call-place.ts';
import { supervise, type SupervisorOptions } from './supervisor.ts';
import { type RunningJob, watchJobs } from './watch-jobs.ts';

/**
 * Finds lost calls as any supervisor does, those of this worker's own jobs as soon as one has died, and those of a worker
 * that has died before on this machine as soon as this one starts. Returns what ends that.
 */
export function recoverJobs(runningJobs: () => readonly RunningJob[], options: SupervisorOptions): () => Promise<void> {
  const { store, clock, logger } = options;
  const supervisor = supervise(options);
  const tell = (error: unknown): void =>
    logger.warn({ event: 'call:not-let-go', code: errorKind(error) }, 'supervisor');
  letGoOfDead(store, clock)
    .then((isFreed) => (isFreed ? supervisor.look() : undefined))
    .catch(tell);
  const endWatch = watchJobs(runningJobs, clock, (job) => {
    letGo(store, job, clock)
      .then(() => supervisor.look())
      .catch(tell);
  });
  return async () => {
    endWatch();
    await supervisor.stop();
  };
}

/** How many of the sessions that were committed last are looked at as a worker starts: more than one machine has calls. */
const mostLookedAt = 1_000;

/** The leases of processes of this machine that are gone are let go of in their names. Tells whether there were any. */
async function letGoOfDead(store: Store, clock: Clock): Promise<boolean> {
  let isFreed = false;
  for (const { sessionId, lease } of await store.listSessions(mostLookedAt)) {
    if (lease === null || lease.expiresAt <= clock.now() || !isGone(lease.owner)) continue;
    if (await letGoAs(store, sessionId, lease.owner)) isFreed = true;
  }
  return isFreed;
}

/** The process of the job is gone: in its name, its session is let go of. One that another owns by now stays theirs. */
async function letGo(store: Store, { id, dispatchId, metadata }: RunningJob, clock: Clock): Promise<void> {
  const told = metadataOf(metadata);
  if (told === null) return;
  const sessionId = await sessionIdOf(store, { id, dispatchId }, told);
  const owner = await ownerOf(store, sessionId, clock);
  // Before the first commit nobody tells who owns a session.
  const own = owner !== null && isNamed(owner, id) ? [owner] : [id];
  for (const name of [awaitingName(id), ...own]) await letGoAs(store, sessionId, name);
}
