import type { Clock } from '../ports/time.ts';

/** The places of a worker: for the calls it has, and for those it has promised to take. */
export interface Places {
  /** How many are taken. */
  taken(): number;
  /**
   * Promises a place to a job and lets it be fetched; false, and nothing is done, where all are taken. The place is
   * taken until the job runs and counts by itself, however soon `fetch` resolves: LiveKit's resolves at once.
   */
  give(job: string, fetch: () => Promise<void>): Promise<boolean>;
}

/** How often it is looked whether a promised job runs, in milliseconds: more often than any job can come and go. */
const lookEveryMs = 100;

/** Keeps `maxJobs` places. A promise that the server never comes back to is forgotten after `forgetAfterMs`. */
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
