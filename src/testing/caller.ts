import { AudioStream, Room, RoomEvent, TrackKind, TrackPublishOptions, TrackSource } from '@livekit/rtc-node';
import { AccessToken, type RoomConfiguration } from 'livekit-server-sdk';
import { setTimeout as wait } from 'node:timers/promises';
import { guardPublication } from '../livekit/guards/publication.ts';
import { createEar, openMicrophone, roomSampleRate, type Sound } from './caller-audio.ts';

/** A LiveKit server and the key for its rooms. */
export interface RoomServer {
  /** `ws://…` */
  readonly url: string;
  readonly apiKey: string;
  readonly apiSecret: string;
}

/** One line of a conversation, as the room reports it. */
export interface SpokenLine {
  readonly from: string;
  readonly text: string;
}

/** A participant in a room who speaks with a microphone, types, presses keys, and records what was heard. */
export interface Caller {
  readonly identity: string;
  /** Finished transcriptions, both the agent's and the caller's own. */
  readonly lines: readonly SpokenLine[];
  /** The finished words of the agent, joined. */
  readonly heard: () => string;
  /** The agent's current line, as far as it was heard. */
  readonly hearing: () => string;
  /** Attributes of the agent, such as `lk.agent.state`. */
  readonly agentAttributes: () => Readonly<Record<string, string>>;
  readonly sound: () => Sound;
  /** The sound of all participants that are not agents, such as a person whom the caller was put through to. */
  readonly others: () => Sound;
  /** How often the connection was lost and restored. */
  readonly reconnects: () => number;
  readonly isAgentThere: () => boolean;
  /** Says samples of 16 kHz, mono. Resolves when the last one has left the microphone. */
  readonly speak: (samples: Int16Array) => Promise<void>;
  /** Types a message. `id` is the id of its text stream. Default: a new id. */
  readonly type: (text: string, id?: string) => Promise<void>;
  readonly press: (keys: string) => Promise<void>;
  /** The keys that other participants have pressed. */
  readonly pressed: () => string;
  /** Resolves when the condition holds. It is checked after every event. */
  readonly until: (holds: () => boolean, what: string, limitMs?: number) => Promise<void>;
  readonly leave: () => Promise<void>;
}

/**
 * Joins a room as a participant with an open microphone. `roomConfig` is the room configuration in the caller's token,
 * and `as` describes the participant in it, for example as a telephone or an operator. Throws an error of LiveKit
 * if the room cannot be joined.
 * @example
 * const caller = await joinRoom({ url: 'ws://127.0.0.1:7880', apiKey: 'devkey', apiSecret: 'secret' }, 'desk');
 */
export async function joinRoom(
  server: RoomServer,
  roomName: string,
  identity = 'caller',
  roomConfig?: RoomConfiguration,
  as: { readonly attributes?: Readonly<Record<string, string>>; readonly kind?: 'standard' | 'sip' } = {},
): Promise<Caller> {
  const { attributes = {}, kind = 'standard' } = as;
  const token = new AccessToken(server.apiKey, server.apiSecret, { identity, attributes: { ...attributes } });
  token.kind = kind;
  if (roomConfig !== undefined) token.roomConfig = roomConfig;
  token.addGrant({ room: roomName, roomJoin: true, canPublish: true, canSubscribe: true, canPublishData: true });
  const room = new Room();
  const lines: SpokenLine[] = [];
  const unfinished = new Set<{ readonly from: string; text: string }>();
  const watchers = new Set<() => void>();
  const changed = (): void => watchers.forEach((look) => look());
  const ear = createEar(changed);
  const otherEar = createEar(changed);
  let pressed = '';
  let reconnects = 0;
  let isClosed = false;
  /** Ends a line. If its sender has left, or the room was closed during the line, the part that arrived is used. */
  const finish = (line: { readonly from: string; text: string }): void => {
    if (unfinished.delete(line) && line.text !== '') lines.push(line);
    changed();
  };

  room.on(RoomEvent.TrackSubscribed, (track, _publication, { identity: from }) => {
    // The track of an agent that has left simply ends.
    if (track.kind === TrackKind.KIND_AUDIO)
      (isAgent(from) ? ear : otherEar).listen(new AudioStream(track, roomSampleRate, 1)).catch(() => undefined);
    changed();
  });
  for (const event of [
    RoomEvent.ParticipantConnected,
    RoomEvent.ParticipantDisconnected,
    RoomEvent.ParticipantAttributesChanged,
  ] as const)
    room.on(event, changed);
  room.on(RoomEvent.DtmfReceived, (_code, key) => {
    pressed += key;
    changed();
  });
  room.on(RoomEvent.Reconnected, () => {
    reconnects += 1;
    changed();
  });
  room.on(RoomEvent.Disconnected, () => {
    isClosed = true;
    for (const line of [...unfinished]) finish(line);
    changed();
  });
  room.registerTextStreamHandler('lk.transcription', (reader, { identity: from }) => {
    const line = { from: isAgent(from) ? 'agent' : from, text: '' };
    const read = async (): Promise<void> => {
      unfinished.add(line);
      for await (const part of reader) {
        line.text += part;
        changed();
      }
    };
    read().then(
      () => finish(line),
      () => finish(line),
    );
  });

  await room.connect(server.url, await token.toJwt(), { autoSubscribe: true, dynacast: false });
  guardPublication(room);
  const me = room.localParticipant;
  if (me === undefined) throw new Error('The room did not admit the participant.');
  const microphone = await openMicrophone();
  await me.publishTrack(microphone.track, new TrackPublishOptions({ source: TrackSource.SOURCE_MICROPHONE }));

  const agent = () => [...room.remoteParticipants.values()].find((other) => isAgent(other.identity));
  return {
    identity,
    lines,
    heard: () =>
      lines
        .filter(({ from }) => from === 'agent')
        .map(({ text }) => text)
        .join(' '),
    hearing: () =>
      [...unfinished]
        .filter(({ from }) => from === 'agent')
        .map(({ text }) => text)
        .join(' '),
    agentAttributes: () => agent()?.attributes ?? {},
    sound: () => ear.sound(),
    others: () => otherEar.sound(),
    reconnects: () => reconnects,
    isAgentThere: () => !isClosed && agent() !== undefined,
    speak: (samples) => microphone.speak(samples),
    async type(text, id) {
      await me.sendText(text, { topic: 'lk.chat', ...(id === undefined ? {} : { streamId: id }) });
    },
    async press(keys) {
      for (const key of keys) await me.publishDtmf('0123456789*#ABCD'.indexOf(key), key);
    },
    pressed: () => pressed,
    until: (holds, what, limitMs = 60_000) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (!holds()) return;
          finish();
          resolve();
        };
        const finish = (): void => {
          clearTimeout(timer);
          watchers.delete(look);
        };
        const timer = setTimeout(() => {
          finish();
          const said = lines.map(({ from, text }) => `  ${from}: ${text}`).join('\n');
          const shown = JSON.stringify(agent()?.attributes ?? 'nobody there');
          reject(
            new Error(
              `${identity} waited ${limitMs / 1000} s in vain for ${what}; agent: ${shown}. Said was:\n${said}`,
            ),
          );
        }, limitMs);
        watchers.add(look);
        look();
      }),
    async leave() {
      microphone.close();
      // If LiveKit's native part has lost events on a very busy machine, it never reports that the room has closed.
      await Promise.race([room.disconnect(), wait(longestLeaveMs, undefined, { ref: false })]);
    },
  };
}

const longestLeaveMs = 20_000;

/** LiveKit gives the agents of its workers such names. */
function isAgent(identity: string): boolean {
  return identity.startsWith('agent-');
}
