import type { InboxStore, StoredEntry } from '../ports/inbox.ts';
import type { Clock } from '../ports/time.ts';
import type { Timekeeper } from '../ports/timekeeper.ts';

/** How often the inbox is looked into where nothing tells of it, in milliseconds. */
const pollMs = 1_000;
/** The same, where an engine keeps the time as well. */
const slowPollMs = 5_000;
/** How many timers an engine is given at a time, the earliest; the others follow as these come. */
const kept = 1_000;

export interface WakingOptions {
  readonly store: Pick<InboxStore, 'listEntries' | 'watchInbox'>;
  readonly clock: Clock;
  /** Takes what is due. One call at a time; where it rejects it is called again after the next poll. */
  readonly wake: () => Promise<void>;
  /** An engine that keeps the time of the entries as well; the store alone where absent. */
  readonly timekeeper?: Timekeeper;
  /** How often the inbox is looked into where nothing tells of it, in milliseconds; every second where absent. */
  readonly lookEveryMs?: number | undefined;
  readonly onError: (error: unknown) => void;
}

/**
 * Wakes whoever takes entries of the inbox: soon after one was posted, when the next one is due, and every second in case
 * that neither was seen. It may wake early or for nothing: only a store's `claimEntries` decides what is due.
 *
 * With a timekeeper the entries that are due first are kept in it too, and its deliveries wake as well.
 */
export function wakeWhenDue({ store, clock, wake, timekeeper, lookEveryMs = pollMs, onError }: WakingOptions) {
  const timers = timekeeper === undefined ? null : createTimers(timekeeper, onError);
  let round: Promise<void> | null = null;
  let isAgain = false;
  let isStopped = false;
  let cancelTimer = (): void => undefined;
  let endWatch = (): void => undefined;
  let starting: Promise<void> | undefined;

  function look(): void {
    if (isStopped) return;
    isAgain = true;
    round ??= rounds();
  }

  async function rounds(): Promise<void> {
    while (isAgain && !isStopped) {
      isAgain = false;
      cancelTimer();
      try {
        // What falls due while it wakes was perhaps not seen by it.
        const seenAt = clock.now();
        await wake();
        await plan(seenAt);
      } catch (error) {
        onError(error);
        plannedIn(lookEveryMs);
      }
    }
    round = null;
  }

  async function plan(seenAt: number): Promise<void> {
    const later = await store.listEntries({ state: 'open', dueAfter: seenAt, limit: timers === null ? 1 : kept });
    timers?.keepOnly(later);
    const leftMs = (later[0]?.notBefore ?? Infinity) - clock.now();
    plannedIn(Math.min(leftMs, timers === null ? lookEveryMs : slowPollMs));
  }

  function plannedIn(delayMs: number): void {
    cancelTimer();
    if (!isStopped) cancelTimer = clock.schedule(delayMs, look);
  }

  return {
    /** Begins. An engine that cannot be started is told of, and the store alone wakes. */
    async start(): Promise<void> {
      // It is done once somebody looks: how long the work takes is the claim's business, and a look follows every poll.
      starting = timekeeper?.start(async () => look()).catch(onError);
      endWatch = store.watchInbox(look);
      look();
    },
    /** Waits for what `wake` has begun, and stops the engine. */
    async stop(): Promise<void> {
      isStopped = true;
      endWatch();
      cancelTimer();
      await round;
      await Promise.all([starting, timers?.settled()]);
      await timekeeper?.stop();
    },
  };
}

/** What an engine was given by this process. Nobody waits for an engine that is slow or away. */
function createTimers(timekeeper: Timekeeper, onError: (error: unknown) => void) {
  let given = new Map<string, StoredEntry>();
  let wanted = given;
  let isGiving = false;
  let giving = Promise.resolve();

  async function give(): Promise<void> {
    try {
      while (given !== wanted) {
        const next = wanted;
        for (const [timer, { entry, notBefore }] of next)
          if (!given.has(timer)) await timekeeper.keep(entry.key, notBefore);
        for (const [timer, { entry, notBefore }] of given)
          if (!next.has(timer)) await timekeeper.forget(entry.key, notBefore);
        given = next;
      }
    } catch (error) {
      onError(error);
    }
    isGiving = false;
  }

  return {
    /** Keeps these, and forgets what was kept before and is none of them any more. */
    keepOnly(entries: readonly StoredEntry[]): void {
      wanted = new Map(entries.map((one) => [`${one.entry.key}@${one.notBefore}`, one]));
      if (isGiving) return;
      isGiving = true;
      giving = give();
    },
    settled: () => giving,
  };
}
