import { type RemoteParticipant, RoomEvent } from '@livekit/rtc-node';
import type { StartOptions } from '../agent/live-session.ts';
import { type PresenceOptions, watchPresence } from './presence.ts';

/** A conversation as its caller reaches it, such as a flow runner. */
export interface Conversation {
  send(text: string, options: { readonly eventId?: string }): Promise<unknown>;
  press(keys: string, options: { readonly pauseMs: number }): Promise<unknown>;
  hush(): Promise<void>;
  holdNoInput(): void;
  holdInbox(): void;
  recap(): Promise<void>;
  stop(reason: string): Promise<void>;
}

export interface AttendOptions extends PresenceOptions {
  /** Maximum pause between key presses that are words, in milliseconds. */
  readonly keyPauseMs: number;
  /** Receives the error of a turn; the call continues. */
  readonly onError: (error: unknown) => void;
}

/** Connects one caller to a session. */
export interface Attendance {
  readonly inputOptions: NonNullable<StartOptions['inputOptions']>;
  /** Takes typed text if its sender is the caller. `id`: the message's id. */
  type(identity: string, text: string, id: string): void;
  /** Stops listening to the caller. */
  end(): void;
}

/**
 * Connects one participant of a room to a conversation. Typed text and pressed keys become turns like speech. If the
 * caller drops out, the agent falls silent and waits; if they return it recaps, and if they stay away it stops.
 */
export function attendCaller(
  conversation: Conversation,
  { keyPauseMs, onError, ...presence }: AttendOptions,
): Attendance {
  const { room, caller } = presence;
  const onKey = (_code: number, key: string, from: RemoteParticipant): void => {
    if (from.identity !== caller) return;
    conversation.press(key, { pauseMs: keyPauseMs }).catch(onError);
  };
  room.on(RoomEvent.DtmfReceived, onKey);
  const endPresence = watchPresence(presence, {
    onLeft: () => {
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
      room.off(RoomEvent.DtmfReceived, onKey);
    },
  };
}
