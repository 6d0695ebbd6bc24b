import type { JobContext } from '@livekit/agents';
import { expect, it } from 'vitest';
import { createMemoryStore } from '../../src/store/memory/store.ts';
import type { Json } from '../../src/model/json.ts';
import { newSession } from '../../src/kernel/state/state.ts';
import type { Lease } from '../../src/model/ports/store.ts';
import type { Clock } from '../../src/model/ports/time.ts';
import { awayName, ownerName } from '../../src/engine/session/process-owner.ts';
import { createVirtualClock } from '../../src/testing/virtual-clock.ts';
import { sessionIdOf } from '../../src/worker/calls/call-place.ts';
import { keepCall } from '../../src/worker/calls/keep-call.ts';
import { expectRefusal } from '../durable/refusal.ts';
import { step } from '../../src/testing/store/steps.ts';

const never = new Promise<never>(() => undefined);
const here = (): Promise<unknown> => Promise.resolve();

function stageWith() {
  const clock = createVirtualClock();
  const store = createMemoryStore({ clock });
  // By default its heartbeats are those of a process whose clock stands still.
  const keep = (id: string, processClock: Clock = createVirtualClock(), hasCome = (): Promise<unknown> => never) => {
    const job = { id, dispatchId: `AD_${id}`, agentName: 'desk', room: { name: 'r', sid: 'RM_1' } };
    // The fields of a LiveKit job that are read here.
    const info = { job, acceptArguments: { identity: `agent-${id}` } } as unknown as JobContext['info'];
    const keepCompany = (): Promise<void> => Promise.resolve(void company.push(clock.now() - since));
    const since = clock.now();
    return keepCall(store, info, { sessionId: 's', metadata: { flow: 'intake' }, hasCome, keepCompany }, processClock);
  };
  /** When a waiting caller is addressed, in milliseconds from the start of their call. */
  const company: number[] = [];
  const commit = async (owner: string, status: 'active' | 'ended', baseSeq: number): Promise<void> => {
    const lease = (await store.leases.acquire({ sessionId: 's', owner, ttlMs: 15_000 })) as Lease; // The lease is free.
    const state = { ...newSession('s'), status } as unknown as Json; // A state is JSON.
    const signals = [{ seq: baseSeq + 1, signal: { type: 'session:resumed', at: 0 } as const }];
    await store.steps.create(step(lease, { state, baseSeq, signals }));
  };
  const lost = async () => {
    await clock.advance(15_000);
    return await store.calls.claimLost({ ttlMs: 1, limit: 9 });
  };
  return { clock, store, keep, commit, lost, company };
}

it('a call is kept with its place, and who calls once that is known', async () => {
  const { keep, lost } = stageWith();
  const call = await keep('1');
  await call.attend('ada');
  const [{ place, sessionId } = { place: {}, sessionId: '' }] = await lost();
  expect(sessionId).toBe('s');
  expect(place).toEqual({
    room: 'r',
    roomId: 'RM_1',
    agentName: 'desk',
    dispatch: 'AD_1',
    agent: 'agent-1',
    caller: 'ada',
    metadata: '{"flow":"intake","sessionId":"s","participant":"ada","again":true}',
  });
});

it('a call that another job has is left to it', async () => {
  const { clock, store, keep, commit, lost } = stageWith();
  await (await keep('1', clock)).attend('ada');
  await commit(ownerName('1'), 'active', 0);
  const other = expectRefusal('session-taken', keep('2', clock, here));
  // Its heartbeat is enough.
  await store.leases.acquire({ sessionId: 's', owner: ownerName('1'), ttlMs: 15_000 });
  await clock.advance(4_000);
  await other;
  await store.leases.acquire({ sessionId: 's', owner: ownerName('1'), ttlMs: 60_000 });
  expect(await lost()).toEqual([]);
});

it('whoever is called back and calls themselves meanwhile is talked to where they are, and the other agent is told', async () => {
  const { clock, store, keep, commit, lost } = stageWith();
  await commit('before', 'active', 0);
  await clock.advance(15_000);
  const back = await keep('1', clock);
  const own = keep('2', clock, here);
  await clock.advance(4_000);
  const call = await own;
  await clock.advance(3_000);
  await back.lost;
  await call.attend('ada');
  // A caller who picks up after all hears that the call continues elsewhere, and the other call keeps its state.
  const late = expectRefusal('session-taken', back.attend('telephone'));
  await clock.advance(1_000);
  await store.leases.acquire({ sessionId: 's', owner: ownerName('2'), ttlMs: 15_000 });
  await clock.advance(1_000);
  await late;
  await back.drop();
  expect((await lost()).map(({ place }) => place['agent'])).toEqual(['agent-2']);
});

it('whoever has dropped out of their call and calls anew is talked to there', async () => {
  const { clock, store, keep, commit, lost } = stageWith();
  const owner = ownerName('1');
  await (await keep('1', clock)).attend('ada');
  await commit(owner, 'active', 0);
  expect(
    await store.leases.acquire({ sessionId: 's', owner: awayName(owner), ttlMs: 15_000, from: owner }),
  ).not.toBeNull();
  const own = keep('2', clock, here);
  await clock.advance(4_000);
  await (await own).attend('ada');
  expect((await lost()).map(({ place }) => place['agent'])).toEqual(['agent-2']);
});

