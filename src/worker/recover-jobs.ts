import { errorKind } from '../errors.ts';
import type { Store } from '../ports/store.ts';
import { letGoAs } from '../turn/engine/hold-session.ts';
import { awaitingName } from '../turn/engine/process-owner.ts';
import { metadataOf, sessionIdOf } from './call-place.ts';
import { supervise, type SupervisorOptions } from './supervisor.ts';
import { type RunningJob, watchJobs } from './watch-jobs.ts';

/**
 * Finds lost calls as any supervisor does, and those of this worker's own jobs as soon as one has died. Returns what ends
 * that.
 */
export function recoverJobs(runningJobs: () => readonly RunningJob[], options: SupervisorOptions): () => Promise<void> {
  const { store, clock, logger } = options;
  const supervisor = supervise(options);
  const endWatch = watchJobs(runningJobs, clock, (job) => {
    letGo(store, job)
      .then(() => supervisor.look())
      .catch((error: unknown) => logger.warn({ event: 'call:not-let-go', code: errorKind(error) }, 'supervisor'));
  });
  return async () => {
    endWatch();
    await supervisor.stop();
  };
}

/** The process of the job is gone: in its name, its session is let go of. One that another owns by now stays theirs. */
async function letGo(store: Store, { id, dispatchId, metadata }: RunningJob): Promise<void> {
  const told = metadataOf(metadata);
  if (told === null) return;
  const sessionId = await sessionIdOf(store, { id, dispatchId }, told);
  for (const owner of [id, awaitingName(id)]) await letGoAs(store, sessionId, owner);
}
