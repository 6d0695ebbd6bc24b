import { type RemoteParticipant, type Room, RoomEvent, ParticipantKind } from '@livekit/rtc-node';
import { FlowError } from '../../model/errors.ts';
import type { Clock } from '../../model/ports/time.ts';
import { isOperator } from './operators.ts';
import { isTransferred } from './transferred.ts';

export interface PresenceOptions {
  readonly room: Room;
  /** Identity of the watched participant. */
  readonly caller: string;
  /** How long to wait for a caller who dropped out, in milliseconds. */
  readonly graceMs: number;
  readonly clock: Clock;
  /** Whether the caller was in the room before. If so, an absent caller has dropped out; otherwise they may still come. */
  readonly hasCome?: boolean;
}

export interface Presence {
  /** The caller dropped out and may return. */
  onLeft(): void;
  onReturned(): void;
  /** The caller did not return in time. */
  onGone(): void;
}

/** Checks whether a person, another agent, or an unanswered telephone is in a room. */
export function whoIsIn(room: Room): Readonly<Record<'hasAgent' | 'hasCaller' | 'isRinging', boolean>> {
  const all = [...room.remoteParticipants.values()];
  return {
    hasAgent: all.some(({ info }) => info.kind === ParticipantKind.AGENT),
    hasCaller: all.some((one) => isPerson(one) && isAnswered(one)),
    isRinging: all.some((one) => !isAnswered(one)),
  };
}

/**
 * Waits for the caller: the participant of that identity, else the first person or telephone. A
 * dialled telephone counts once it is answered. Throws `caller-missing` if the room closes first.
 */
export async function whoCalls(room: Room, identity: string | undefined): Promise<RemoteParticipant> {
  const isCaller = (one: RemoteParticipant): boolean =>
    isAnswered(one) && (identity === undefined ? isPerson(one) : one.identity === identity);
  const present = [...room.remoteParticipants.values()].find(isCaller);
  if (present !== undefined) return present;
  return await new Promise((resolve, reject) => {
    const onConnected = (one: RemoteParticipant): void => {
      if (!isCaller(one)) return;
      stop();
      resolve(one);
    };
    const onChanged = (_changed: unknown, { identity: changed }: { readonly identity: string }): void => {
      const one = room.remoteParticipants.get(changed);
      if (one !== undefined) onConnected(one);
    };
    const onOver = (): void => {
      stop();
      reject(new FlowError('caller-missing', 'the room was closed before the caller came.'));
    };
    const stop = (): void => {
      room.off(RoomEvent.ParticipantConnected, onConnected);
      room.off(RoomEvent.ParticipantAttributesChanged, onChanged);
      room.off(RoomEvent.Disconnected, onOver);
    };
    room.on(RoomEvent.ParticipantConnected, onConnected);
    room.on(RoomEvent.ParticipantAttributesChanged, onChanged);
    room.on(RoomEvent.Disconnected, onOver);
  });
}

/** Watches whether the caller is in the room. Returns a function that stops it. */
export function watchPresence(
  { room, caller, graceMs, clock, hasCome = false }: PresenceOptions,
  told: Presence,
): () => void {
  let cancelGrace: (() => void) | null = null;
  const leave = (): void => {
    if (cancelGrace !== null) return;
    cancelGrace = clock.schedule(graceMs, () => told.onGone());
    told.onLeft();
  };
  const onDisconnected = (one: RemoteParticipant): void => {
    if (one.identity === caller) leave();
  };
  const onConnected = (one: RemoteParticipant): void => {
    if (one.identity !== caller || cancelGrace === null) return;
    cancelGrace();
    cancelGrace = null;
    told.onReturned();
  };
  room.on(RoomEvent.ParticipantDisconnected, onDisconnected);
  room.on(RoomEvent.ParticipantConnected, onConnected);
  if (hasCome && !room.remoteParticipants.has(caller)) leave();
  return () => {
    cancelGrace?.();
    room.off(RoomEvent.ParticipantDisconnected, onDisconnected);
    room.off(RoomEvent.ParticipantConnected, onConnected);
  };
}

function isPerson(one: RemoteParticipant): boolean {
  return one.info.kind !== undefined && callers.has(one.info.kind) && !isOperator(one) && !isTransferred(one);
}

/** A telephone joins the room when it is dialled, before it is answered. */
function isAnswered({ info, attributes }: RemoteParticipant): boolean {
  const status = attributes['sip.callStatus'];
  return info.kind !== ParticipantKind.SIP || status === undefined || status === 'active';
}

const callers: ReadonlySet<ParticipantKind> = new Set([
  ParticipantKind.STANDARD,
  ParticipantKind.SIP,
  ParticipantKind.CONNECTOR,
]);
