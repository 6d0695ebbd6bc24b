import { errorKind, FlowError } from '../model/errors.ts';
import type { InboxEntry } from '../model/inbox.ts';
import type { StoredEntry } from '../model/ports/inbox.ts';
import type { Store } from '../model/ports/store.ts';
import type { Clock } from '../model/ports/time.ts';
import type { Timekeeper } from '../model/ports/timekeeper.ts';
import { putOff } from '../engine/session/inbox.ts';
import { ownerName } from '../engine/session/process-owner.ts';
import { releaseDeadClaims } from './release-dead-claims.ts';
import { pollInbox } from './poll-inbox.ts';

/** A failed entry, without its words. */
export interface ClerkNote {
  readonly key: string;
  readonly sessionId: string;
  /** The code or the kind of the error. */
  readonly reason: string;
  readonly attempt: number;
}

/** Work of a session that continues after its entry is taken, without blocking other entries. Rejects like `take`. */
export interface LongWork {
  readonly work: Promise<void>;
}

export interface ClerkOptions {
  readonly store: Store;
  readonly clock: Clock;
  /**
   * Processes an entry and everything else that is due in its session. Errors are retried with growing delays; at last
   * the entry becomes a dead letter.
   */
  readonly take: (stored: StoredEntry) => Promise<LongWork | void>;
  /** Looks for other unfinished work each time the clerk wakes. */
  readonly lookAside?: () => Promise<void>;
  /** An engine that also keeps the due times of entries. */
  readonly timekeeper?: Timekeeper;
  /** Polling interval in milliseconds if no notification arrives. Default: one second. */
  readonly lookEveryMs?: number | undefined;
  /** The owner name of its claims. Default: a name of this process. */
  readonly owner?: string;
  readonly onFailed: (note: ClerkNote) => void;
  /** Receives store errors; the store is read again at the next poll. */
  readonly onError: (error: unknown) => void;
}

/** How long an entry is claimed before the clerk owns its session, in milliseconds. */
const claimMs = 30_000;
/**
 * Maximum number of sessions at once, and the free places needed before the next claim, because a claim has a fixed
 * cost.
 */
const atOnce = 16;
const freeBefore = 8;
/** Number of clerks that may die at an entry before it becomes a dead letter. */
const mostDeaths = 3;
/** How long an entry is left to others if its session is owned by another process, in milliseconds. */
const leftMs = 10_000;
/** Interval of checks for claims of dead processes on this machine, in milliseconds. */
const lookForDeadMs = 1_000;

/**
 * Creates the process that takes inbox entries of sessions without an owner. It claims each due entry and runs its
 * session without a listener. If a clerk dies, the next one repeats its work.
 *
 * An entry at which a clerk died may kill the next one too. Such an entry is processed alone, so that no other entry is
 * blamed, and becomes a dead letter after three deaths.
 */
export function createClerk(options: ClerkOptions) {
  const { store, clock, take, lookAside, timekeeper, onFailed, onError } = options;
  const owner = options.owner ?? ownerName('clerk');
  const working = new Set<Promise<void>>();
  const long = new Set<Promise<void>>();
  let isStopped = false;
  /** A clerk died at a due entry: entries are taken one at a time until none of them is suspect. */
  let isCareful = false;
  let nextLookForDead = -Infinity;
  let filling: Promise<void> | null = null;
  let isAgain = false;

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
    // The owner of the session takes its due entries itself.
    if (codeOf(error) === 'session-taken')
      return await store.inbox.release({ owner, keys: [entry.key], afterMs: leftMs, isTry: false });
    const isOver = codeOf(error) === 'session-over';
    const isOfNothing = codeOf(error) === 'session-unknown' && entry.signal.type === 'session:left';
    // The session no longer waits for these signals.
    if ((isOver && isOnlyNews(entry)) || isOfNothing) return void (await store.inbox.withdraw(entry.key));
    fail(stored, error);
    if (isOver) await store.inbox.defer(entry.key, { until: null, reason: 'session-over' });
    else await putOff(store, clock, stored, errorKind(error));
  };
  const fail = ({ entry, attempts }: StoredEntry, error: unknown): void =>
    onFailed({ key: entry.key, sessionId: entry.sessionId, reason: errorKind(error), attempt: attempts + 1 });
  /** Claims entries for the free places, one claim at a time. Long sessions do not block it. */
  const claim = async (): Promise<void> => {
    isAgain = true;
    await (filling ??= fillAgain().finally(() => (filling = null)));
  };
  const fillAgain = async (): Promise<void> => {
    while (isAgain) {
      isAgain = false;
      await fill();
    }
  };
  const fill = async (): Promise<void> => {
    while (!isStopped && working.size <= (isCareful ? 0 : atOnce - freeBefore)) {
      const limit = isCareful ? 1 : atOnce - working.size;
      const claimed = await store.inbox.claim({ ttlMs: claimMs, limit, owner });
      const suspects = claimed.filter(({ claims }) => claims > 1);
      if (!isCareful && suspects.length > 0) {
        const keys = suspects.map(({ entry }) => entry.key);
        await store.inbox.release({ owner, keys, isTry: false });
        for (const stored of claimed) if (!suspects.includes(stored)) begin(stored);
      } else for (const stored of claimed) begin(stored);
      isCareful = suspects.length > 0;
      if (claimed.length === 0) return;
    }
  };
  const begin = (stored: StoredEntry): void => {
    const work = (stored.claims > mostDeaths ? giveUp(stored) : takeOne(stored)).catch(onError).finally(() => {
      working.delete(work);
      claim().catch(onError);
    });
    working.add(work);
  };
  const giveUp = async (stored: StoredEntry): Promise<void> => {
    const { key } = stored.entry;
    fail(
      stored,
      new FlowError(
        'entry-abandoned',
        'an entry has ended each process that took it. Post it again after the fault is fixed.',
      ),
    );
    await store.inbox.defer(key, { until: null, reason: 'entry-abandoned' });
  };
  /** Releases claims and leases of dead processes on this machine at once, before they expire. */
  const lookForDead = async (): Promise<void> => {
    if (clock.now() < nextLookForDead) return;
    nextLookForDead = clock.now() + lookForDeadMs;
    if (await releaseDeadClaims(store, clock, working.size === 0)) await claim();
  };
  const waking = pollInbox({
    ...{ store, clock, onError, lookEveryMs: options.lookEveryMs },
    async wake() {
      await claim();
      await lookForDead();
      await lookAside?.();
    },
    ...(timekeeper === undefined ? {} : { timekeeper }),
  });
  return {
    start: () => waking.start(),
    /** Resolves when the started work is done. */
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
