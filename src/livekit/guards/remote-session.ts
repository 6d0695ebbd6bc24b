// `@livekit/agents` 1.9.0: every session in a room starts a session host, and no option turns it off. Any participant reads
// the prompt, the tools and the history there, is sent every event, and can send turns in another's name.
// Upstream: https://github.com/livekit/agents-js/pull/1073, which brought it.
// The fault itself: test/livekit/guards/remote-session.test.ts.
import { voice } from '@livekit/agents';
import type { LiveSession } from '../agent/live-session.ts';

/** The topic of byte streams by which LiveKit's `RemoteSession` talks to a session. */
const topic = 'lk.agent.session';

/** Stands for the host: all that a session calls of one. */
const nobody = Object.freeze({
  registerSession: () => undefined,
  start: () => Promise.resolve(),
  close: () => Promise.resolve(),
  _onAmdPrediction: () => undefined,
});

const closed = new WeakSet<object>();

/**
 * Closes the session host of a session, and keeps LiveKit from starting another. Called before the session is started,
 * nothing is ever served. The host of `lk console`, which is on a socket of this machine, is left.
 */
export async function closeRemoteSession(session: LiveSession): Promise<void> {
  if (closed.has(session)) return;
  closed.add(session);
  // A private field: its value is checked before it is called.
  let host: unknown = Reflect.get(session, 'sessionHost');
  if (isRoomHost(host)) {
    await host.close();
    host = nobody;
  }
  Object.defineProperty(session, 'sessionHost', {
    configurable: true,
    enumerable: true,
    get: () => host,
    set(given: unknown) {
      host = isRoomHost(given) ? nobody : given;
    },
  });
}

/** Unregisters the host where another patch release keeps it elsewhere. To be called once the session runs. */
export function assertRemoteSessionClosed(session: LiveSession): void {
  if (Reflect.get(session, 'sessionHost') === nobody) return;
  session._roomIO?.rtcRoom.unregisterByteStreamHandler(topic);
}

function isRoomHost(host: unknown): host is voice.SessionHost {
  return host instanceof voice.SessionHost && Reflect.get(host, 'transport') instanceof voice.RoomSessionTransport;
}
