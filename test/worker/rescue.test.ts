import { describe, expect, it } from 'vitest';
import type { CallPlace } from '../../src/worker/calls/call-place.ts';
import { rescueOf } from '../../src/worker/jobs/rescue.ts';
import type { SeenDispatch, SeenRoom } from '../../src/worker/server-rooms.ts';

const now = 1_000_000;
const metadata = '{"sessionId":"s","participant":"ada"}';
const place: CallPlace = {
  room: 'r',
  roomId: 'RM_1',
  agentName: 'desk',
  dispatch: 'AD_1',
  agent: 'agent-1',
  caller: 'ada',
  metadata,
};
const ada = { identity: 'ada', isCaller: true };
const first: SeenDispatch = {
  id: 'AD_1',
  agentName: 'desk',
  metadata: '',
  createdAt: now - 90_000,
  agents: ['agent-1'],
};

function roomWith({ participants = [ada], dispatches = [first], ...rest }: Partial<SeenRoom>): SeenRoom {
  return { id: 'RM_1', participants, dispatches, ...rest };
}

/** A dispatch for the call after its agent died. */
function again(ageMs: number, agents: readonly string[] = []): SeenDispatch {
  return { id: 'AD_2', agentName: 'desk', metadata, createdAt: now - ageMs, agents };
}

function decide(room: SeenRoom | null, status: string | null = 'active', where = place, lostAt = now) {
  return rescueOf({ lostAt }, where, status, room, now);
}

describe('a call whose session nobody owns', () => {
  it('is given an agent again, in the place of the dead one and of its dispatch', () => {
    const dead = { identity: 'agent-1', isCaller: false };
    expect(decide(roomWith({ participants: [dead, ada] }))).toEqual({
      act: 'call',
      remove: ['agent-1'],
      revoke: ['AD_1'],
    });
    expect(decide(roomWith({}))).toEqual({ act: 'call', remove: [], revoke: ['AD_1'] });
  });

  it('leaves other agents of the room alone, and their dispatches', () => {
    const other = { identity: 'agent-9', isCaller: false };
    const theirs = { ...first, id: 'AD_9', agents: ['agent-9'] };
    const room = roomWith({ participants: [ada, other], dispatches: [theirs, first] });
    expect(decide(room)).toEqual({ act: 'call', remove: [], revoke: ['AD_1'] });
  });

  it.each(['ended', 'parked'])('is forgotten where the session is %s, with every dispatch for it', (status) => {
    const room = roomWith({ dispatches: [first, again(100)] });
    expect(decide(room, status)).toEqual({ act: 'forget', why: 'over', revoke: ['AD_1', 'AD_2'] });
  });

  it('waits for its caller, who may come back while the room is there', () => {
    expect(decide(roomWith({ participants: [] }))).toEqual({ act: 'wait', why: 'nobody-there' });
    const stranger = { identity: 'bob', isCaller: true };
    expect(decide(roomWith({ participants: [stranger] }))).toEqual({ act: 'wait', why: 'nobody-there' });
    const anybody = { ...place, caller: null };
    expect(decide(roomWith({ participants: [stranger] }), null, anybody).act).toBe('call');
    expect(decide(roomWith({ participants: [{ identity: 'recorder', isCaller: false }] }), null, anybody).act).toBe(
      'wait',
    );
  });

  it('waits a minute for its room, since a server that was started anew has it only when the caller is back', () => {
    expect(decide(null, 'active', place, now - 59_999)).toEqual({ act: 'wait', why: 'room-gone' });
    expect(decide(null, 'active', place, now - 60_000)).toEqual({ act: 'forget', why: 'room-gone', revoke: [] });
  });

  it('is forgotten where its dispatch was taken back, but not where the server itself forgot it', () => {
    expect(decide(roomWith({ dispatches: [] }))).toEqual({ act: 'forget', why: 'let-go', revoke: [] });
    expect(decide(roomWith({ dispatches: [], id: 'RM_2' })).act).toBe('call');
  });

  it('is not called for twice while a dispatch is on its way: 5 seconds to be taken, 30 until the job owns the session', () => {
    const withDispatch = (one: SeenDispatch) => decide(roomWith({ dispatches: [first, one] })).act;
    expect(withDispatch(again(4_999))).toBe('wait');
    expect(withDispatch(again(5_000))).toBe('call');
    expect(withDispatch(again(29_999, ['agent-2']))).toBe('wait');
    expect(withDispatch(again(30_000, ['agent-2']))).toBe('call');
  });

  it('is called for less and less often while nobody comes, and what may be on its way is not taken back', () => {
    const after = (lostForMs: number, ageMs: number) =>
      decide(roomWith({ dispatches: [first, again(ageMs)] }), 'active', place, now - lostForMs);
    expect(after(60_000, 19_999)).toEqual({ act: 'wait', why: 'on-its-way' });
    expect(after(60_000, 20_000)).toEqual({ act: 'call', remove: [], revoke: ['AD_1'] });
    expect(after(600_000, 29_999).act).toBe('wait');
    expect(after(600_000, 30_000)).toEqual({ act: 'call', remove: [], revoke: ['AD_1', 'AD_2'] });
  });

  it('puts out an agent who took the call and never began', () => {
    const stuck = { identity: 'agent-2', isCaller: false };
    const room = roomWith({ participants: [ada, stuck], dispatches: [first, again(30_000, ['agent-2'])] });
    expect(decide(room)).toEqual({ act: 'call', remove: ['agent-2'], revoke: ['AD_1', 'AD_2'] });
  });

  it('that no agent has had is called for once its own dispatch is known to be lost', () => {
    const untaken = { ...place, agent: null };
    const dispatched = (ageMs: number) => roomWith({ dispatches: [{ ...first, createdAt: now - ageMs, agents: [] }] });
    expect(decide(dispatched(4_999), null, untaken).act).toBe('wait');
    expect(decide(dispatched(5_000), null, untaken)).toEqual({ act: 'call', remove: [], revoke: [] });
  });
});
