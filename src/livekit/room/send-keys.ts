import type { Room } from '@livekit/rtc-node';
import type { Clock } from '../../model/ports/time.ts';

/** The keys by their codes. */
const codes = '0123456789*#ABCD';

/** The time of one key with the pause after it, and of a `w`, in milliseconds. */
const keyMs = 300;
const pauseMs = 500;

/** Presses keys in a room, one after another. Rejects if the room is closed. */
export async function sendKeys(room: Room, keys: string, clock: Clock): Promise<void> {
  for (const key of keys) {
    const code = codes.indexOf(key);
    if (code >= 0) await room.localParticipant?.publishDtmf(code, key);
    await new Promise<void>((resolve) => void clock.schedule(code >= 0 ? keyMs : pauseMs, resolve));
  }
}
