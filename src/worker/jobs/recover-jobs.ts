import { errorKind } from '../../model/errors.ts';
import type { Store } from '../../model/ports/store.ts';
import type { Clock } from '../../model/ports/time.ts';
import { releaseAs, ownerOf } from '../../engine/session/session-lease.ts';
import { awaitingName, isNamed } from '../../engine/session/process-owner.ts';
import { metadataOf, sessionIdOf } from '../calls/call-place.ts';
import { supervise, type SupervisorOptions } from '../supervisor.ts';
import { type RunningJob, watchJobs } from './watch-jobs.ts';

/**
 * Starts a supervisor that looks for lost calls at once, and again as soon as a job of this worker has died. Returns a function that stops it.
 */
export function recoverJobs(runningJobs: () => readonly RunningJob[], options: SupervisorOptions): () => Promise<void> {
  const { store, clock, logger } = options;
  const supervisor = supervise(options);
  const tell = (error: unknown): void =>
    logger.warn({ event: 'call:not-let-go', code: errorKind(error) }, 'supervisor');
  void supervisor.look();
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

/** Releases the session of a dead job in its name, unless another process owns it. */
async function letGo(store: Store, { id, dispatchId, metadata }: RunningJob, clock: Clock): Promise<void> {
  const told = metadataOf(metadata);
  if (told === null) return;
  const sessionId = await sessionIdOf(store, { id, dispatchId }, told);
  const owner = await ownerOf(store, sessionId, clock);
  // Before the first commit the owner of a session is not listed.
  const own = owner !== null && isNamed(owner, id) ? [owner] : [id];
  for (const name of [awaitingName(id), ...own]) await releaseAs(store, sessionId, name);
}
