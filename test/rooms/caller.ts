import {
  AudioFrame,
  AudioSource,
  AudioStream,
  LocalAudioTrack,
  Room,
  RoomEvent,
  TrackKind,
  TrackPublishOptions,
  TrackSource,
} from '@livekit/rtc-node';
import { AccessToken, type RoomConfiguration } from 'livekit-server-sdk';
import type { LivekitServer } from './livekit-server.ts';

/** One line of a conversation as the room tells it. */
export interface SpokenLine {
  readonly from: string;
  readonly text: string;
}

/** Somebody in a room: speaks by a microphone, types, presses keys, and remembers what was heard. */
export interface Caller {
  readonly identity: string;
  /** Finished transcriptions, the agent's and one's own. */
  readonly lines: readonly SpokenLine[];
  /** What the agent said, joined. */
  readonly heard: () => string;
  /** Attributes of the agent, such as `lk.agent.state`. */
  readonly agentAttributes: () => Readonly<Record<string, string>>;
  readonly sound: () => Sound;
  /** How often the connection was lost and found again. */
  readonly reconnects: () => number;
  readonly isAgentThere: () => boolean;
  /** Says samples of 16 kHz, mono; resolves when the last one has left the microphone. */
  readonly speak: (samples: Int16Array) => Promise<void>;
  readonly type: (text: string) => Promise<void>;
  readonly press: (keys: string) => Promise<void>;
  /** Resolves when it holds; looked at whenever anything happens. */
  readonly until: (holds: () => boolean, what: string, limitMs?: number) => Promise<void>;
  readonly leave: () => Promise<void>;
}

/** What came out of the agent's track. */
export interface Sound {
  /** Seconds in which the agent was loud enough to be heard. */
  readonly loudSeconds: number;
  /** When the agent was last heard, in milliseconds of `performance.now()`; 0 where never. */
  readonly lastLoudAt: number;
  /** When the agent was first heard since `mark`. */
  readonly firstLoudAt: number;
  /** Pauses of more than 60 ms between two frames, the agent speaking in both. */
  readonly gaps: number;
  /** All samples, 16 kHz mono. */
  readonly samples: Int16Array;
  /** From here on `firstLoudAt` is looked for anew. */
  readonly mark: () => void;
}

/** Samples a second of every microphone and of everything that is heard. */
const roomSampleRate = 16_000;

/** Joins a room as a participant with an open microphone; `roomConfig` is what the caller's token asks of the room. */
export async function joinRoom(
  server: LivekitServer,
  roomName: string,
  identity = 'caller',
  roomConfig?: RoomConfiguration,
): Promise<Caller> {
  const token = new AccessToken(server.apiKey, server.apiSecret, { identity });
  if (roomConfig !== undefined) token.roomConfig = roomConfig;
  token.addGrant({ room: roomName, roomJoin: true, canPublish: true, canSubscribe: true, canPublishData: true });
  const room = new Room();
  const lines: SpokenLine[] = [];
  const watchers = new Set<() => void>();
  const changed = (): void => watchers.forEach((look) => look());
  const ear = createEar(changed);
  let agentIdentity: string | null = null;
  let reconnects = 0;

  room.on(RoomEvent.TrackSubscribed, (track) => {
    // The track of an agent that is gone just ends.
    if (track.kind === TrackKind.KIND_AUDIO)
      ear.listen(new AudioStream(track, roomSampleRate, 1)).catch(() => undefined);
    changed();
  });
  for (const event of [
    RoomEvent.ParticipantConnected,
    RoomEvent.ParticipantDisconnected,
    RoomEvent.ParticipantAttributesChanged,
  ] as const)
    room.on(event, changed);
  room.on(RoomEvent.Reconnected, () => {
    reconnects += 1;
    changed();
  });
  room.registerTextStreamHandler('lk.transcription', (reader, { identity: from }) => {
    if (from.startsWith('agent-')) agentIdentity = from;
    reader.readAll().then(
      (text) => {
        lines.push({ from: from.startsWith('agent-') ? 'agent' : from, text });
        changed();
      },
      // A stream whose sender has died.
      () => undefined,
    );
  });

  await room.connect(server.url, await token.toJwt(), { autoSubscribe: true, dynacast: false });
  const me = room.localParticipant;
  if (me === undefined) throw new Error('The room has let nobody in.');
  const microphone = await openMicrophone();
  await me.publishTrack(microphone.track, new TrackPublishOptions({ source: TrackSource.SOURCE_MICROPHONE }));

  const agent = () =>
    [...room.remoteParticipants.values()].find((other) => other.identity.startsWith('agent-')) ??
    (agentIdentity === null ? undefined : room.remoteParticipants.get(agentIdentity));
  return {
    identity,
    lines,
    heard: () =>
      lines
        .filter(({ from }) => from === 'agent')
        .map(({ text }) => text)
        .join(' '),
    agentAttributes: () => agent()?.attributes ?? {},
    sound: () => ear.sound(),
    reconnects: () => reconnects,
    isAgentThere: () => agent() !== undefined,
    speak: (samples) => microphone.speak(samples),
    async type(text) {
      await me.sendText(text, { topic: 'lk.chat' });
    },
    async press(keys) {
      for (const key of keys) await me.publishDtmf('0123456789*#ABCD'.indexOf(key), key);
    },
    until: (holds, what, limitMs = 30_000) =>
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
      await room.disconnect();
    },
  };
}

