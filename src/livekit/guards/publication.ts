// `@livekit/rtc-node` 0.13: a track whose publication the server does not answer within ten seconds fails, and LiveKit neither
// tries again nor tells anybody. The agent is mute for the whole call.
// Upstream: https://github.com/livekit/agents/issues/1602 (closed) has the same error.
// The fault itself: test/livekit/guards/publication.test.ts.
import type { Room } from '@livekit/rtc-node';

const guarded = new WeakSet<object>();
const attempts = 3;

/** Makes the participant of a room publish a track up to three times where the server did not answer; once a room. */
export function guardPublication({ localParticipant: me }: Pick<Room, 'localParticipant'>): void {
  if (me === undefined || guarded.has(me)) return;
  guarded.add(me);
  const publish = me.publishTrack.bind(me);
  me.publishTrack = async (...track) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await publish(...track);
      } catch (error) {
        if (attempt === attempts || !isUnanswered(error)) throw error;
      }
    }
  };
}

/** An error of LiveKit's native part has no code, only a text. */
function isUnanswered(error: unknown): boolean {
  return error instanceof Error && /publication timed out/.test(error.message);
}
