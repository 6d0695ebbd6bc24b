import { type RemoteParticipant, RoomEvent } from '@livekit/rtc-node';
import type { StartOptions } from '../agent/live-session.ts';
import { type PresenceOptions, watchPresence } from './presence.ts';
import { createPressedKeys } from './pressed-keys.ts';

/** A conversation as its caller reaches it; a flow runner is one. */
export interface Conversation {
  send(text: string, options: { readonly eventId?: string; readonly via?: 'text' | 'dtmf' }): Promise<unknown>;
  hush(): Promise<void>;
  holdNoInput(): void;
  beginKeys(): void;
  holdInbox(): void;
  recap(): Promise<void>;
  stop(reason: string): Promise<void>;
}

export interface AttendOptions extends PresenceOptions {
  /** Keys pressed within this time of each other are one turn, in milliseconds. */
  readonly keyPauseMs: number;
  /** Takes the error of a turn; the call goes on. */
  readonly onError: (error: unknown) => void;
}

/** A session's attention to one caller. */
export interface Attendance {
  readonly inputOptions: NonNullable<StartOptions['inputOptions']>;
  /** Takes what somebody in the room has typed, if it is the caller; `id` is the message's own. */
  type(identity: string, text: string, id: string): void;
  /** Stops listening to the caller. */
  end(): void;
}

/**
 * Lets one participant of a room talk to a conversation: what they type and press are turns like what they say; when
 * they drop out the agent falls silent and waits, when they come back it recaps, when they stay away it stops.
 */
export function attendCaller(
  conversation: Conversation,
  { keyPauseMs, onError, ...presence }: AttendOptions,
): Attendance {
  const { room, caller, clock } = presence;
  const keys = createPressedKeys(
    clock,
    keyPauseMs,
    () => conversation.beginKeys(),
    (pressed, eventId) => void conversation.send(pressed, { via: 'dtmf', eventId }).catch(onError),
  );
  const onKey = (_code: number, key: string, from: RemoteParticipant): void => {
    if (from.identity !== caller) return;
    keys.press(caller, key);
  };
  room.on(RoomEvent.DtmfReceived, onKey);
  const endPresence = watchPresence(presence, {
    onLeft: () => {
      keys.forget();
      conversation.holdNoInput();
      conversation.holdInbox();
      conversation.hush().catch(onError);
    },
    onReturned: () => void conversation.recap().catch(onError),
    onGone: () => void conversation.stop('caller-left').catch(onError),
  });
  const typed = async (identity: string | undefined, text: string, eventId: string | undefined): Promise<void> => {
    if (identity !== caller) return;
    await conversation.send(text, eventId === undefined ? {} : { eventId }).catch(onError);
  };
  return {
    type: (identity, text, id) => void typed(identity, text, id),
    inputOptions: {
      closeOnDisconnect: false,
      participantIdentity: caller,
      textInputCallback: (_session, { text, info, participantIdentity }) =>
        typed(participantIdentity, text, info?.streamId),
    },
    end() {
      endPresence();
      keys.forget();
      room.off(RoomEvent.DtmfReceived, onKey);
    },
  };
}
