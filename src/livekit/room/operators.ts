import {
  DisconnectReason,
  type RemoteParticipant,
  type RemoteTrack,
  type RemoteTrackPublication,
  type Room,
  RoomEvent,
  type TextStreamReader,
  TrackKind,
} from '@livekit/rtc-node';
import type { Clock } from '../../ports/time.ts';
import type { Ear } from '../speech/ear.ts';
import { typedText } from './typed-text.ts';

/** The attribute of a token that lets its holder take a call over; its value is who they are. */
const operatorAttribute = 'roomflow.operator';

/** The topic of typed messages, as LiveKit's own clients use it. */
const chatTopic = 'lk.chat';
/** How long an operator who has dropped out is waited for, in milliseconds. */
const returnsWithinMs = 5_000;

/** Somebody in the room whose token lets them take the call over. */
export interface Operator {
  readonly identity: string;
  /** Who they are, as their token says. */
  readonly id: string;
  /** Of this stay in the room: another one has another. */
  readonly stay: string;
}

/** What operators do. */
export interface OperatorActs {
  readonly onJoined: (operator: Operator) => void;
  readonly onLeft: (operator: Operator) => void;
  /** `id`: the message's own. */
  readonly onTyped: (operator: Operator, text: string, id: string) => void;
  readonly onHeard: (operator: Operator, text: string) => void;
}

export interface OperatorsOptions extends OperatorActs {
  readonly room: Room;
  readonly clock: Clock;
  /** Makes a recogniser for one operator; null where there is none, and then what they say is heard by the caller alone. */
  readonly openEar: () => Promise<Ear | null>;
  /** What anybody else types: the caller. */
  readonly onOtherText: (identity: string, text: string, id: string) => void;
  readonly onError: (error: unknown) => void;
}

/** Whether a participant's token lets them take the call over. */
export function isOperator({ attributes }: Pick<RemoteParticipant, 'attributes'>): boolean {
  return (attributes[operatorAttribute] ?? '') !== '';
}

/**
 * Attends to the operators of a room, those that are there already included: when they come and leave, what they type, and,
 * once they are listened to, what they say. Typed messages of all others are handed on. The LiveKit session has to be started before.
 */
export function attendOperators(options: OperatorsOptions) {
  const { room, clock, openEar, onJoined, onLeft, onTyped, onHeard, onOtherText, onError } = options;
  const present = new Map<string, { readonly operator: Operator; cancelLeave: (() => void) | null }>();
  const listening = new Map<string, () => void>();

  const join = (one: RemoteParticipant): void => {
    const known = present.get(one.identity);
    if (known !== undefined) {
      known.cancelLeave?.();
      known.cancelLeave = null;
      return;
    }
    // Attributes of a later moment count for nothing: they are no part of the token.
    const id = one.attributes[operatorAttribute] ?? '';
    if (id === '') return;
    const operator = { identity: one.identity, id, stay: one.sid ?? one.identity };
    present.set(one.identity, { operator, cancelLeave: null });
    onJoined(operator);
  };
  const leave = (one: RemoteParticipant): void => {
    const known = present.get(one.identity);
    if (known === undefined || known.cancelLeave !== null) return;
    const gone = (): void => {
      present.delete(one.identity);
      deafen(one.identity);
      onLeft(known.operator);
    };
    if (one.disconnectReason === DisconnectReason.CLIENT_INITIATED) gone();
    else known.cancelLeave = clock.schedule(returnsWithinMs, gone);
  };
  const deafen = (identity: string): void => {
    listening.get(identity)?.();
    listening.delete(identity);
  };
  const hear = (identity: string, track: RemoteTrack): void => {
    const known = present.get(identity);
    if (known === undefined || track.kind !== TrackKind.KIND_AUDIO || !listening.has(identity)) return;
    openEar()
      .then((ear) => {
        if (ear === null) return;
        if (!listening.has(identity)) return ear.close();
        listening.set(identity, () => ear.close());
        ear.listen(track, (text) => onHeard(known.operator, text)).catch(onError);
      })
      .catch(onError);
  };
  const onTrack = (track: RemoteTrack, _publication: RemoteTrackPublication, { identity }: RemoteParticipant): void =>
    hear(identity, track);
  const onText = (reader: TextStreamReader, { identity }: { readonly identity: string }): void => {
    const read = async (): Promise<void> => {
      const text = await typedText(reader);
      const known = present.get(identity);
      if (known === undefined) onOtherText(identity, text, reader.info.streamId);
      else onTyped(known.operator, text, reader.info.streamId);
    };
    read().catch(onError);
  };

  room.on(RoomEvent.ParticipantConnected, join);
  room.on(RoomEvent.ParticipantDisconnected, leave);
  room.on(RoomEvent.TrackSubscribed, onTrack);
  // LiveKit's session takes typed words of the caller alone.
  room.unregisterTextStreamHandler(chatTopic);
  room.registerTextStreamHandler(chatTopic, onText);
  for (const one of room.remoteParticipants.values()) join(one);
  return {
    /** Whether an operator of this identity is in the room, or has just dropped out. */
    has: (identity: string): boolean => present.has(identity),
    /** From here on what this operator says is heard, where there is a recogniser. */
    listen(identity: string): void {
      if (listening.has(identity)) return;
      listening.set(identity, () => undefined);
      for (const { track } of room.remoteParticipants.get(identity)?.trackPublications.values() ?? [])
        if (track !== undefined) hear(identity, track);
    },
    deafen,
    end(): void {
      for (const { cancelLeave } of present.values()) cancelLeave?.();
      for (const identity of listening.keys()) deafen(identity);
      room.off(RoomEvent.ParticipantConnected, join);
      room.off(RoomEvent.ParticipantDisconnected, leave);
      room.off(RoomEvent.TrackSubscribed, onTrack);
      room.unregisterTextStreamHandler(chatTopic);
    },
  };
}