const frameSamples = roomSampleRate / 50;

/** A microphone that never stops: silence where nobody speaks. */
async function openMicrophone() {
  const source = new AudioSource(roomSampleRate, 1, 60);
  const track = LocalAudioTrack.createAudioTrack('microphone', source);
  let isOpen = true;
  let speech: { readonly samples: Int16Array; at: number; readonly done: () => void } | null = null;
  const next = (): Int16Array => {
    const frame = new Int16Array(frameSamples);
    if (speech !== null) {
      frame.set(speech.samples.subarray(speech.at, speech.at + frameSamples));
      speech.at += frameSamples;
      if (speech.at >= speech.samples.length) {
        speech.done();
        speech = null;
      }
    }
    return frame;
  };
  const run = async (): Promise<void> => {
    // The source takes a frame when there is room for it, which gives the pace.
    while (isOpen) await source.captureFrame(new AudioFrame(next(), roomSampleRate, 1, frameSamples));
    await source.close();
  };
  // A room that is gone takes no more frames.
  run().catch(() => undefined);
  return {
    track,
    speak: (samples: Int16Array) => new Promise<void>((done) => (speech = { samples, at: 0, done })),
    close: () => void (isOpen = false),
  };
}

/** Mean amplitude from which on somebody is heard. */
const loud = 200;
const gapMs = 60;

function createEar(changed: () => void) {
  const frames: Int16Array[] = [];
  let loudSamples = 0;
  let lastLoudAt = 0;
  let firstLoudAt = 0;
  let gaps = 0;
  let previousAt = 0;
  return {
    async listen(stream: AsyncIterable<AudioFrame>): Promise<void> {
      for await (const { data } of stream) {
        const now = performance.now();
        frames.push(data.slice());
        let sum = 0;
        for (const sample of data) sum += Math.abs(sample);
        if (sum / data.length > loud) {
          loudSamples += data.length;
          firstLoudAt ||= now;
          if (lastLoudAt === previousAt && previousAt > 0 && now - previousAt > gapMs) gaps += 1;
          lastLoudAt = now;
        }
        previousAt = now;
        changed();
      }
    },
    sound(): Sound {
      return {
        loudSeconds: loudSamples / roomSampleRate,
        lastLoudAt,
        firstLoudAt,
        gaps,
        // Only where they are wanted: a call is megabytes, and this is looked at with every frame.
        get samples() {
          const samples = new Int16Array(frames.reduce((sum, frame) => sum + frame.length, 0));
          let at = 0;
          for (const frame of frames) {
            samples.set(frame, at);
            at += frame.length;
          }
          return samples;
        },
        mark: () => void (firstLoudAt = 0),
      };
    },
  };
}
