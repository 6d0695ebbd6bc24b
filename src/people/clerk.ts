import { errorKind, FlowError } from '../errors.ts';
import type { InboxEntry } from '../events/inbox.ts';
import type { StoredEntry } from '../ports/inbox.ts';
import type { Store } from '../ports/store.ts';
import type { Clock } from '../ports/time.ts';
import type { Timekeeper } from '../ports/timekeeper.ts';
import { putOff } from '../turn/engine/inbox.ts';
import { wakeWhenDue } from './wake-when-due.ts';

/** What of an entry that could not be taken is told; without its words. */
export interface ClerkNote {
  readonly key: string;
  readonly sessionId: string;
  /** The code or the kind of the error. */
  readonly reason: string;
  readonly attempt: number;
}

/** Work of a session that goes on once its entry is taken, may take long, and holds up no other; it rejects as taking does. */
export interface LongWork {
  readonly work: Promise<void>;
}

export interface ClerkOptions {
  readonly store: Store;
  readonly clock: Clock;
  /**
   * Takes an entry, and whatever else is due in its session. What throws is tried again, later each time, and in the end
   * is a dead letter.
   */
  readonly take: (stored: StoredEntry) => Promise<LongWork | void>;
  /** Looks for other work that somebody has left, each time that the clerk is woken. */
  readonly lookAside?: () => Promise<void>;
  /** An engine that keeps the time of the entries as well. */
  readonly timekeeper?: Timekeeper;
  readonly onFailed: (note: ClerkNote) => void;
  /** The store failed; it is asked again with the next look. */
  readonly onError: (error: unknown) => void;
}

/** For how long a clerk has an entry before it owns the session, in milliseconds. */
const claimMs = 30_000;
/** How many sessions are worked on at once. */
const atOnce = 8;

/**
 * Takes the inbox of sessions that nobody owns: each due entry is claimed, so that no other clerk takes it meanwhile, and
 * its session is worked on without a listener. Whatever a clerk leaves undone by dying is done by the next one.
 */
export function createClerk(options: ClerkOptions) {
  const { store, clock, take, lookAside, timekeeper, onFailed, onError } = options;
  const working = new Set<Promise<void>>();
  const long = new Set<Promise<void>>();
  let isStopped = false;

  const takeOne = async (stored: StoredEntry): Promise<void> => {
    try {
      const taken = await take(stored);
      if (taken !== undefined) {
        const done = taken.work
          .catch((error: unknown) => refused(stored, error))
          .catch(onError)
          .finally(() => void long.delete(done));
        long.add(done);
      }
    } catch (error) {
      await refused(stored, error);
    }
  };
  const refused = async (stored: StoredEntry, error: unknown): Promise<void> => {
    const { entry } = stored;
    // Its owner takes what is due itself.
    if (codeOf(error) === 'session-taken') return;
    const isOver = codeOf(error) === 'session-over';
    // Nobody is waiting any more for what these tell.
    if (isOver && isOnlyNews(entry)) return void (await store.withdraw(entry.key));
    fail(stored, error);
    if (isOver) await store.deferEntry(entry.key, null, 'session-over');
    else await putOff(store, clock, stored, errorKind(error));
  };
  const fail = ({ entry, attempts }: StoredEntry, error: unknown): void =>
    onFailed({ key: entry.key, sessionId: entry.sessionId, reason: errorKind(error), attempt: attempts + 1 });
  /** Fills the free places; nobody waits for a session whose work takes long. */
  const claim = async (): Promise<void> => {
    while (!isStopped && working.size < atOnce) {
      const claimed = await store.claimEntries({ ttlMs: claimMs, limit: atOnce - working.size });
      if (claimed.length === 0) return;
      for (const stored of claimed) {
        const work = takeOne(stored)
          .catch(onError)
          .finally(() => {
            working.delete(work);
            claim().catch(onError);
          });
        working.add(work);
      }
    }
  };
  const waking = wakeWhenDue({
    ...{ store, clock, onError },
    async wake() {
      await claim();
      await lookAside?.();
    },
    ...(timekeeper === undefined ? {} : { timekeeper }),
  });
  return {
    start: () => waking.start(),
    /** Resolves when what was begun is done. */
    async stop(): Promise<void> {
      isStopped = true;
      await waking.stop();
      await Promise.all([...working, ...long]);
    },
  };
}

function codeOf(error: unknown): string | null {
  return error instanceof FlowError ? error.code : null;
}

function isOnlyNews({ signal }: InboxEntry): boolean {
  return signal.type === 'effect:settled' || signal.type === 'wait:expired' || signal.type === 'session:left';
}
