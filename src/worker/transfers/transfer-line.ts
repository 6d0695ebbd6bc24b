import { createHash } from 'node:crypto';
import { RoomServiceClient, ServerError, SipCallError, SipClient } from 'livekit-server-sdk';
import type { TransferOutcome } from '../../model/transfer.ts';
import type { Missed } from '../../people/calls/call-result.ts';
import { transferAttribute } from '../../livekit/room/transferred.ts';
import { missedIn } from '../calls/telephone-line.ts';
import { apiAddress, type ServerAddress } from '../server-address.ts';

/** Requests to a LiveKit server for the transfers of one room. */
export interface TransferLine {
  /** Hands a telephone over to another number (SIP REFER). Resolves once it is answered there or not. */
  refer(caller: string, to: string, ringMs: number): Promise<TransferOutcome>;
  /** Dials a person into the room. Resolves once they answer or do not. */
  dial(person: DialedPerson): Promise<TransferOutcome>;
  hangUp(identity: string): Promise<void>;
  /** Lets a participant hear tracks of others, or not. */
  hear(listener: string, tracks: readonly string[], isOn: boolean): Promise<void>;
  /** Notes on a participant that their transfer has been requested. */
  mark(identity: string, key: string): Promise<void>;
}

/** A person to dial into the room. */
export interface DialedPerson {
  readonly trunk: string;
  readonly from: string | undefined;
  readonly to: string;
  readonly identity: string;
  readonly key: string;
  readonly ringMs: number;
}

const requestTimeoutSeconds = 10;
/** How long the server may take besides the ringing, in seconds. */
const answerMarginSeconds = 5;

export function openTransferLine({ url, apiKey, apiSecret }: ServerAddress, room: string): TransferLine {
  const access = [apiAddress(url), apiKey, apiSecret, { requestTimeout: requestTimeoutSeconds }] as const;
  const rooms = new RoomServiceClient(...access);
  const sip = new SipClient(...access);
  return {
    async refer(caller, to, ringMs) {
      const ringingTimeout = Math.ceil(ringMs / 1_000);
      const timeout = ringingTimeout + answerMarginSeconds;
      return await outcomeFrom(
        sip.transferSipParticipant(room, caller, addressOf(to), { playDialtone: true, ringingTimeout, timeout }),
      );
    },
    async dial({ trunk, from, to, identity, key, ringMs }) {
      const ringingTimeout = Math.ceil(ringMs / 1_000);
      return await outcomeFrom(
        sip.createSipParticipant(trunk, numberOf(to), room, {
          participantIdentity: identity,
          participantAttributes: { [transferAttribute]: key },
          ...{ ringingTimeout, timeout: ringingTimeout + answerMarginSeconds, waitUntilAnswered: true },
          ...(from === undefined ? {} : { fromNumber: from }),
        }),
      );
    },
    hangUp: (identity) => rooms.removeParticipant(room, identity).catch(unlessGone),
    hear: (listener, tracks, isOn) => rooms.updateSubscriptions(room, listener, [...tracks], isOn).catch(unlessGone),
    async mark(identity, key) {
      await rooms.updateParticipant(room, identity, { attributes: { [transferAttribute]: key } });
    },
  };
}

/** Returns the key of a transfer as the room shows it: it does not reveal the session. */
export function roomKeyOf(wait: string): string {
  return createHash('sha256').update(wait).digest('hex').slice(0, 24);
}

function addressOf(to: string): string {
  return /^sips?:/i.test(to) ? to : `tel:${numberOf(to)}`;
}

/** Returns a telephone number without its writing, or a SIP address. */
function numberOf(to: string): string {
  return /^sips?:/i.test(to) ? to : to.replace(/^tel:/i, '').replaceAll(/[\s().-]/g, '');
}

async function outcomeFrom(asked: Promise<unknown>): Promise<TransferOutcome> {
  try {
    await asked;
    return 'answered';
  } catch (error) {
    return outcomeOf(error);
  }
}

const outcomes: Readonly<Partial<Record<Missed, TransferOutcome>>> = {
  busy: 'busy',
  'no-answer': 'no_answer',
  'rang-out': 'no_answer',
  declined: 'refused',
};

/** SIP status of a network that does not put the call through. */
const forbidden = 403;

function outcomeOf(error: unknown): TransferOutcome {
  if (error instanceof SipCallError && error.sipStatusCode === forbidden) return 'refused';
  const missed = missedIn(error);
  return (missed === null || missed.result === 'answered' ? undefined : outcomes[missed.result]) ?? 'failed';
}

function unlessGone(error: unknown): void {
  if (!(error instanceof ServerError) || error.status !== 404) throw error;
}
