import { AgentDispatchClient, RoomServiceClient, ServerError } from 'livekit-server-sdk';
import type { ServerAddress } from './server-address.ts';

/** A room as the server has it. */
export interface SeenRoom {
  readonly id: string;
  readonly participants: readonly { readonly identity: string; readonly isCaller: boolean }[];
  readonly dispatches: readonly SeenDispatch[];
}

export interface TakenRoom {
  readonly name: string;
  readonly id: string;
}

/** A request for an agent in a room. */
export interface SeenDispatch {
  readonly id: string;
  readonly agentName: string;
  readonly metadata: string;
  /** By the server's clock, in epoch milliseconds. */
  readonly createdAt: number;
  /** The identities of the agents whose workers took it, dead ones as well; known some 3 seconds after they did. */
  readonly agents: readonly string[];
}

/** The requests to a LiveKit server by which lost calls are found. Each throws where the server is away. */
export interface ServerRooms {
  /** The rooms in which there is anybody. */
  taken(): Promise<readonly TakenRoom[]>;
  /** Null where there is no such room. */
  look(room: string): Promise<SeenRoom | null>;
  dispatches(room: string): Promise<readonly SeenDispatch[]>;
  dispatch(room: string, agentName: string, metadata: string): Promise<void>;
  /** Takes a dispatch back; one that is gone is none. */
  revoke(room: string, dispatch: string): Promise<void>;
  /** Puts a participant out of a room; one who is gone is out. */
  remove(room: string, identity: string): Promise<void>;
}

const requestTimeoutSeconds = 5;

/** The rooms of a LiveKit server. */
export function openServerRooms({ url, apiKey, apiSecret }: ServerAddress): ServerRooms {
  const http = url.replace(/^ws/, 'http');
  const options = { requestTimeout: requestTimeoutSeconds };
  const rooms = new RoomServiceClient(http, apiKey, apiSecret, options);
  const agents = new AgentDispatchClient(http, apiKey, apiSecret, options);
  const dispatchesIn = async (room: string): Promise<readonly SeenDispatch[]> =>
    (await agents.listDispatch(room)).map(({ id, agentName, metadata, state }) => ({
      id,
      agentName,
      metadata,
      createdAt: Number((state?.createdAt ?? 0n) / nanosecondsInMs),
      agents: (state?.jobs ?? []).map((job) => job.state?.participantIdentity ?? ''),
    }));
  return {
    async taken() {
      const found = await rooms.listRooms();
      return found.filter(({ numParticipants }) => numParticipants > 0).map(({ name, sid }) => ({ name, id: sid }));
    },
    async look(room) {
      const [found] = await rooms.listRooms([room]);
      if (found === undefined) return null;
      const [participants, dispatches] = await Promise.all([rooms.listParticipants(room), dispatchesIn(room)]);
      return {
        id: found.sid,
        participants: participants.map(({ identity, kind }) => ({ identity, isCaller: callers.has(kind) })),
        dispatches,
      };
    },
    dispatches: dispatchesIn,
    async dispatch(room, agentName, metadata) {
      await agents.createDispatch(room, agentName, { metadata });
    },
    revoke: (room, dispatch) => agents.deleteDispatch(dispatch, room).catch(unlessGone),
    remove: (room, identity) => rooms.removeParticipant(room, identity).catch(unlessGone),
  };
}

const nanosecondsInMs = 1_000_000n;

/** People, telephones and other connectors, as LiveKit's protocol numbers the kinds of participants. */
const callers: ReadonlySet<number> = new Set([0, 3, 7]);

function unlessGone(error: unknown): void {
  if (!(error instanceof ServerError) || error.status !== 404) throw error;
}
