import type { Room } from '@livekit/rtc-node';

const guarded = new WeakSet<object>();
const attempts = 3;

/**
 * Lets a track whose publication the server did not answer be published again. LiveKit gives up after ten seconds and
 * tells nobody: the agent would be mute for the whole call, waiting to be heard. Only this room is changed, once.
 */
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

/** An error of LiveKit's native part has no kind, only words. */
function isUnanswered(error: unknown): boolean {
  return error instanceof Error && /publication timed out/.test(error.message);
}
