import { platform } from 'node:process';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createMemoryStore } from '../../src/store/memory/store.ts';
import type { Json } from '../../src/model/json.ts';
import type { Signal } from '../../src/model/signals/signal.ts';
import { newSession } from '../../src/kernel/state/state.ts';
import type { Lease } from '../../src/model/ports/store.ts';
import { createCountingIds } from '../../src/testing/counting-ids.ts';
import { createVirtualClock, type VirtualClock } from '../../src/testing/virtual-clock.ts';
import { ownerName } from '../../src/engine/session/process-owner.ts';
import { toKeptPlace } from '../../src/worker/calls/call-place.ts';
import { recoverJobs } from '../../src/worker/jobs/recover-jobs.ts';
import type { SeenDispatch, ServerRooms } from '../../src/worker/server-rooms.ts';
import { supervise } from '../../src/worker/supervisor.ts';
import type { RunningJob } from '../../src/worker/jobs/watch-jobs.ts';
import { expectRefusal } from '../durable/refusal.ts';
import { step } from '../../src/testing/store/steps.ts';

/** A LiveKit server with callers in rooms whose dispatches no worker accepts. A test may remove it. */
function serverWith(clock: VirtualClock, callers: readonly string[]) {
  const dispatches = new Map<string, SeenDispatch[]>(callers.map((room) => [room, []]));
  const agents = new Map<string, string>();
  const server = { isAway: false, asked: 0, sent: [] as string[], removed: [] as string[] };
  const answer = async <Answer>(give: () => Answer): Promise<Answer> => {
    server.asked += 1;
    if (server.isAway) throw new TypeError('fetch failed');
    return give();
  };
  const rooms: ServerRooms = {
    taken: () => answer(() => callers.map((name) => ({ name, id: `RM_${name}` }))),
    look: (room) =>
      answer(() => ({
        id: `RM_${room}`,
        participants: [
          { identity: 'caller', isCaller: true },
          ...(agents.has(room) ? [{ identity: agents.get(room) ?? '', isCaller: false }] : []),
        ],
        dispatches: dispatches.get(room) ?? [],
      })),
    dispatches: (room) => answer(() => dispatches.get(room) ?? []),
    dispatch: (room, agentName, metadata) =>
      answer(() => {
        server.sent.push(metadata);
        dispatched(room, metadata, agentName);
      }),
    revoke: (room, id) =>
      answer(
        () =>
          void dispatches.set(
            room,
            (dispatches.get(room) ?? []).filter((one) => one.id !== id),
          ),
      ),
    remove: (room, identity) => answer(() => void server.removed.push(`${identity} of ${room}`)),
  };
  const dispatched = (room: string, metadata: string, agentName = 'desk', by: readonly string[] = []): void => {
    const all = dispatches.get(room) ?? [];
    const id = `AD_${room}_${all.length}`;
    dispatches.set(room, [...all, { id, agentName, metadata, createdAt: clock.now(), agents: by }]);
  };
  /** Puts an agent into the room and marks the dispatch as accepted. */
  const attend = (room: string, agent: string): void => {
    dispatched(room, '', 'desk', [agent]);
    agents.set(room, agent);
  };
  return Object.assign(server, { rooms, dispatched, attend });
}

