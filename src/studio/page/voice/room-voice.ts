import { signal } from '@preact/signals';
import {
  createLocalAudioTrack,
  type LocalAudioTrack,
  type LocalTrack,
  type RemoteTrack,
  Room,
  RoomEvent,
  Track,
} from 'livekit-client';
import { meterOf } from './meter.ts';
import type { Voice, VoiceOptions } from './voice.ts';

/** The room that a session is spoken in. */
export interface RoomDoor {
  readonly url: string;
  readonly token: string;
}

/** Louder than this, of 1, is no silence. */
const loud = 0.012;

/** So long a silence ends what was said. */
const silenceMs = 250;

/** Joins a room with the microphone; throws in words for people where either cannot be had. Needs a gesture before it. */
export async function joinRoom({ url, token }: RoomDoor, options: VoiceOptions): Promise<Voice> {
  const context = new AudioContext();
  await context.resume();
  const microphone = await openMicrophone();
  const room = new Room({ adaptiveStream: false, dynacast: false });
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
      .catch(() => options.onFault('The browser does not play sound on this page: press a key and try again.'));
    const stop = meterOf(context, track.mediaStreamTrack, (volume, now) => {
      if (volume <= loud || !spoken(now) || lastSpoke === null) return;
      options.onTiming('speech.end', now - lastSpoke);
      options.onTiming('speech.first_audio', 0);
      lastSpoke = null;
    });
    stops.push(stop);
  });
  room.on(RoomEvent.ParticipantAttributesChanged, (_changed, participant) => {
    agentState.value = participant.attributes['lk.agent.state'] ?? agentState.value;
  });
  room.registerTextStreamHandler('lk.transcription', (reader, { identity }) => {
    if (identity !== room.localParticipant.identity) return void reader.readAll().catch(() => '');
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
    options.onEnd();
  };
  room.on(RoomEvent.Disconnected, end);
  try {
    await room.connect(url, token);
    // Its own type says what it may leave out, which theirs does not.
    await room.localParticipant.publishTrack(microphone as LocalTrack, { source: Track.Source.Microphone });
  } catch (error) {
    await room.disconnect();
    end();
    throw new Error(`The voice server at ${url} cannot be reached.`, { cause: error });
  }
  return {
    ...{ by: 'room', isMuted, level, agentState },
    async mute(muted) {
      await (muted ? microphone.mute() : microphone.unmute());
      isMuted.value = muted;
    },
    async pressKeys(digits) {
      for (const digit of digits) await room.localParticipant.publishDtmf(codeOf(digit), digit);
      return true;
    },
    async leave() {
      await room.disconnect();
      end();
    },
  };
}

async function openMicrophone(): Promise<LocalAudioTrack> {
  if (!isSecureContext)
    throw new Error(
      'A browser gives a page the microphone only over https or from this machine: open it as 127.0.0.1.',
    );
  try {
    return await createLocalAudioTrack({ echoCancellation: true, noiseSuppression: true, autoGainControl: true });
  } catch (error) {
    const name = error instanceof Error ? error.name : '';
    if (name === 'NotAllowedError')
      throw new Error('The browser does not let this page use the microphone.', { cause: error });
    throw new Error('There is no microphone that this page could use.', { cause: error });
  }
}

/** The code of a telephone's key, as RFC 4733 has it. */
function codeOf(digit: string): number {
  return '0123456789*#'.indexOf(digit);
}
