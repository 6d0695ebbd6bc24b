import { RoomServiceClient, ServerError, SipCallError, SipClient } from 'livekit-server-sdk';
import { FlowError } from '../errors.ts';
import { type CallResult, missedOf } from '../people/calls/call-result.ts';
import type { ServerAddress } from './server-address.ts';

/** Somebody to be called by telephone into a room. */
export interface DialedCall {
  readonly trunk: string;
  readonly number: string;
  readonly room: string;
  /** Under which the telephone is in the room. */
  readonly identity: string;
  /** The number that is shown; the trunk's where null. */
  readonly from: string | null;
  readonly ringSeconds: number;
}

/** Rooms that are opened for a call, and telephones that are called into them. */
export interface TelephoneLine {
  /** Opens a room, which is closed where nobody comes. */
  open(room: string, emptySeconds: number): Promise<void>;
  close(room: string): Promise<void>;
  /**
   * Rings, and resolves once it is answered or not going to be. Throws `call-failed`, with the telephone network's own
   * status where there is one, where the line has failed and not the person.
   */
  dial(call: DialedCall): Promise<CallResult>;
}

const requestTimeoutSeconds = 10;
/** How long the server may take beside the ringing, in seconds. */
const answerMarginSeconds = 10;
/** How long a room whose people have left is kept, in seconds. */
const departureSeconds = 10;

/** The telephone lines of a LiveKit server; it has some where livekit-sip runs beside it. */
export function openTelephoneLine({ url, apiKey, apiSecret }: ServerAddress): TelephoneLine {
  const access = [url.replace(/^ws/, 'http'), apiKey, apiSecret, { requestTimeout: requestTimeoutSeconds }] as const;
  const rooms = new RoomServiceClient(...access);
  const sip = new SipClient(...access);
  return {
    async open(name, emptyTimeout) {
      await rooms.createRoom({ name, emptyTimeout, departureTimeout: departureSeconds });
    },
    async close(room) {
      await rooms.deleteRoom(room);
    },
    async dial({ trunk, number, room, identity, from, ringSeconds }) {
      try {
        await sip.createSipParticipant(trunk, number, room, {
          participantIdentity: identity,
          ringingTimeout: ringSeconds,
          waitUntilAnswered: true,
          timeout: ringSeconds + answerMarginSeconds,
          ...(from === null ? {} : { fromNumber: from }),
        });
        return { result: 'answered' };
      } catch (error) {
        const missed = missedIn(error);
        if (missed !== null) return missed;
        throw new FlowError('call-failed', `the telephone was not called: ${statusOf(error)}.`, { cause: error });
      }
    },
  };
}

/** What an error tells of the person who was called; null where the line has failed. */
function missedIn(error: unknown): CallResult | null {
  if (error instanceof SipCallError && error.sipStatusCode !== undefined) {
    const result = missedOf(error.sipStatusCode);
    return result === null ? null : { result, sipStatus: error.sipStatusCode };
  }
  // The server has ended the call, or says nothing though it has rung for long enough.
  if (error instanceof ServerError && error.code === 'deadline_exceeded') return { result: 'rang-out' };
  return error instanceof DOMException && error.name === 'TimeoutError' ? { result: 'rang-out' } : null;
}

/** Nothing but codes: a text of the network may hold the number. */
function statusOf(error: unknown): string {
  if (error instanceof SipCallError && error.sipStatusCode !== undefined) return `SIP ${error.sipStatusCode}`;
  if (error instanceof ServerError) return `${error.code ?? 'error'} (${error.status})`;
  return 'the server did not answer';
}