function stageWith(callers: readonly string[]) {
  const timers = createVirtualClock();
  let asleepMs = 0;
  const clock = Object.assign(Object.create(timers) as VirtualClock, { now: () => timers.now() + asleepMs });
  /** Advances the time while the machine and its timers stand still. */
  const sleep = (ms: number): void => void (asleepMs += ms);
  const store = createMemoryStore({ clock });
  const server = serverWith(clock, callers);
  const told: object[] = [];
  // pino takes an object and a text.
  const logger = {
    info: (line: object) => void told.push(line),
    warn: (line: object) => void told.push(line),
  } as never;
  const options = { store, rooms: server.rooms, agentName: 'desk', clock, ids: createCountingIds(), logger };
  const watchOver = () => {
    const supervisor = supervise(options);
    onTestFinished(() => supervisor.stop());
    return supervisor;
  };
  /** A job that owns its session and has stored its call. */
  const keepCall = async (room: string, ownedForMs: number): Promise<void> => {
    server.attend(room, `agent-${room}`);
    await store.leases.acquire({ sessionId: room, owner: `AJ_${room}`, ttlMs: ownedForMs });
    const place = {
      room,
      roomId: `RM_${room}`,
      agentName: 'desk',
      dispatch: `AD_${room}_0`,
      agent: `agent-${room}`,
      caller: 'caller',
      metadata: metadataFor(room),
    };
    await store.calls.save({ sessionId: room, place: toKeptPlace(place) });
  };
  return { clock, store, server, told, options, sleep, watchOver, keepCall };
}

function metadataFor(room: string): string {
  return JSON.stringify({ sessionId: room, participant: 'caller' });
}

