import { errorKind } from '../model/errors.ts';
import type { InboxEntry } from '../model/inbox.ts';
import { readState } from '../kernel/state/upgrade.ts';
import type { LostCall, Store } from '../model/ports/store.ts';
import type { Clock, Ids } from '../model/ports/time.ts';
import { freeDeadCalls } from './calls/free-dead-calls.ts';
import { metadataOf, readPlace, sessionIdOf, toKeptPlace } from './calls/call-place.ts';
import { isPoisoned } from './jobs/quarantine.ts';
import { rescueOf, takenWithinMs } from './jobs/rescue.ts';
import type { SeenDispatch, ServerRooms, TakenRoom } from './server-rooms.ts';
import type { WorkerLog } from './worker-log.ts';

export interface SupervisorOptions {
  /** The store of the workers' calls; the same for all their supervisors. */
  readonly store: Store;
  readonly rooms: ServerRooms;
  /** The agent whose unaccepted dispatches are repeated. */
  readonly agentName: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Pick<WorkerLog, 'info' | 'warn'>;
}

/** Finds calls whose agent is gone and callers without an agent, and dispatches an agent to them. */
export interface Supervisor {
  /** Looks for lost calls now instead of at the next tick. */
  look(): Promise<void>;
  /** Stops looking; resolves when running work is done. */
  stop(): Promise<void>;
}

/** How often to look for lost calls, and for rooms whose callers have no agent, in milliseconds. */
const lookEveryMs = 1_000;
const walkEveryMs = 5_000;
/** How long one supervisor has a lost call exclusively, in milliseconds. */
const claimMs = takenWithinMs + 500;
/** Limits on concurrent work, so that an outage does not cause a burst. */
const callsAtOnce = 10;
const roomsAtOnce = 20;
/** Maximum pause of a supervisor after failures of a store or server, in milliseconds. */
const longestAwayMs = 10_000;
/** A tick this late, in milliseconds, follows a suspended machine. The supervisor waits once, so that owners renew their leases first. */
const lateMs = 2_000;
const settleMs = 5_000;
/** Long enough to acquire and release the lease, in milliseconds. */
const fenceMs = 5_000;

