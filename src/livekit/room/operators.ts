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
import type { Clock } from '../../model/ports/time.ts';
import type { ParticipantRecogniser } from '../speech/participant-recogniser.ts';
import { typedText } from './typed-text.ts';

/** The token attribute that allows its holder to take over a call; its value identifies the operator. */
const operatorAttribute = 'roomflow.operator';

/** Topic of typed messages, as in LiveKit's own clients. */
const chatTopic = 'lk.chat';
/** How long to wait for an operator who dropped out, in milliseconds. */
const returnsWithinMs = 5_000;

/** A participant whose token allows taking over the call. */
export interface Operator {
  readonly identity: string;
  /** The operator's id in the token. */
  readonly id: string;
  /** Identifies this stay in the room; a later stay has another value. */
  readonly stay: string;
}

/** Callbacks for what operators do. */
export interface OperatorActs {
  readonly onJoined: (operator: Operator) => void;
  readonly onLeft: (operator: Operator) => void;
  /** `id`: the message's id. */
  readonly onTyped: (operator: Operator, text: string, id: string) => void;
  readonly onHeard: (operator: Operator, text: string) => void;
}

export interface OperatorsOptions extends OperatorActs {
  readonly room: Room;
  readonly clock: Clock;
  /** Creates a recogniser for one operator. Null if there is none; then only the caller hears the operator. */
  readonly openEar: () => Promise<ParticipantRecogniser | null>;
  /** Receives text typed by anyone else, such as the caller. */
  readonly onOtherText: (identity: string, text: string, id: string) => void;
  readonly onError: (error: unknown) => void;
}

/** Checks whether a participant's token allows taking over the call. */
export function isOperator({ attributes }: Pick<RemoteParticipant, 'attributes'>): boolean {
  return (attributes[operatorAttribute] ?? '') !== '';
}

/**
 * Watches the operators of a room, including those already there: joining, leaving, typed text and, once
 * `listen` is called, speech. Typed messages of others are passed on. The LiveKit session must have started.
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
    // Only attributes at the time of joining count; later ones are not part of the token.
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
  // LiveKit's session takes typed words of the caller only.
  room.unregisterTextStreamHandler(chatTopic);
  room.registerTextStreamHandler(chatTopic, onText);
  for (const one of room.remoteParticipants.values()) join(one);
  return {
    /** Checks whether an operator of this identity is in the room or has just dropped out. */
    has: (identity: string): boolean => present.has(identity),
    /** Starts recognising this operator's speech, if there is a recogniser. */
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
