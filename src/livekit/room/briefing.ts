import type { voice } from '@livekit/agents';
import { AudioSource, LocalAudioTrack, type Room, TrackPublishOptions, TrackSource } from '@livekit/rtc-node';

/** A track of the agent beside its own voice, for one listener. */
export interface BriefingTrack {
  readonly sid: string;
  /** Speaks a text. Resolves when it was heard, or at once without a voice. */
  say(text: string): Promise<void>;
  close(): Promise<void>;
}

const channels = 1;
/** How much sound may be ahead of the listener, in milliseconds. */
const queueMs = 1_000;

/** Publishes a track in the agent's voice. Null if the session has no voice. */
export async function openBriefing(room: Room, session: voice.AgentSession): Promise<BriefingTrack | null> {
  const { tts } = session;
  const me = room.localParticipant;
  if (tts === undefined || me === undefined) return null;
  const source = new AudioSource(tts.sampleRate, channels, queueMs);
  const track = LocalAudioTrack.createAudioTrack('briefing', source);
  const publication = await me.publishTrack(track, new TrackPublishOptions({ source: TrackSource.SOURCE_UNKNOWN }));
  const sid = publication.sid ?? '';
  return {
    sid,
    async say(text) {
      for await (const { frame } of tts.synthesize(text)) await source.captureFrame(frame);
      await source.waitForPlayout();
    },
    async close() {
      if (room.isConnected) await me.unpublishTrack(sid);
      await track.close();
    },
  };
}
