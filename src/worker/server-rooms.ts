import { AgentDispatchClient, RoomServiceClient, ServerError } from 'livekit-server-sdk';
import { apiAddress, type ServerAddress } from './server-address.ts';

/** A room as the server reports it. */
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
  /** Identities of the agents whose workers accepted it, including dead ones; reported about 3 seconds later. */
  readonly agents: readonly string[];
}

/** Requests to a LiveKit server for finding lost calls. Each throws if the server is unreachable. */
export interface ServerRooms {
  /** Returns the rooms with participants. */
  taken(): Promise<readonly TakenRoom[]>;
  /** Returns a room; null if it does not exist. */
  look(room: string): Promise<SeenRoom | null>;
  dispatches(room: string): Promise<readonly SeenDispatch[]>;
  dispatch(room: string, agentName: string, metadata: string): Promise<void>;
  /** Revokes a dispatch; no effect if it is gone. */
  revoke(room: string, dispatch: string): Promise<void>;
  /** Removes a participant from a room; no effect if they are gone. */
  remove(room: string, identity: string): Promise<void>;
}

const requestTimeoutSeconds = 5;

/** Creates the client for the rooms of a LiveKit server. */
export function openServerRooms({ url, apiKey, apiSecret }: ServerAddress): ServerRooms {
  const http = apiAddress(url);
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

/** Kinds of participants in LiveKit's protocol: people, telephones and other connectors. */
const callers: ReadonlySet<number> = new Set([0, 3, 7]);

function unlessGone(error: unknown): void {
  if (!(error instanceof ServerError) || error.status !== 404) throw error;
}
