import type { Clock } from '../../model/ports/time.ts';

/** A job as its worker knows it. */
export interface RunningJob {
  readonly id: string;
  readonly dispatchId: string;
  readonly metadata: string;
}

/** How often a worker checks whether its jobs are alive, in milliseconds, because LiveKit does not report a dead job. */
const lookEveryMs = 250;

/** Calls `onGone` with each job that has ended, for whatever reason. Returns a function that stops it. */
export function watchJobs(
  runningJobs: () => readonly RunningJob[],
  clock: Clock,
  onGone: (job: RunningJob) => void,
): () => void {
  let known: readonly RunningJob[] = [];
  let cancel = (): void => undefined;
  const look = (): void => {
    const running = runningJobs();
    const ids = new Set(running.map(({ id }) => id));
    for (const job of known) if (!ids.has(job.id)) onGone(job);
    known = running;
    cancel = clock.schedule(lookEveryMs, look);
  };
  look();
  return () => cancel();
}