/** Starts looking. Supervisors that share a store never dispatch two agents to one caller, because each call is claimed first. */
export function supervise({ store, rooms, agentName, clock, ids, logger }: SupervisorOptions): Supervisor {
  const tell = (event: string, sessionId: string, facts: object = {}): void =>
    logger.warn({ event, sessionId, ...facts }, 'supervisor');
  let isStopped = false;
  let failures = 0;
  let nextWalkAt = clock.now() + walkEveryMs;
  /** The last room of the previous walk, in the order of names. */
  let walked = '';
  let cancelTick = (): void => undefined;
  let work: Promise<void> = Promise.resolve();
  let next: Promise<void> | null = null;

  const rescue = async (call: LostCall): Promise<void> => {
    const { sessionId } = call;
    const place = readPlace(call.place);
    if (place === null) {
      tell('call:unreadable', sessionId);
      return await store.calls.delete(sessionId);
    }
    const [kept, room] = await Promise.all([store.sessions.get(sessionId), rooms.look(place.room)]);
    const status = kept === null ? null : readState(kept.state).status;
    const what = rescueOf(call, place, status, room, clock.now());
    if (what.act === 'wait') return;
    if (what.act === 'forget') {
      await Promise.all(what.revoke.map((dispatch) => rooms.revoke(place.room, dispatch)));
      const left = callOver.get(what.why);
      // The previous process died before it could end the conversation, or during a write.
      if (kept !== null && left !== undefined)
        await store.inbox.post([entryOf(sessionId, place.dispatch, left, clock.now())]);
      await store.calls.delete(sessionId);
      return logger.info({ event: 'call:forgotten', sessionId, reason: what.why }, 'supervisor');
    }
    // A newer token excludes the previous owner, in case it is still alive.
    const lease = await store.leases.acquire({ sessionId, owner: ids.create('supervisor'), ttlMs: fenceMs });
    if (lease === null) return;
    await store.leases.release(lease);
    // The caller still hears the apology.
    const isGivenUp = kept !== null && isPoisoned(await store.steps.list(sessionId), clock.now());
    const metadata = isGivenUp ? givenUp(place.metadata) : place.metadata;
    tell(isGivenUp ? 'call:given-up' : 'call:lost', sessionId, { agents: what.remove.length });
    if (isGivenUp) await store.calls.delete(sessionId);
    await Promise.all([
      rooms.dispatch(place.room, place.agentName, metadata),
      ...what.remove.map((identity) => rooms.remove(place.room, identity)),
    ]);
    await Promise.all(what.revoke.map((dispatch) => rooms.revoke(place.room, dispatch)));
  };

  const rescueLost = async (): Promise<void> => {
    await freeDeadCalls(store);
    const lost = await store.calls.claimLost({ ttlMs: claimMs, limit: callsAtOnce });
    const failed = (call: LostCall) => (error: unknown) =>
      tell('call:not-rescued', call.sessionId, { code: errorKind(error) });
    await Promise.all(lost.map((call) => rescue(call).catch(failed(call))));
  };

  /** Records unaccepted dispatches as lost calls. */
  const walk = async (): Promise<void> => {
    const taken = (await rooms.taken()).toSorted((one, other) => (one.name < other.name ? -1 : 1));
    const ahead = [...taken.filter(({ name }) => name > walked), ...taken.filter(({ name }) => name <= walked)];
    const visited = ahead.slice(0, roomsAtOnce);
    walked = visited.at(-1)?.name ?? '';
    const found = await Promise.all(
      visited.map(async (room) => ({ room, dispatches: await rooms.dispatches(room.name) })),
    );
    for (const { room, dispatches } of found)
      for (const dispatch of dispatches)
        if (dispatch.agentName === agentName && isUntaken(dispatch, clock.now())) await keepUntaken(room, dispatch);
  };
  const keepUntaken = async (room: TakenRoom, { id, metadata }: SeenDispatch): Promise<void> => {
    const told = metadataOf(metadata);
    // Invalid metadata names no session, so all repeated dispatches share one id.
    const sessionId =
      told === null ? `${room.id}/${agentName}` : await sessionIdOf(store, { id, dispatchId: id }, told);
    const place = {
      room: room.name,
      roomId: room.id,
      agentName,
      dispatch: id,
      agent: null,
      caller: told?.participant ?? null,
      metadata: told === null ? metadata : JSON.stringify({ ...told, sessionId, again: true }),
    };
    await store.calls.save({ sessionId, place: toKeptPlace(place) }, { unlessKept: true });
  };

  const tick = async (): Promise<void> => {
    try {
      await rescueLost();
      if (clock.now() >= nextWalkAt) {
        await walk();
        nextWalkAt = clock.now() + walkEveryMs;
      }
      if (failures > 0) logger.info({ event: 'supervisor:back' }, 'supervisor');
      failures = 0;
    } catch (error) {
      if (failures === 0) logger.warn({ event: 'supervisor:away', code: errorKind(error) }, 'supervisor');
      failures += 1;
    }
  };
  const schedule = (delayMs: number, hasSettled = false): void => {
    const dueAt = clock.now() + delayMs;
    cancelTick = clock.schedule(delayMs, () => {
      if (!hasSettled && clock.now() - dueAt > lateMs) return schedule(settleMs, true);
      void look().then(() => {
        if (!isStopped) schedule(Math.min(lookEveryMs * 2 ** failures, longestAwayMs));
      });
    });
  };
  const look = (): Promise<void> => {
    next ??= work.then(() => {
      next = null;
      return isStopped ? undefined : tick();
    });
    work = next;
    return work;
  };
  schedule(lookEveryMs);
  return {
    look,
    async stop() {
      isStopped = true;
      cancelTick();
      await work;
    },
  };
}

/** Why the conversation of an abandoned call is over. */
const callOver: ReadonlyMap<string, 'room-closed' | 'worker-stopped'> = new Map([
  ['room-gone', 'room-closed'],
  ['let-go', 'worker-stopped'],
] as const);

/** Returns the entry with which a clerk finishes the call's work and ends its conversation, as after a hang-up. */
function entryOf(
  sessionId: string,
  dispatch: string,
  reason: 'room-closed' | 'worker-stopped',
  dueAt: number,
): InboxEntry {
  const signal = { type: 'session:left', callOver: reason } as const;
  return {
    key: `over/${sessionId}/${dispatch}`,
    sessionId,
    dueAt,
    signal,
    reach: 'wait',
    correlation: {},
    actor: null,
  };
}

function isUntaken({ agents, createdAt }: SeenDispatch, now: number): boolean {
  return agents.length === 0 && now - createdAt >= takenWithinMs;
}

/** Returns the metadata of a call that an agent only apologises for. */
function givenUp(metadata: string): string {
  return JSON.stringify({ ...metadataOf(metadata), givenUp: true });
}
