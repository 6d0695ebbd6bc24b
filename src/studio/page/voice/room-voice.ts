import { signal } from '@preact/signals';
import {
  createLocalAudioTrack,
  DefaultReconnectPolicy,
  DisconnectReason,
  type LocalAudioTrack,
  type LocalTrack,
  type RemoteTrack,
  Room,
  RoomEvent,
  setLogLevel,
  Track,
} from 'livekit-client';
import { meterOf } from './meter.ts';
import { type Ears, insecure, noSound, type Voice, VoiceFault, type VoiceOptions, whyNoMicrophone } from './voice.ts';

// Only errors of the client go to the console; the page shows reconnections.
setLogLevel('error');

/** The room of a session. */
interface RoomDoor {
  readonly url: string;
  readonly token: string;
}

/** A volume above this (0 to 1) is not silence. */
const loud = 0.012;

/** Milliseconds of silence that end an utterance. */
const silenceMs = 250;

/** Delays of reconnection attempts in milliseconds; short, because the conversation can be continued by typing. */
const retriesMs = [0, 300, 1_200, 2_700, 4_800];

/** Milliseconds that a browser may take to start its audio. */
const soundMs = 10_000;

/** Milliseconds to wait for the agent's last words. */
const lastWordsMs = 5_000;

/** Opens the microphone for a call in a room. Throws a `VoiceFault` if that fails. Needs a user gesture. */
export async function openRoomEars(): Promise<Ears> {
  const context = new AudioContext();
  const close = (): void => void context.close();
  try {
    await startSound(context);
    const microphone = await openMicrophone();
    return {
      enter: (door, options) => {
        if (door === null) throw new VoiceFault('The studio did not open a room for this call.');
        return joinRoom(door, { context, microphone }, options);
      },
      close() {
        microphone.stop();
        close();
      },
    };
  } catch (error) {
    close();
    throw error;
  }
}

interface Sound {
  readonly context: AudioContext;
  readonly microphone: LocalAudioTrack;
}