describe('a supervisor', () => {
  it('calls an agent again within a second of the end of a lease, puts the dead one out, and shuts its owner out', async () => {
    const { clock, store, server, told, watchOver, keepCall } = stageWith(['a']);
    await keepCall('a', 15_000);
    const lease = await store.leases.acquire({ sessionId: 'a', owner: 'AJ_a', ttlMs: 15_000 });
    if (lease === null) throw new Error('the lease was not to be had');
    watchOver();
    await clock.advance(14_999);
    expect(server.sent).toEqual([]);
    await clock.advance(1_001);
    expect(server.sent).toEqual([metadataFor('a')]);
    expect(server.removed).toEqual(['agent-a of a']);
    expect(told).toEqual([{ event: 'call:lost', sessionId: 'a', agents: 1 }]);
    await expectRefusal('lease-lost', store.steps.create(step(lease)));
  });

  it('does nothing twice beside another one', async () => {
    const { clock, server, watchOver, keepCall } = stageWith(['a', 'b']);
    await keepCall('a', 500);
    await keepCall('b', 500);
    watchOver();
    watchOver();
    await clock.advance(4_000);
    expect(server.sent.toSorted()).toEqual([metadataFor('a'), metadataFor('b')]);
  });

  it('repeats a dispatch that no worker took, under the session that its job would have had, until somebody owns that', async () => {
    const { clock, store, server, watchOver } = stageWith(['a']);
    server.dispatched('a', '{"flow":"intake"}');
    watchOver();
    await clock.advance(11_000);
    const metadata = '{"flow":"intake","sessionId":"AD_a_0","again":true}';
    expect(server.sent).toEqual([metadata]);
    await clock.advance(60_000);
    expect(server.sent.length).toBeGreaterThan(2);
    expect(new Set(server.sent)).toEqual(new Set([metadata]));
    const before = server.sent.length;
    await store.leases.acquire({ sessionId: 'AD_a_0', owner: 'AJ_at_last', ttlMs: 600_000 });
    await clock.advance(60_000);
    expect(server.sent).toHaveLength(before);
  });

  it('leaves alone the dispatches of other agents', async () => {
    const { clock, server, watchOver } = stageWith(['a']);
    server.dispatched('a', '{}', 'another');
    watchOver();
    await clock.advance(60_000);
    expect(server.sent).toEqual([]);
  });

  it('repeats a dispatch whose metadata is broken as it is, until a job has it, which only apologises', async () => {
    const { clock, store, server, told, watchOver } = stageWith(['a']);
    server.dispatched('a', 'no JSON');
    watchOver();
    await clock.advance(60_000);
    expect(server.sent.length).toBeGreaterThan(2);
    expect(new Set(server.sent)).toEqual(new Set(['no JSON']));
    const before = server.sent.length;
    server.dispatched('a', 'no JSON', 'desk', ['agent-a']);
    await clock.advance(120_000);
    expect(server.sent).toHaveLength(before);
    expect(told).toContainEqual({ event: 'call:forgotten', sessionId: 'RM_a/desk', reason: 'apologised' });
    expect(await store.calls.claimLost({ ttlMs: 1, limit: 9 })).toEqual([]);
  });

  it('forgets a call that it cannot read, and one whose session has ended', async () => {
    const { clock, store, server, told, watchOver, keepCall } = stageWith(['a']);
    await store.calls.save({ sessionId: 'later', place: { of: 'another release' } });
    await keepCall('a', 500);
    const lease = await store.leases.acquire({ sessionId: 'a', owner: 'AJ_a', ttlMs: 500 });
    if (lease === null) throw new Error('the lease was not to be had');
    await store.steps.create(step(lease, { state: { ...newSession('a'), status: 'ended' } as unknown as Json })); // A state is JSON.
    watchOver();
    await clock.advance(1_000);
    expect(told).toContainEqual({ event: 'call:unreadable', sessionId: 'later' });
    expect(told).toContainEqual({ event: 'call:forgotten', sessionId: 'a', reason: 'over' });
    await clock.advance(10_000);
    expect(await store.calls.claimLost({ ttlMs: 1, limit: 9 })).toEqual([]);
    expect(server.sent).toEqual([]);
  });

  it('M2: gives up a session that ends each process that goes on with it: an agent only apologises, and others are unaffected', async () => {
    const { clock, store, server, told, watchOver, keepCall } = stageWith(['a', 'b']);
    watchOver();
    let seq = 0;
    /** A process takes over, says that it was gone, and dies. */
    const die = async (room: string, baseSeq: number, more: readonly Signal[] = []): Promise<void> => {
      const at = clock.now();
      await keepCall(room, 500);
      const lease = await store.leases.acquire({ sessionId: room, owner: `AJ_${room}`, ttlMs: 500 });
      if (lease === null) throw new Error('the lease was not to be had');
      const state = { ...newSession(room), status: 'active' } as unknown as Json; // A state is JSON.
      const resumed: Signal = { type: 'session:resumed', at };
      const signals = [...more, resumed].map((signal, index) => ({ seq: baseSeq + index + 1, signal }));
      await store.steps.create({ ...step(lease, { state, signals }), baseSeq });
      await clock.advance(40_000);
    };
    for (const time of [1, 2]) {
      await die('a', seq);
      seq += 1;
      expect(
        server.sent.every((metadata) => !metadata.includes('givenUp')),
        `${time}`,
      ).toBe(true);
    }
    await die('a', seq);
    expect(told).toContainEqual({ event: 'call:given-up', sessionId: 'a', agents: 1 });
    expect(JSON.parse(server.sent.at(-1) ?? '')).toMatchObject({ sessionId: 'a', givenUp: true });
    const before = server.sent.length;
    await clock.advance(120_000);
    // Until a worker accepts the apology, only the apology is sent again.
    expect(server.sent.slice(before).every((metadata) => metadata.includes('givenUp'))).toBe(true);

    // The caller spoke between these.
    for (const turn of [0, 1, 2, 3]) {
      const spoken: Signal = { type: 'user:turn', at: clock.now(), eventId: `e${turn}`, text: 'Yes.', via: 'text' };
      await die('b', 2 * turn, [spoken]);
    }
    expect(told).not.toContainEqual({ event: 'call:given-up', sessionId: 'b', agents: expect.any(Number) as number });
  });

  it('asks less and less often where the server is away, says so once, and goes on when it is back', async () => {
    const { clock, server, told, watchOver, keepCall } = stageWith(['a']);
    await keepCall('a', 100_000);
    watchOver();
    server.isAway = true;
    await clock.advance(120_000);
    expect(server.asked).toBeLessThan(20);
    expect(told[0]).toEqual({ event: 'supervisor:away', code: 'TypeError' });
    expect(told.filter((line) => 'event' in line && line.event === 'supervisor:away')).toHaveLength(1);
    server.isAway = false;
    await clock.advance(40_000);
    expect(server.sent).toContain(metadataFor('a'));
    expect(told).toContainEqual({ event: 'supervisor:back' });
  });

  it('that was stopped with its machine lets owners give a sign of life before it judges them', async () => {
    const { clock, store, server, sleep, watchOver, keepCall } = stageWith(['a']);
    watchOver();
    await keepCall('a', 15_000);
    await clock.advance(500);
    sleep(60_000);
    await clock.advance(4_000);
    await store.leases.acquire({ sessionId: 'a', owner: 'AJ_a', ttlMs: 75_000 });
    await clock.advance(8_000);
    expect(server.sent).toEqual([]);
  });

  it('does nothing any more once it is stopped', async () => {
    const { clock, server, watchOver, keepCall } = stageWith(['a']);
    await keepCall('a', 500);
    const supervisor = watchOver();
    await supervisor.stop();
    await clock.advance(60_000);
    await supervisor.look();
    expect(server.sent).toEqual([]);
    expect(clock.pending).toBe(0);
  });
});

