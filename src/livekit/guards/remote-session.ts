// `@livekit/agents` 1.9.0: every session in a room starts a session host, without an option to disable it. Through it any
// participant can read the prompt, tools, history and events, and send turns in another participant's name. Upstream:
// https://github.com/livekit/agents-js/pull/1073 introduced it. Reproduced in test/livekit/guards/remote-session.test.ts.
import { voice } from '@livekit/agents';
import type { LiveSession } from '../agent/live-session.ts';

/** Topic of the byte streams between LiveKit's `RemoteSession` and a session. */
const topic = 'lk.agent.session';

/** Replaces the host, with all methods that a session calls on it. */
const nobody = Object.freeze({
  registerSession: () => undefined,
  start: () => Promise.resolve(),
  close: () => Promise.resolve(),
  _onAmdPrediction: () => undefined,
});

const closed = new WeakSet<object>();

/**
 * Closes the session host of a session, and prevents LiveKit from starting another. If called before the
 * session starts, nothing is ever served. The host of `lk console`, on a local socket, is not closed.
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

/** Unregisters the host if another patch release stores it elsewhere. Call it once the session runs. */
export function assertRemoteSessionClosed(session: LiveSession): void {
  if (Reflect.get(session, 'sessionHost') === nobody) return;
  session._roomIO?.rtcRoom.unregisterByteStreamHandler(topic);
}

function isRoomHost(host: unknown): host is voice.SessionHost {
  return host instanceof voice.SessionHost && Reflect.get(host, 'transport') instanceof voice.RoomSessionTransport;
}
