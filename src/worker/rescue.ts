import type { LostCall } from '../ports/store.ts';
import { type CallPlace, metadataOf } from './call-place.ts';
import type { SeenDispatch, SeenRoom } from './server-rooms.ts';

/** The decision about a call whose session nobody owns. */
export type Rescue =
  /** Look again later. */
  | { readonly act: 'wait'; readonly why: 'room-gone' | 'nobody-there' | 'on-its-way' }
  /** Forget the call, because nobody is there; `revoke` names the dispatches to take back. */
  | {
      readonly act: 'forget';
      readonly why: 'room-gone' | 'let-go' | 'over' | 'apologised';
      readonly revoke: readonly string[];
    }
  /** Call an agent again, in the place of dead ones and of dispatches that failed. */
  | { readonly act: 'call'; readonly remove: readonly string[]; readonly revoke: readonly string[] };

/** How long a server may take to tell that a dispatch was taken, in milliseconds: it waits 3 seconds for workers. */
export const takenWithinMs = 5_000;
/** How long a dispatch may take until its job owns the session, in milliseconds, on a machine that is busy. */
export const startsWithinMs = 30_000;
/** How long a room may be gone that comes back, in milliseconds: a server that was started anew has it when a caller returns. */
const roomReturnsWithinMs = 60_000;

/** Decides about a lost call by what its store and the server tell. `status` is null for a session that has not begun. */
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
  // A dispatch that was taken back means that no agent is wanted; a restarted server has only forgotten it.
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
  // A dispatch that is only slow stays: the agent that comes second finds the session taken, and leaves.
  const over = own.filter((one) => hadItsAgent(one, place) || now - one.createdAt >= startsWithinMs);
  const dead = new Set([place.agent, ...over.flatMap(({ agents }) => agents)]);
  const remove = room.participants.flatMap(({ identity }) => (dead.has(identity) ? [identity] : []));
  return { act: 'call', remove, revoke: over.map(({ id }) => id) };
}

/** Whether there is nothing more to say in a session: one that is parked waits for a person. */
export function isOver(status: string): boolean {
  return status === 'ended' || status === 'parked';
}

function isOf({ id, agentName, metadata }: SeenDispatch, place: CallPlace): boolean {
  return id === place.dispatch || (agentName === place.agentName && metadata === place.metadata);
}

/** How long the newest dispatch is waited for: the longer the call is lost, the busier the machines must be. */
function patienceWith(dispatch: SeenDispatch, place: CallPlace, lostForMs: number): number {
  if (hadItsAgent(dispatch, place)) return 0;
  return dispatch.agents.length > 0 ? startsWithinMs : Math.min(Math.max(takenWithinMs, lostForMs / 3), startsWithinMs);
}

/** Whether the dispatch is the one whose agent had the call, and is dead. */
function hadItsAgent({ id }: SeenDispatch, place: CallPlace): boolean {
  return place.agent !== null && id === place.dispatch;
}