describe('a worker whose job has died', () => {
  const job: RunningJob = {
    id: 'AJ_a',
    dispatchId: 'AD_a_0',
    metadata: metadataFor('a'),
  };

  it.each([
    ['that has begun', true],
    ['that has not begun', false],
  ])('lets go of its session %s in its name and calls an agent again within half a second', async (_when, hasBegun) => {
    const { clock, store, server, options, keepCall } = stageWith(['a']);
    await keepCall('a', hasBegun ? 1 : 15_000);
    await clock.advance(1);
    if (hasBegun) {
      const lease = (await store.leases.acquire({ sessionId: 'a', owner: ownerName(job.id), ttlMs: 15_000 })) as Lease; // The lease is free.
      await store.steps.create(step(lease, { state: newSession('a') as unknown as Json })); // A state is JSON.
    }
    let running: readonly RunningJob[] = [job];
    onTestFinished(recoverJobs(() => running, options));
    await clock.advance(3_000);
    running = [];
    await clock.advance(500);
    expect(server.sent).toEqual([metadataFor('a')]);
  });

  it.skipIf(platform !== 'linux').each([
    ['at once where it starts on the machine of one that has died', 0, 500],
    ['within a second where another worker of its machine dies', 5_000, 1_500],
  ])('calls an agent again %s', async (_when, diesAfterMs, withinMs) => {
    const { clock, store, server, options, keepCall } = stageWith(['a', 'b']);
    for (const room of ['a', 'b']) await keepCall(room, 1);
    await clock.advance(1);
    const own = async (room: string, owner: string): Promise<void> => {
      await expect(
        store.leases.acquire({ sessionId: room, owner, ttlMs: 15_000, from: ownerName(`AJ_${room}`) }),
      ).resolves.not.toBeNull();
    };
    await own('a', ownerName('AJ_a'));
    await own('b', ownerName('AJ_b'));
    // The name of a process with this id and another start time. The owner of the other call lives.
    const die = (): Promise<void> => own('a', ownerName('AJ_a').replace(/:\d+:AJ_a$/, ':1:AJ_a'));
    if (diesAfterMs === 0) await die();
    onTestFinished(recoverJobs(() => [], options));
    if (diesAfterMs > 0) {
      await clock.advance(diesAfterMs);
      expect(server.sent).toEqual([]);
      await die();
    }
    await clock.advance(withinMs);
    expect(server.sent).toEqual([metadataFor('a')]);
  });

  it('leaves a session alone that another job owns by now', async () => {
    const { clock, store, server, options, keepCall } = stageWith(['a']);
    await keepCall('a', 1_000);
    let running: readonly RunningJob[] = [job];
    await clock.advance(1_000);
    await store.leases.acquire({ sessionId: 'a', owner: 'AJ_next', ttlMs: 60_000 });
    onTestFinished(recoverJobs(() => running, options));
    running = [];
    await clock.advance(10_000);
    expect(server.sent).toEqual([]);
  });
});
