import type { Clock } from '../ports/time.ts';

/** The places of a worker: for the calls it has, and for those it has promised to take. */
export interface Places {
  /** How many are taken. */
  taken(): number;
  /**
   * Promises a place to a job and lets it be fetched; false, and nothing is done, where all are taken. Calls that come
   * at the same moment are counted before their processes run.
   */
  give(job: string, fetch: () => Promise<void>): Promise<boolean>;
}

/** Keeps `maxJobs` places. A promise that the server never comes back to is forgotten after `forgetAfterMs`. */
export function createPlaces(
  maxJobs: number,
  runningJobs: () => readonly string[],
  clock: Clock,
  forgetAfterMs: number,
): Places {
  const promised = new Set<string>();
  const taken = (): number => new Set([...promised, ...runningJobs()]).size;
  return {
    taken,
    async give(job, fetch) {
      if (taken() >= maxJobs) return false;
      promised.add(job);
      const cancel = clock.schedule(forgetAfterMs, () => promised.delete(job));
      try {
        await fetch();
      } finally {
        cancel();
        promised.delete(job);
      }
      return true;
    },
  };
}
