import type { Correlation } from '../../model/events/envelope.ts';
import type { EntryCorrelation } from '../../model/inbox.ts';
import type { SessionState } from '../../kernel/state/state.ts';
import { correlationOf } from '../../kernel/wait/hitl.ts';

/** Shares the id objects of consecutive events. */
export interface SharedIds {
  /** Returns the previous object if the ids are equal, else `ids`. */
  like(ids: Partial<Correlation>): Partial<Correlation>;
  /** Returns the id of a turn, as one shared string. */
  turnId(sessionId: string, turn: number): string;
}

/** Creates the shared ids of a session. Subscribers may keep hundreds of events, so equal ids are stored once. */
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

/** Checks whether both have the same ids with the same values. */
function isSame(one: Partial<Correlation>, other: Partial<Correlation>): boolean {
  const names = Object.keys(other);
  if (Object.keys(one).length !== names.length) return false;
  for (const name of names) if (Reflect.get(one, name) !== Reflect.get(other, name)) return false;
  return true;
}

const known = new WeakMap<SessionState, EntryCorrelation>();

/** Returns what a session's turn belongs to. Derived once per state, because each of its events has these ids. */
export function belongsTo(state: SessionState): EntryCorrelation {
  const found = known.get(state) ?? correlationOf(state);
  known.set(state, found);
  return found;
}
