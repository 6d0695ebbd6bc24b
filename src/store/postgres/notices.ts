import { Client, type ClientConfig } from 'pg';
import type { Clock } from '../../model/ports/time.ts';
import { fromColumnText } from '../sql/column-text.ts';
import { intentChannel } from './commit-function.ts';
import { inboxChannel } from './inbox-function.ts';

/** Interval for calling listeners without a notice, in milliseconds. */
const pollMs = 5_000;
/** Delay before reconnecting a lost listening connection, in milliseconds. */
const listenAgainMs = 1_000;

/** Calls listeners when Postgres announces a commit or a post of any process, and also every few seconds. */
export function createNotices(config: ClientConfig, clock: Clock) {
  const listeners = new Set<() => void>();
  const inboxListeners = new Set<(sessionId: string | null) => void>();
  let client: Client | null = null;
  let cancelTimers = (): void => undefined;
  const notify = (): void => {
    for (const listener of listeners) listener();
  };
  const tellInbox = (sessionId: string | null): void => {
    for (const listener of inboxListeners) listener(sessionId);
  };
  const tellAll = (): void => {
    notify();
    tellInbox(null);
  };
  const isWatched = (): boolean => listeners.size + inboxListeners.size > 0;
  const listen = async (): Promise<void> => {
    const own = new Client(config);
    client = own;
    const lost = (): void => {
      if (client !== own) return;
      client = null;
      void own.end().catch(() => undefined);
      if (isWatched()) schedule(listenAgainMs);
    };
    own.on('error', lost);
    own.on('end', lost);
    own.on('notification', ({ channel, payload = '' }) => {
      if (channel === intentChannel) notify();
      else tellInbox(payload === '' ? null : fromColumnText(payload));
    });
    try {
      await own.connect();
      await own.query(`listen ${intentChannel}; listen ${inboxChannel}`);
      // Finds what was written before the connection began to listen.
      tellAll();
    } catch {
      lost();
    }
  };
  const schedule = (delayMs: number): void => {
    cancelTimers();
    cancelTimers = clock.schedule(delayMs, () => {
      tellAll();
      if (client === null) void listen();
      schedule(pollMs);
    });
  };
  const stop = async (): Promise<void> => {
    cancelTimers();
    const own = client;
    client = null;
    await own?.end().catch(() => undefined); // The connection is no longer used, so its error is ignored.
  };
  const watchIn = <Listener>(all: Set<Listener>, listener: Listener): (() => void) => {
    if (!isWatched()) {
      void listen();
      schedule(pollMs);
    }
    all.add(listener);
    return () => {
      all.delete(listener);
      if (!isWatched()) void stop();
    };
  };
  return {
    watch: (listener: () => void) => watchIn(listeners, listener),
    watchInbox: (listener: (sessionId: string | null) => void) => watchIn(inboxListeners, listener),
    async close(): Promise<void> {
      listeners.clear();
      inboxListeners.clear();
      await stop();
    },
  };
}
