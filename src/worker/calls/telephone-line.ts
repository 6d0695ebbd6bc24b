import { RoomServiceClient, ServerError, SipCallError, SipClient } from 'livekit-server-sdk';
import { FlowError } from '../../model/errors.ts';
import { type CallResult, missedOf } from '../../people/calls/call-result.ts';
import { apiAddress, type ServerAddress } from '../server-address.ts';

/** A telephone call into a room. */
export interface DialedCall {
  readonly trunk: string;
  readonly number: string;
  readonly room: string;
  /** The telephone's identity in the room. */
  readonly identity: string;
  /** The displayed number; the trunk's number if null. */
  readonly from: string | null;
  readonly ringSeconds: number;
}

/** Opens rooms for calls, and dials telephones into them. */
export interface TelephoneLine {
  /** Opens a room, which closes if it stays empty. */
  open(room: string, emptySeconds: number): Promise<void>;
  close(room: string): Promise<void>;
  /**
   * Rings, and resolves once the call is answered or missed. Throws `call-failed`, with
   * the network's status if there is one, if the line failed rather than the person.
   */
  dial(call: DialedCall): Promise<CallResult>;
}

const requestTimeoutSeconds = 10;
/** How long the server may take besides the ringing, in seconds. */
const answerMarginSeconds = 10;
/** How long an abandoned room is kept, in seconds. */
const departureSeconds = 10;

/** Creates the telephone line of a LiveKit server with livekit-sip. */
export function openTelephoneLine({ url, apiKey, apiSecret }: ServerAddress): TelephoneLine {
  const access = [apiAddress(url), apiKey, apiSecret, { requestTimeout: requestTimeoutSeconds }] as const;
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

/** Returns the outcome for the called person; null if the line has failed. */
export function missedIn(error: unknown): CallResult | null {
  if (error instanceof SipCallError && error.sipStatusCode !== undefined) {
    const result = missedOf(error.sipStatusCode);
    return result === null ? null : { result, sipStatus: error.sipStatusCode };
  }
  // The server ended the call, or does not respond although it has rung long enough.
  if (error instanceof ServerError && error.code === 'deadline_exceeded') return { result: 'rang-out' };
  return error instanceof DOMException && error.name === 'TimeoutError' ? { result: 'rang-out' } : null;
}

/** Returns only codes, because a text of the network may contain the number. */
function statusOf(error: unknown): string {
  if (error instanceof SipCallError && error.sipStatusCode !== undefined) return `SIP ${error.sipStatusCode}`;
  if (error instanceof ServerError) return `${error.code ?? 'error'} (${error.status})`;
  return 'the server did not answer';
}
