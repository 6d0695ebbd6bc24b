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

// What goes well, and what its client gets over by itself, is the page's to show and not the console's.
setLogLevel('error');

/** The room that a session is spoken in. */
interface RoomDoor {
  readonly url: string;
  readonly token: string;
}

/** Louder than this, of 1, is no silence. */
const loud = 0.012;

/** So long a silence ends what was said. */
const silenceMs = 250;

/** When a connection that has broken is tried again, in milliseconds: a conversation can be typed long before a minute is over. */
const retriesMs = [0, 300, 1_200, 2_700, 4_800];

/** How long a browser may take to start its sound, in milliseconds. */
const soundMs = 10_000;

/** How long the agent's last words are waited for, in milliseconds. */
const lastWordsMs = 5_000;

/** Takes the microphone, for a call in a room. Throws a `VoiceFault` where it cannot be had. Needs a gesture before it. */
export async function openRoomEars(): Promise<Ears> {
  const context = new AudioContext();
  const close = (): void => void context.close();
  try {
    await startSound(context);
    const microphone = await openMicrophone();
    return {
      enter: (door, options) => {
        if (door === null) throw new VoiceFault('The studio has opened no room for this call.');
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

  // The caller falls silent, then the agent is heard: the two moments between which a caller waits.
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
    // Chromium gives a remote stream to Web Audio only where an element plays it.
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
  // An agent that was there first has told what it does before anybody listened.
  const look = (): void => {
    const [agent] = room.remoteParticipants.values();
    agentState.value = agent?.attributes['lk.agent.state'] ?? '';
  };
  for (const event of [RoomEvent.ParticipantAttributesChanged, RoomEvent.ParticipantConnected] as const)
    room.on(event, look);
  room.registerTextStreamHandler('lk.transcription', (reader, { identity }) => {
    if (identity !== room.localParticipant.identity) return void follow(reader, options.onSaying);
    const isFinal = reader.info.attributes?.['lk.transcription_final'] === 'true';
    // Each stream is a new wording of the same words.
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
  // The first is told of the server's socket, the second where no sound comes through either.
  for (const event of [RoomEvent.SignalReconnecting, RoomEvent.Reconnecting] as const)
    room.on(event, () => options.onTrouble('The connection to the voice server is lost. It is tried again…'));
  room.on(RoomEvent.Reconnected, () => options.onTrouble(null));
  /** Whether the end of the room is news: the call is under way, and nobody has asked for its end. */
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
    // Its own type says what it may leave out, which theirs does not.
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

/** Tells a text as it grows, and nothing once it is over. */
async function follow(reader: AsyncIterable<string>, tell: (text: string) => void): Promise<void> {
  let text = '';
  try {
    for await (const part of reader) {
      text += part;
      tell(text);
    }
  } catch {
    // Its sender has left in the middle.
  }
  tell('');
}

function whyLost(reason: DisconnectReason | undefined): string {
  if (reason === DisconnectReason.DUPLICATE_IDENTITY) return 'it was taken up elsewhere.';
  if (reason === DisconnectReason.ROOM_DELETED || reason === DisconnectReason.PARTICIPANT_REMOVED)
    return 'the voice server has closed its room.';
  return 'the voice server does not answer any more.';
}

/** A browser of a machine without any sound output starts none, and does not say so: Firefox 153 waits for ever. */
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

/** The code of a telephone's key, as RFC 4733 has it. */
function codeOf(digit: string): number {
  return '0123456789*#'.indexOf(digit);
}