async function joinRoom(
  { url, token }: RoomDoor,
  { context, microphone }: Sound,
  options: VoiceOptions,
): Promise<Voice> {
  const reconnectPolicy = new DefaultReconnectPolicy(retriesMs);
  const room = new Room({ adaptiveStream: false, dynacast: false, reconnectPolicy });
  const isMuted = signal(false);
  const level = signal(0);
  const agentState = signal('');
  const stops: (() => void)[] = [];
  const players: HTMLMediaElement[] = [];

  // Measures the wait of the caller: from the end of speech to the agent's first audio.
  let lastSpoke: number | null = null;
  const spoken = (now: number): boolean => lastSpoke !== null && now - lastSpoke >= silenceMs;
  stops.push(
    meterOf(context, microphone.mediaStreamTrack, (volume, now) => {
      level.value = isMuted.value ? 0 : Math.min(1, volume * 6);
      if (volume > loud && !isMuted.value) lastSpoke = now;
    }),
  );
  room.on(RoomEvent.TrackSubscribed, (track: RemoteTrack) => {
    if (track.kind !== Track.Kind.Audio) return;
    // Chromium delivers a remote stream to Web Audio only if an element plays it.
    const player = track.attach();
    players.push(player);
    player
      .play()
      .catch(() => options.onTrouble('The browser does not play sound on this page: press a key and try again.'));
    const stop = meterOf(context, track.mediaStreamTrack, (volume, now) => {
      if (volume <= loud || !spoken(now) || lastSpoke === null) return;
      options.onTiming('speech.end', now - lastSpoke);
      options.onTiming('speech.first_audio', 0);
      lastSpoke = null;
    });
    stops.push(stop);
  });
  // An agent that joined first has published its state before.
  const look = (): void => {
    const [agent] = room.remoteParticipants.values();
    agentState.value = agent?.attributes['lk.agent.state'] ?? '';
  };
  for (const event of [RoomEvent.ParticipantAttributesChanged, RoomEvent.ParticipantConnected] as const)
    room.on(event, look);
  room.registerTextStreamHandler('lk.transcription', (reader, { identity }) => {
    if (identity !== room.localParticipant.identity) return void follow(reader, options.onSaying);
    const isFinal = reader.info.attributes?.['lk.transcription_final'] === 'true';
    // Each stream is a new version of the same words.
    void reader.readAll().then(
      (text) => options.onHearing(isFinal ? '' : text),
      () => undefined,
    );
  });
  let isOver = false;
  const end = (): void => {
    if (isOver) return;
    isOver = true;
    for (const stop of stops) stop();
    for (const player of players) player.remove();
    microphone.stop();
    void context.close();
  };
  // The first event is about the signal connection, the second one about media as well.
  for (const event of [RoomEvent.SignalReconnecting, RoomEvent.Reconnecting] as const)
    room.on(event, () => options.onTrouble('The connection to the voice server is lost. Reconnecting…'));
  room.on(RoomEvent.Reconnected, () => options.onTrouble(null));
  /** Whether the end of the room is unexpected: the call is running and was not ended here. */
  let isUnderWay = false;
  room.on(RoomEvent.Disconnected, (reason) => {
    if (isOver) return;
    end();
    if (isUnderWay) options.onLost(whyLost(reason));
  });
  const leave = async (): Promise<void> => {
    end();
    await room.disconnect();
  };
  room.on(RoomEvent.ParticipantDisconnected, look);
  try {
    await room.connect(url, token);
    // The type of the library does not declare the optional members.
    await room.localParticipant.publishTrack(microphone as LocalTrack, { source: Track.Source.Microphone });
  } catch (error) {
    await leave();
    throw new VoiceFault(`The voice server at ${url} cannot be reached.`, { cause: error });
  }
  isUnderWay = true;
  look();
  return {
    ...{ by: 'room', isMuted, level, agentState, leave },
    async mute(muted) {
      await (muted ? microphone.mute() : microphone.unmute());
      isMuted.value = muted;
    },
    async pressKeys(digits) {
      for (const digit of digits) await room.localParticipant.publishDtmf(codeOf(digit), digit);
      return true;
    },
    async hearOut() {
      isUnderWay = false;
      microphone.stop();
      level.value = 0;
      if (room.remoteParticipants.size > 0)
        await new Promise<void>((resolve) => {
          room.once(RoomEvent.ParticipantDisconnected, () => resolve());
          room.once(RoomEvent.Disconnected, () => resolve());
          setTimeout(resolve, lastWordsMs);
        });
      await leave();
    },
  };
}

/** Reports a growing text, and an empty text at its end. */
async function follow(reader: AsyncIterable<string>, tell: (text: string) => void): Promise<void> {
  let text = '';
  try {
    for await (const part of reader) {
      text += part;
      tell(text);
    }
  } catch {
    // The sender left before the end.
  }
  tell('');
}

function whyLost(reason: DisconnectReason | undefined): string {
  if (reason === DisconnectReason.DUPLICATE_IDENTITY) return 'it was continued elsewhere.';
  if (reason === DisconnectReason.ROOM_DELETED || reason === DisconnectReason.PARTICIPANT_REMOVED)
    return 'the voice server has closed its room.';
  return 'the voice server does not answer.';
}

/** A browser on a machine without audio output may wait forever without an error (Firefox 153). */
async function startSound(context: AudioContext): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), soundMs);
  });
  const begun = await Promise.race([context.resume(), late]);
  clearTimeout(timer);
  if (begun === 'late') throw new VoiceFault(noSound);
}

async function openMicrophone(): Promise<LocalAudioTrack> {
  if (!isSecureContext) throw new VoiceFault(insecure);
  try {
    return await createLocalAudioTrack({ echoCancellation: true, noiseSuppression: true, autoGainControl: true });
  } catch (error) {
    throw new VoiceFault(whyNoMicrophone(error instanceof Error ? error.name : ''), { cause: error });
  }
}

/** Returns the code of a telephone key by RFC 4733. */
function codeOf(digit: string): number {
  return '0123456789*#'.indexOf(digit);
}
