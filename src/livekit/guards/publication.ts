// `@livekit/rtc-node` 0.13: a track whose publication the server does not answer within ten seconds fails, and LiveKit neither
// tries again nor tells anybody. The agent is mute for the whole call.
// Upstream: https://github.com/livekit/agents/issues/1602 (closed) has the same error.
// And a track that nobody has subscribed to when its room ends is waited for without end: a session that closes then hangs until
// LiveKit gives the job up after a minute. Nor does it end where the news of the subscription is lost on its way: the agent says
// nothing for the whole call.
// The faults themselves: test/livekit/guards/publication.test.ts.
import { type Room, RoomEvent } from '@livekit/rtc-node';
import { setTimeout as pause } from 'node:timers/promises';

const guarded = new WeakSet<object>();
const attempts = 3;

/** Whom LiveKit publishes for is in the room by then. Longer than a busy server takes to tell that they have subscribed. */
const subscribedWithinMs = 20_000;

/**
 * Makes the participant of a room publish a track up to three times where the server did not answer, and nobody wait for whoever
 * subscribes to it in a room that has ended, or for longer than `withinMs`; once a room.
 */
export function guardPublication(room: Room, withinMs = subscribedWithinMs): void {
  const { localParticipant: me } = room;
  if (me === undefined || guarded.has(me)) return;
  guarded.add(me);
  const isOver = new Promise<void>((resolve) => void room.once(RoomEvent.Disconnected, () => resolve()));
  const publish = me.publishTrack.bind(me);
  me.publishTrack = async (...track) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const publication = await publish(...track);
        const subscription = publication.waitForSubscription.bind(publication);
        publication.waitForSubscription = async () => {
          const waiting = new AbortController();
          const isLate = pause(withinMs, undefined, { signal: waiting.signal, ref: false }).catch(() => undefined);
          await Promise.race([subscription(), isOver, isLate]);
          waiting.abort();
        };
        return publication;
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
