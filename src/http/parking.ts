import { HttpProblem } from './problem.ts';

/** A bounded number of requests that wait for a wait to be stored. */
export interface Parking {
  /**
   * Runs work that may wait. Throws a 503 if too many requests of this holder, or of this kind of holder, wait already.
   * Actors and links are counted separately, so that actors cannot use up the places of links.
   */
  park<Result>(by: Parked, work: () => Promise<Result>): Promise<Result>;
}

/** The holder of a waiting request: a link or an actor, by id. */
export interface Parked {
  readonly kind: 'link' | 'actor';
  readonly id: string;
}

const mostOfKind = 100;
const mostOf: Readonly<Record<Parked['kind'], number>> = { link: 2, actor: 10 };

export function createParking(): Parking {
  const parked: Parked[] = [];
  return {
    async park({ kind, id }, work) {
      const ofKind = parked.filter((one) => one.kind === kind);
      if (ofKind.length >= mostOfKind || ofKind.filter((one) => one.id === id).length >= mostOf[kind])
        throw new HttpProblem(503, 'server-busy', 'Too many requests are waiting. Try again later.');
      const place: Parked = { kind, id };
      parked.push(place);
      try {
        return await work();
      } finally {
        parked.splice(parked.indexOf(place), 1);
      }
    },
  };
}
