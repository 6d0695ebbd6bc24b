import type { Clock } from '../ports/time.ts';
import { fromColumnText } from './column-text.ts';
import type { SqliteFile } from './sqlite-file.ts';

/** How often who watches effects is called for what other processes may have written, in milliseconds. */
const pollMs = 500;
/** How often the file is asked, while somebody watches the inbox, whether another process has written, in milliseconds. */
const lookMs = 40;

/**
 * Calls who watches: at once for what this store writes, and soon after for what other processes do; where it is alone, nobody
 * looks for others.
 */
export function createNotices(file: SqliteFile, clock: Clock, isAlone: boolean) {
  const listeners = new Set<() => void>();
  const inboxListeners = new Set<(sessionId: string | null) => void>();
  let cancelPoll = (): void => undefined;
  let cancelLook = (): void => undefined;
  /** A number that changes when another connection has written. */
  let version: unknown = null;
  const notify = (): void => {
    for (const listener of listeners) listener();
  };
  const poll = (): void => {
    cancelPoll = clock.schedule(pollMs, () => {
      notify();
      poll();
    });
  };
  const tellInbox = (sessionId: string | null): void => {
    for (const listener of inboxListeners) listener(sessionId);
  };
  const look = async (): Promise<void> => {
    try {
      const [row] = (await file.run({ sql: 'pragma data_version', parameters: [[]] })).rows;
      const found = (row as { data_version?: unknown } | undefined)?.data_version; // As the pragma names it.
      if (version !== null && found !== version) tellInbox(null);
      version = found;
    } catch {
      // The file is closed, or in trouble that whoever asks for something is told of.
    }
    if (inboxListeners.size > 0) cancelLook = clock.schedule(lookMs, () => void look());
  };
  return {
    notify,
    /** `sessionIds` are column texts. */
    tellInboxOf(sessionIds: readonly string[]): void {
      if (inboxListeners.size > 0) for (const id of new Set(sessionIds)) tellInbox(fromColumnText(id));
    },
    watch(listener: () => void): () => void {
      if (listeners.size === 0 && !isAlone) poll();
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) cancelPoll();
      };
    },
    watchInbox(listener: (sessionId: string | null) => void): () => void {
      const isFirst = inboxListeners.size === 0;
      inboxListeners.add(listener);
      if (isFirst && !isAlone) {
        version = null;
        void look();
      }
      return () => {
        inboxListeners.delete(listener);
        if (inboxListeners.size === 0) cancelLook();
      };
    },
    close(): void {
      listeners.clear();
      inboxListeners.clear();
      cancelPoll();
      cancelLook();
    },
  };
}
