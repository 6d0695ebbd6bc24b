import { createHash } from 'node:crypto';
import { type AgentConfig, callOptions } from '../../config/config.ts';
import { FlowError } from '../../model/errors.ts';
import type { OutgoingCall, PlaceCall } from '../../people/calls/call-out.ts';
import { contactOf } from '../../people/channels/contact.ts';
import { defaultRingFor } from '../../people/calls/call-settings.ts';
import { durationMs } from '../../people/duration.ts';
import { withTimeout } from '../../people/with-timeout.ts';
import type { Clock } from '../../model/ports/time.ts';
import { pause } from '../pause.ts';
import { startsWithinMs } from '../jobs/rescue.ts';
import type { ServerRooms } from '../server-rooms.ts';
import type { TelephoneLine } from './telephone-line.ts';

export interface PlacingOptions {
  readonly config: AgentConfig;
  readonly rooms: Pick<ServerRooms, 'look' | 'dispatch' | 'revoke'>;
  readonly line: TelephoneLine;
  readonly env: NodeJS.ProcessEnv;
  readonly clock: Clock;
}

/** Identity of a called telephone. */
const calledIdentity = 'caller';
/** How much longer than the ringing an empty room is kept, in seconds: a busy machine starts an agent slowly. */
const emptySeconds = 60;
/** How long to wait for an immediate failure of dialling, in milliseconds. */
const atOnceMs = 1_000;
/** Timeout of the configuration's `room` and `ring`, in milliseconds. */
const patienceMs = 5_000;

/**
 * Creates the function that calls people: it dispatches an agent to the session's room, and dials the telephone into it or calls
 * `ring`. Steps already under way are not repeated. Null if the configuration has no `calls`, or its worker no name to dispatch.
 */
export function createPlaceCall({ config, rooms, line, env, clock }: PlacingOptions): PlaceCall | null {
  const { calls, worker: { agentName = '' } = {} } = config;
  if (calls === undefined || agentName === '') return null;
  const trunk = calls.trunk ?? named(env['LIVEKIT_SIP_TRUNK']);
  const from = calls.from ?? named(env['LIVEKIT_SIP_NUMBER']) ?? null;
  const ringSeconds = Math.ceil(durationMs(calls.ringFor ?? defaultRingFor) / 1_000);

  /** Whether the agent is coming or present; dispatches of older calls are revoked. */
  const isDispatched = async (
    room: string,
    metadata: string,
    seen: Awaited<ReturnType<ServerRooms['look']>>,
  ): Promise<boolean> => {
    const own = (seen?.dispatches ?? []).filter((one) => one.agentName === agentName && one.metadata === metadata);
    const present = new Set(seen?.participants.map(({ identity }) => identity));
    const isAlive = (one: (typeof own)[number]): boolean =>
      one.agents.length === 0
        ? clock.now() - one.createdAt < startsWithinMs
        : one.agents.some((identity) => present.has(identity));
    await Promise.all(own.filter((one) => !isAlive(one)).map(({ id }) => rooms.revoke(room, id)));
    return own.some(isAlive);
  };

  return async (call) => {
    const { sessionId, input } = call;
    const number = await telephoneOf(config, call);
    const dialed = trunk !== undefined && number !== null ? { trunk, number } : null;
    if (dialed === null && calls.ring === undefined && calls.room === undefined)
      throw new FlowError(
        'callee-unknown',
        number === null
          ? 'the number of the person to call is unknown. Give the session a contact { to }, or set replyTarget, calls.ring or calls.room.'
          : 'there is no telephone line. Set calls.trunk or LIVEKIT_SIP_TRUNK, or calls.ring.',
      );
    const room = await roomOf(calls.room, { sessionId, input }, clock);
    const metadata = metadataFor(call, dialed === null ? null : calledIdentity);
    const seen = await rooms.look(room);
    if (seen === null) await line.open(room, ringSeconds + emptySeconds);
    if (!(await isDispatched(room, metadata, seen))) await rooms.dispatch(room, agentName, metadata);
    if (dialed === null) {
      const rung = Promise.resolve().then(() => calls.ring?.({ sessionId, input, room }));
      if ((await withTimeout(rung, clock, patienceMs)) === 'late')
        throw new FlowError('call-failed', 'calls.ring took longer than 5 s. Let it return sooner.');
      return {};
    }
    // The telephone already rings or is answered; the process that dialled it receives the outcome.
    if (seen?.participants.some(({ identity }) => identity === calledIdentity) === true) return {};
    const hangUp = async (): Promise<void> => {
      // The agent does not wait for a telephone that is not answered.
      if (seen === null) await line.close(room).catch(() => undefined);
    };
    const result = line.dial({ ...dialed, room, identity: calledIdentity, from, ringSeconds }).then(
      async (one) => {
        if (one.result !== 'answered') await hangUp();
        return one;
      },
      async (error: unknown) => {
        await hangUp();
        throw error;
      },
    );
    // An immediate failure fails the placing; the outcome of ringing is reported later.
    await Promise.race([result, pause(clock, atOnceMs)]);
    return { result };
  };
}

/** Returns the job's metadata, the same for each attempt so that the call is recognised. */
function metadataFor({ sessionId, flow, input, correlation }: OutgoingCall, participant: string | null): string {
  return JSON.stringify({
    sessionId,
    ...(flow === null ? {} : { flow, input, correlation, called: true }),
    ...(participant === null ? {} : { participant }),
    again: true,
  });
}

/** Returns the number of a session's person; null if unknown. */
async function telephoneOf(config: AgentConfig, { sessionId, input }: OutgoingCall): Promise<string | null> {
  const own = telephoneIn(contactOf(input)?.to ?? '');
  if (own !== null) return own;
  const { replyTarget = '' } = await callOptions(config, { sessionId, room: null, participant: null, input });
  return telephoneIn(replyTarget);
}

/** Returns a telephone number or SIP address; null for anything else, such as a mail address. */
function telephoneIn(text: string): string | null {
  const plain = text.trim().replace(/^tel:/i, '');
  if (/^sips?:\S+$/i.test(plain)) return plain;
  const digits = plain.replaceAll(/[\s().-]/g, '');
  return /^\+?\d{3,20}$/.test(digits) ? digits : null;
}

type RoomOf = NonNullable<NonNullable<AgentConfig['calls']>['room']>;

/** Returns a room name that does not reveal the session id, which may be a number. */
async function roomOf(own: RoomOf | undefined, call: Parameters<RoomOf>[0], clock: Clock): Promise<string> {
  if (own === undefined) return `call-${createHash('sha256').update(call.sessionId).digest('hex').slice(0, 24)}`;
  const name: unknown = await withTimeout(
    Promise.resolve().then(() => own(call)),
    clock,
    patienceMs,
  );
  if (typeof name === 'string' && name !== '' && name !== 'late') return name;
  throw new FlowError('call-failed', 'calls.room returned no room name within 5 s. Return a string.');
}

function named(value: string | undefined): string | undefined {
  return value === '' ? undefined : value;
}
