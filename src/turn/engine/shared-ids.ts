import type { Correlation } from '../../events/envelope.ts';

/** The ids of a session's events, each made once for those that follow each other about the same. */
export interface SharedIds {
  /** The same object as the last time where the ids are the same; else the one that is given. */
  like(ids: Partial<Correlation>): Partial<Correlation>;
  /** The id of a turn by its number, as one text. */
  turnId(sessionId: string, turn: number): string;
}

/** Whoever keeps a session's events keeps hundreds of them: what they share is kept once. */
export function createSharedIds(): SharedIds {
  let last: Partial<Correlation> = {};
  let turnNow = { sessionId: '', number: -1, id: '' };
  return {
    like(ids) {
      if (!isSame(last, ids)) last = ids;
      return last;
    },
    turnId(sessionId, number) {
      if (number !== turnNow.number || sessionId !== turnNow.sessionId)
        turnNow = { sessionId, number, id: `${sessionId}/${number}` };
      return turnNow.id;
    },
  };
}

/** As many ids of the same names and values. */
function isSame(one: Partial<Correlation>, other: Partial<Correlation>): boolean {
  const names = Object.keys(other);
  return (
    Object.keys(one).length === names.length &&
    names.every((name) => Reflect.get(one, name) === Reflect.get(other, name))
  );
}
