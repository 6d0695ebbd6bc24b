import { HttpProblem } from './problem.ts';

/** Requests that wait for what is not stored yet: a bounded number at once. */
export interface Parking {
  /**
   * Runs work that may wait for a decision. Throws a 503 if too many wait already: of one name, or of one kind. Requests of known actors take no
   * place from those of links, which their holders cannot make more of.
   */
  park<Result>(by: Parked, work: () => Promise<Result>): Promise<Result>;
}

/** The holder of a request that waits: a link or an actor, by its id. */
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
        throw new HttpProblem(503, 'server-busy', 'Too many requests wait. Try again later.');
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
