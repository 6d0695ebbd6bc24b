import type { LostCall } from '../../model/ports/store.ts';
import { type CallPlace, metadataOf } from '../calls/call-place.ts';
import type { SeenDispatch, SeenRoom } from '../server-rooms.ts';

/** The decision about a call whose session has no owner. */
export type Rescue =
  /** Check again later. */
  | { readonly act: 'wait'; readonly why: 'room-gone' | 'nobody-there' | 'on-its-way' }
  /** Delete the call because its caller is gone; `revoke` lists the dispatches to revoke. */
  | {
      readonly act: 'forget';
      readonly why: 'room-gone' | 'let-go' | 'over' | 'apologised';
      readonly revoke: readonly string[];
    }
  /** Dispatch an agent again, replacing dead agents and failed dispatches. */
  | { readonly act: 'call'; readonly remove: readonly string[]; readonly revoke: readonly string[] };

/** How long a server may take to report an accepted dispatch, in milliseconds: it waits 3 seconds for workers. */
export const takenWithinMs = 5_000;
/** How long a dispatch may take until its job owns the session on a busy machine, in milliseconds. */
export const startsWithinMs = 30_000;
/** How long a room may be missing before it counts as gone, in milliseconds: a restarted server creates it again when a caller returns. */
const roomReturnsWithinMs = 60_000;

/** Decides about a lost call from the data of its store and server. `status` is null for a session that has not begun. */
export function rescueOf(
  { lostAt }: Pick<LostCall, 'lostAt'>,
  place: CallPlace,
  status: string | null,
  room: SeenRoom | null,
  now: number,
): Rescue {
  const own = (room?.dispatches ?? []).filter((dispatch) => isOf(dispatch, place));
  const all = own.map(({ id }) => id);
  if (status !== null && isOver(status)) return { act: 'forget', why: 'over', revoke: all };
  if (room === null)
    return now - lostAt < roomReturnsWithinMs
      ? { act: 'wait', why: 'room-gone' }
      : { act: 'forget', why: 'room-gone', revoke: [] };
  // A revoked dispatch means that no agent is wanted; a restarted server has only forgotten it.
  if (own.length === 0 && room.id === place.roomId) return { act: 'forget', why: 'let-go', revoke: [] };
  if (metadataOf(place.metadata) === null && own.some(({ agents }) => agents.length > 0))
    return {
      act: 'forget',
      why: 'apologised',
      revoke: own.flatMap(({ id, agents }) => (agents.length > 0 ? [] : [id])),
    };
  if (!room.participants.some((one) => (place.caller === null ? one.isCaller : one.identity === place.caller)))
    return { act: 'wait', why: 'nobody-there' };
  const newest = own.toSorted((a, b) => b.createdAt - a.createdAt)[0];
  if (newest !== undefined && now - newest.createdAt < patienceWith(newest, place, now - lostAt))
    return { act: 'wait', why: 'on-its-way' };
  // A dispatch that is only slow stays: the second agent finds the session taken and leaves.
  const over = own.filter((one) => hadItsAgent(one, place) || now - one.createdAt >= startsWithinMs);
  const dead = new Set([place.agent, ...over.flatMap(({ agents }) => agents)]);
  const remove = room.participants.flatMap(({ identity }) => (dead.has(identity) ? [identity] : []));
  return { act: 'call', remove, revoke: over.map(({ id }) => id) };
}

/** Checks whether a session has nothing more to say; a parked one waits for a person. */
export function isOver(status: string): boolean {
  return status === 'ended' || status === 'parked';
}

function isOf({ id, agentName, metadata }: SeenDispatch, place: CallPlace): boolean {
  return id === place.dispatch || (agentName === place.agentName && metadata === place.metadata);
}

/** Returns how long to wait for the newest dispatch: the longer the call is lost, the busier the machines must be. */
function patienceWith(dispatch: SeenDispatch, place: CallPlace, lostForMs: number): number {
  if (hadItsAgent(dispatch, place)) return 0;
  return dispatch.agents.length > 0 ? startsWithinMs : Math.min(Math.max(takenWithinMs, lostForMs / 3), startsWithinMs);
}

/** Checks whether the dispatch is that of the dead agent which had the call. */
function hadItsAgent({ id }: SeenDispatch, place: CallPlace): boolean {
  return place.agent !== null && id === place.dispatch;
}