it('of two agents that wait for one caller the first one has the call, and as long as nobody comes both wait', async () => {
  const { clock, keep, commit, lost } = stageWith();
  await commit('before', 'active', 0);
  await clock.advance(15_000);
  let come = (): void => undefined;
  const coming = new Promise<void>((resolve) => (come = resolve));
  const first = await keep('1', clock);
  const other = expectRefusal(
    'session-taken',
    keep('2', clock, () => coming),
  );
  for (let second = 0; second < 60; second += 3) await clock.advance(3_000);
  come();
  await first.attend('ada');
  await clock.advance(2_000);
  await other;
  expect((await lost()).map(({ place }) => place['agent'])).toEqual(['agent-1']);
});

it('an agent whose room is closed before anybody came forgets its call, and the session is free at once', async () => {
  const { store, keep, lost } = stageWith();
  const call = await keep('1');
  await call.drop();
  expect(await store.leases.acquire({ sessionId: 's', owner: 'next', ttlMs: 1_000 })).not.toBeNull();
  expect(await lost()).toEqual([]);
});

it('whoever calls again after the machine of their call has died is taken as soon as its lease has ended', async () => {
  const { clock, keep, lost } = stageWith();
  await keep('1');
  const again = keep('2', clock);
  await clock.advance(14_000);
  await clock.advance(3_000);
  await (await again).letGo();
  expect((await lost()).map(({ place }) => place['agent'])).toEqual(['agent-2']);
});

it('a caller who calls while a clerk carries out what was decided is kept company, and taken once that is done', async () => {
  const { clock, store, keep, commit, lost, company } = stageWith();
  const owner = ownerName('clerk_1');
  await commit(owner, 'active', 0);
  const clerk = (await store.leases.acquire({ sessionId: 's', owner, ttlMs: 15_000 })) as Lease; // The lease is free.
  const again = keep('2', clock);
  for (let second = 0; second < 90; second += 3) {
    await clock.advance(3_000);
    await store.leases.renew(clerk, 15_000);
  }
  await store.leases.release(clerk);
  await clock.advance(250);
  await (await again).letGo();
  expect(company).toEqual([4_000, 24_000, 44_000, 64_000, 84_000]);
  expect((await lost()).map(({ place }) => place['agent'])).toEqual(['agent-2']);
});

it('a called customer may take a minute to pick up: until then the call is not lost, and once it is let go of it is', async () => {
  const { clock, keep, lost } = stageWith();
  const call = await keep('1', clock);
  for (let second = 0; second < 60; second += 15) expect(await lost()).toEqual([]);
  await call.letGo();
  expect((await lost()).map(({ sessionId }) => sessionId)).toEqual(['s']);
});

it('a call whose session has ended is looked for no more', async () => {
  const { keep, commit, lost } = stageWith();
  const call = await keep('1');
  await call.attend('ada');
  await commit(ownerName('1'), 'ended', 0);
  await call.end();
  expect(await lost()).toEqual([]);
});

it('a job that was shut out does not end the call of the one who goes on with it', async () => {
  const { clock, keep, commit, lost } = stageWith();
  const shutOut = await keep('1');
  await shutOut.attend('ada');
  await commit(ownerName('1'), 'active', 0);
  await clock.advance(15_000);
  await keep('2');
  await shutOut.end();
  expect((await lost()).map(({ place }) => place['agent'])).toEqual(['agent-2']);
});

it('whoever calls again under one name goes on where they were, or begins the next conversation once that has ended', async () => {
  const store = createMemoryStore({ clock: createVirtualClock() });
  const call = (again?: true) =>
    sessionIdOf(store, { id: 'AJ', dispatchId: 'AD' }, { sessionId: '+15550100', ...(again && { again }) });
  const leave = async (sessionId: string, status: 'active' | 'ended'): Promise<void> => {
    const lease = (await store.leases.acquire({ sessionId, owner: 'me', ttlMs: 15_000 })) as Lease; // No other owner wants it.
    const baseSeq = (await store.sessions.get(sessionId))?.seq ?? 0;
    const state = { ...newSession(sessionId), status } as unknown as Json; // A state is JSON.
    const signals = [{ seq: baseSeq + 1, signal: { type: 'session:resumed', at: 0 } as const }];
    await store.steps.create(step(lease, { state, baseSeq, signals }));
  };
  for (const number of [1, 2, 3, 4, 5, 6, 7, 8, 9]) {
    const expected = number === 1 ? '+15550100' : `+15550100~${number}`;
    expect(await call()).toBe(expected);
    await leave(expected, 'active');
    expect(await call()).toBe(expected);
    await leave(expected, 'ended');
  }
  // The repetition of a lost call belongs to that call and begins no other.
  expect(await call(true)).toBe('+15550100');
  expect(await sessionIdOf(store, { id: 'AJ', dispatchId: 'AD' }, {})).toBe('AD');
});
