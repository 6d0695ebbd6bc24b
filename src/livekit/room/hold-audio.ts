import { voice } from '@livekit/agents';
import type { Room } from '@livekit/rtc-node';

/** Sound for a caller who waits for a person. */
export interface HoldAudio {
  stop(): Promise<void>;
}

/** Volume of music, so that the agent can be understood over it. */
const volume = 0.5;

/** Plays music or a file to the room, again and again until it is stopped. Null for `silence`. */
export async function playHold(room: Room, hold: string): Promise<HoldAudio | null> {
  if (hold === 'silence') return null;
  const player = new voice.BackgroundAudioPlayer();
  await player.start({ room });
  const source = hold === 'music' ? voice.BuiltinAudioClip.HOLD_MUSIC : hold;
  const playing = player.play({ source, volume }, true);
  return {
    async stop() {
      playing.stop();
      await player.close();
    },
  };
}
