import { voice } from '@livekit/agents';
import type { LiveSession } from '../agent/live-session.ts';

/** The topic of byte streams by which LiveKit's `RemoteSession` talks to a session. */
const topic = 'lk.agent.session';

/** What a session calls of its host: nothing is heard, and nothing is told. */
const nobody = Object.freeze({
  registerSession: () => undefined,
  start: () => Promise.resolve(),
  close: () => Promise.resolve(),
  _onAmdPrediction: () => undefined,
});

const closed = new WeakSet<object>();

/**
 * Keeps LiveKit's session host out of the rooms of a session, running or not. LiveKit starts one with every room, without
 * an option against it: a participant reads the prompt, the tools and the history there, is sent every event, and can
 * inject turns. Called before the session is started, nothing is ever served. The host of `lk console`, which is on a
 * socket of this machine, is left.
 */
export async function closeRemoteSession(session: LiveSession): Promise<void> {
  if (closed.has(session)) return;
  closed.add(session);
  // A private field, so that what it holds is looked at before it is called.
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

/** Ends what a LiveKit of another patch release may have started all the same. To be called once the session runs. */
export function assertRemoteSessionClosed(session: LiveSession): void {
  if (Reflect.get(session, 'sessionHost') === nobody) return;
  session._roomIO?.rtcRoom.unregisterByteStreamHandler(topic);
}

function isRoomHost(host: unknown): host is voice.SessionHost {
  return host instanceof voice.SessionHost && Reflect.get(host, 'transport') instanceof voice.RoomSessionTransport;
}
