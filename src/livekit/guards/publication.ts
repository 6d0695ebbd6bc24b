// `@livekit/rtc-node` 0.13: publishing a track fails if the server does not answer within ten seconds, and LiveKit neither retries nor reports
// it, so that the agent is mute for the whole call. Upstream: https://github.com/livekit/agents/issues/1602 (closed) has the same error. Also,
// a track without a subscriber when its room ends is awaited forever, so that a closing session hangs until LiveKit gives up the job after a
// minute. If the subscription event is lost, the agent is silent for the whole call. Reproduced in test/livekit/guards/publication.test.ts.
import { type Room, RoomEvent } from '@livekit/rtc-node';
import { setTimeout as pause } from 'node:timers/promises';

const guarded = new WeakSet<object>();
const attempts = 3;

/** LiveKit publishes for a participant who is already in the room. Longer than a busy server takes to report their subscription. */
const subscribedWithinMs = 20_000;

/**
 * Makes the participant of a room publish a track up to three times if the server does not answer. Ends
 * the wait for a subscriber when the room ends or after `withinMs` milliseconds. Applied once per room.
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

/** Errors of LiveKit's native part have no code, only a text. */
function isUnanswered(error: unknown): boolean {
  return error instanceof Error && /publication timed out/.test(error.message);
}
