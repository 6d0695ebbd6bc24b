import { HttpProblem } from './problem.ts';

/** Requests that wait for what is not stored yet: a bounded number at once. */
export interface Parking {
  /** Runs what may wait. Throws a 503 where too many wait already. */
  park<Result>(work: () => Promise<Result>): Promise<Result>;
}

const mostParked = 100;

export function createParking(): Parking {
  let parked = 0;
  return {
    async park(work) {
      if (parked >= mostParked) throw new HttpProblem(503, 'server-busy', 'Too many requests wait. Try again later.');
      parked += 1;
      try {
        return await work();
      } finally {
        parked -= 1;
      }
    },
  };
}
