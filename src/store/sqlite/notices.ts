import type { Clock } from '../../model/ports/time.ts';
import { fromColumnText } from '../sql/column-text.ts';
import type { SqliteFile } from './file.ts';

/** Interval for calling effect listeners about writes of other processes, in milliseconds. */
const pollMs = 500;
/** Interval for checking the file for writes of other processes while the inbox has listeners, in milliseconds. */
const lookMs = 40;

/**
 * Calls listeners at once for writes of this store, and soon after for those of other processes. With `isAlone`, other
 * processes are not checked.
 */
export function createNotices(file: SqliteFile, clock: Clock, isAlone: boolean) {
  const listeners = new Set<() => void>();
  const inboxListeners = new Set<(sessionId: string | null) => void>();
  let cancelPoll = (): void => undefined;
  let cancelLook = (): void => undefined;
  /** Changes when another connection has written. */
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
      const found = (row as { data_version?: unknown } | undefined)?.data_version; // The column name of the pragma.
      if (version !== null && found !== version) tellInbox(null);
      version = found;
    } catch {
      // The file is closed or failing. The next regular request reports it.
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
