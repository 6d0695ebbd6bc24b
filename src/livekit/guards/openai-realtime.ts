// `@livekit/agents-plugin-openai` 1.9.0: a realtime session does not handle `error` events of its socket while
// it connects, and parses messages in a listener. A refused connection or a message that is not JSON ends the
// process; a failed connection is not reported. Upstream: https://github.com/livekit/agents-js/pull/2539 for
// the connection; the parsing is not reported. Reproduced in test/livekit/guards/openai-realtime.test.ts.
import { APIConnectionError, APIStatusError } from '@livekit/agents';
import type { realtime } from '@livekit/agents-plugin-openai';
import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';

type Plugin = Pick<typeof realtime, 'RealtimeSession' | 'processBaseURL'>;
type Options = realtime.RealtimeModel['_options'];

/** A connection that breaks sooner counts as failed, in milliseconds. */
const shortestLifeMs = 2_000;

const closed = new WeakSet<realtime.RealtimeSession>();
/** Consecutive short connections of a session; absent before the first connection. */
const shortLived = new WeakMap<realtime.RealtimeSession, number>();

/**
 * Makes OpenAI's realtime model emit an error event if the connection is refused, breaks
 * repeatedly, or delivers invalid JSON. Opening the socket is ours; the session is the plug-in's.
 */
export function guardOpenaiRealtime(model: realtime.RealtimeModel, plugin: Plugin): void {
  class GuardedSession extends plugin.RealtimeSession {
    override async close(): Promise<void> {
      closed.add(this);
      await super.close();
    }
  }
  // Private in its type only: the one place where the plug-in connects.
  Object.defineProperty(GuardedSession.prototype, 'createWsConn', {
    value(this: GuardedSession) {
      return connect(this, model._options, plugin);
    },
  });
  model.session = () => new GuardedSession(model);
}

async function connect(session: realtime.RealtimeSession, options: Options, plugin: Plugin): Promise<WebSocket> {
  const { maxRetry, retryIntervalMs } = options.connOptions;
  // The previous connection's sender still waits for an event; it receives and loses this one, which changes nothing.
  if (shortLived.has(session)) session.sendEvent({ type: 'session.update', session: { type: 'realtime' } });
  for (let attempt = shortLived.get(session) ?? 0; ; attempt += 1) {
    if (attempt > 0) await pause(retryIntervalMs, undefined, { ref: false });
    let error: APIStatusError | APIConnectionError;
    try {
      if (attempt > maxRetry) throw new APIConnectionError({ message: 'The connection breaks again and again.' });
      const socket = await open(options, plugin);
      const openedAt = performance.now();
      shortLived.set(session, shortLived.get(session) ?? 0);
      socket.once('close', () => {
        const lived = performance.now() - openedAt;
        shortLived.set(session, lived < shortestLifeMs ? (shortLived.get(session) ?? 0) + 1 : 0);
      });
      return socket;
    } catch (cause) {
      error = cause instanceof APIStatusError || cause instanceof APIConnectionError ? cause : unreachable(cause);
    }
    const recoverable = error.retryable && attempt < maxRetry && !closed.has(session);
    if (!closed.has(session))
      session.emit('error', { type: 'realtime_model_error', timestamp: Date.now(), label: '', error, recoverable });
    if (!recoverable) throw error;
  }
}

async function open(options: Options, { processBaseURL }: Plugin): Promise<WebSocket> {
  const { apiKey, isAzure, entraToken, connOptions } = options;
  const key =
    isAzure && entraToken === undefined ? { 'api-key': apiKey } : { Authorization: `Bearer ${entraToken ?? apiKey}` };
  const socket = new WebSocket(processBaseURL(options), {
    headers: { 'User-Agent': 'LiveKit-Agents-JS', ...key },
    handshakeTimeout: connOptions.timeoutMs,
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('open', () => resolve());
    socket.on('error', (error) => reject(unreachable(error)));
    socket.once('unexpected-response', (request, { statusCode }) => {
      request.destroy();
      reject(new APIStatusError({ message: 'The connection was refused.', options: { statusCode: statusCode ?? -1 } }));
    });
  });
  // The plug-in parses messages in the listener that it sets here.
  Object.defineProperty(socket, 'onmessage', {
    set(listener: NonNullable<WebSocket['onmessage']>) {
      socket.addEventListener('message', (event) => {
        try {
          listener(event);
        } catch {
          socket.emit('error', new Error('The server sent an invalid message.'));
        }
      });
    },
  });
  return socket;
}

function unreachable(cause: unknown): APIConnectionError {
  const code = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : '';
  return new APIConnectionError({ message: `The server cannot be reached${code}.` });
}
