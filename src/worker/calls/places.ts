import type { Clock } from '../../model/ports/time.ts';

/** The places of a worker, for running calls and for accepted ones. */
export interface Places {
  /** Number of taken places. */
  taken(): number;
  /**
   * Reserves a place for a job and runs `fetch`; false without any effect if all are taken.
   * The place stays reserved until the job runs, because LiveKit's `fetch` resolves at once.
   */
  give(job: string, fetch: () => Promise<void>): Promise<boolean>;
}

/** How often to check whether an accepted job runs, in milliseconds: faster than any job can come and go. */
const lookEveryMs = 100;

/** Creates `maxJobs` places. A reservation without a job is dropped after `forgetAfterMs`. */
export function createPlaces(
  maxJobs: number,
  runningJobs: () => readonly string[],
  clock: Clock,
  forgetAfterMs: number,
): Places {
  const promised = new Set<string>();
  const taken = (): number => new Set([...promised, ...runningJobs()]).size;
  const keep = (job: string, forgetAt: number): void => {
    clock.schedule(lookEveryMs, () => {
      if (runningJobs().includes(job) || clock.now() >= forgetAt) promised.delete(job);
      else if (promised.has(job)) keep(job, forgetAt);
    });
  };
  return {
    taken,
    async give(job, fetch) {
      if (taken() >= maxJobs) return false;
      promised.add(job);
      keep(job, clock.now() + forgetAfterMs);
      try {
        await fetch();
      } catch (error) {
        promised.delete(job);
        throw error;
      }
      return true;
    },
  };
}
