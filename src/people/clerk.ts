import { errorKind, FlowError } from '../errors.ts';
import type { InboxEntry } from '../events/inbox.ts';
import type { StoredEntry } from '../ports/inbox.ts';
import type { Store } from '../ports/store.ts';
import type { Clock } from '../ports/time.ts';
import type { Timekeeper } from '../ports/timekeeper.ts';
import { putOff } from '../turn/engine/inbox.ts';
import { ownerName } from '../turn/engine/process-owner.ts';
import { freeFromTheDead } from './free-from-the-dead.ts';
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
  /** How often it looks where nothing tells it of work, in milliseconds; every second where absent. */
  readonly lookEveryMs?: number | undefined;
  /** What its claims are called; a name of this process where absent. */
  readonly owner?: string;
  readonly onFailed: (note: ClerkNote) => void;
  /** The store failed; it is asked again with the next look. */
  readonly onError: (error: unknown) => void;
}

/** For how long a clerk has an entry before it owns the session, in milliseconds. */
const claimMs = 30_000;
/** How many sessions are worked on at once, and how many places are free before more are claimed: a claim costs as much for one. */
const atOnce = 16;
const freeBefore = 8;
/** So many clerks may die with an entry at hand before it is a dead letter. */
const mostDeaths = 3;
/** For how long a clerk leaves an entry to others whose session it may not have, in milliseconds. */
const leftMs = 10_000;
/** How often it is looked for what dead processes of this machine hold, in milliseconds. */
const lookForDeadMs = 1_000;

/**
 * Takes the inbox of sessions that nobody owns: each due entry is claimed, so that no other clerk takes it meanwhile, and
 * its session is worked on without a listener. Whatever a clerk leaves undone by dying is done by the next one.
 *
 * An entry at which somebody has died may kill the next one too: it is worked on alone, so that no other entry is taken
 * for the culprit, and is a dead letter when it has ended three.
 */
export function createClerk(options: ClerkOptions) {
  const { store, clock, take, lookAside, timekeeper, onFailed, onError } = options;
  const owner = options.owner ?? ownerName('clerk');
  const working = new Set<Promise<void>>();
  const long = new Set<Promise<void>>();
  let isStopped = false;
  /** Somebody has died at an entry that is due: one is taken at a time until there is none such. */
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
    // Its owner takes what is due itself.
    if (codeOf(error) === 'session-taken')
      return await store.endClaims({ owner, keys: [entry.key], afterMs: leftMs, isTry: false });
    const isOver = codeOf(error) === 'session-over';
    const isOfNothing = codeOf(error) === 'session-unknown' && entry.signal.type === 'session:left';
    // Nobody is waiting any more for what these tell.
    if ((isOver && isOnlyNews(entry)) || isOfNothing) return void (await store.withdraw(entry.key));
    fail(stored, error);
    if (isOver) await store.deferEntry(entry.key, null, 'session-over');
    else await putOff(store, clock, stored, errorKind(error));
  };
  const fail = ({ entry, attempts }: StoredEntry, error: unknown): void =>
    onFailed({ key: entry.key, sessionId: entry.sessionId, reason: errorKind(error), attempt: attempts + 1 });
  /** Fills the free places, one call at a time; nobody waits for a session whose work takes long. */
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
      const claimed = await store.claimEntries({ ttlMs: claimMs, limit, owner });
      const suspects = claimed.filter(({ claims }) => claims > 1);
      if (!isCareful && suspects.length > 0) {
        const keys = suspects.map(({ entry }) => entry.key);
        await store.endClaims({ owner, keys, isTry: false });
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
        'entry-given-up',
        'an entry has ended each process that took it. Post it again once that is mended.',
      ),
    );
    await store.deferEntry(key, null, 'entry-given-up');
  };
  /** What processes of this machine have held that are gone is free at once, and not when their claims and leases run out. */
  const lookForDead = async (): Promise<void> => {
    if (clock.now() < nextLookForDead) return;
    nextLookForDead = clock.now() + lookForDeadMs;
    if (await freeFromTheDead(store, clock, working.size === 0)) await claim();
  };
  const waking = wakeWhenDue({
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
