import type { StoredEntry } from '../model/ports/inbox.ts';
import type { Store } from '../model/ports/store.ts';
import type { Clock } from '../model/ports/time.ts';
import type { Timekeeper } from '../model/ports/timekeeper.ts';

/** Polling interval without notifications, in milliseconds. */
const pollMs = 1_000;
/** Polling interval if an engine keeps the time as well. */
const slowPollMs = 5_000;
/** Maximum number of timers in the engine: the earliest entries. Others follow when these are due. */
const kept = 1_000;

export interface WakingOptions {
  readonly store: Pick<Store, 'inbox'>;
  readonly clock: Clock;
  /** Takes the due entries. Never runs concurrently; after a rejection it runs again at the next poll. */
  readonly wake: () => Promise<void>;
  /** An engine that also keeps the due times; otherwise only the store does. */
  readonly timekeeper?: Timekeeper;
  /** Polling interval in milliseconds. Default: one second. */
  readonly lookEveryMs?: number | undefined;
  readonly onError: (error: unknown) => void;
}

/**
 * Calls `wake` soon after an entry is posted, when the next entry is due, and every second in case a notification was
 * lost. It may call too early or for nothing: only `inbox.claim` of the store decides what is due.
 *
 * With a timekeeper, the earliest entries are also timers in the engine, whose deliveries call `wake`.
 */
export function pollInbox({ store, clock, wake, timekeeper, lookEveryMs = pollMs, onError }: WakingOptions) {
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
        // Entries that became due during `wake` may have been missed.
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
    const later = await store.inbox.list({ state: 'open', dueAfter: seenAt, limit: timers === null ? 1 : kept });
    timers?.keepOnly(later);
    const leftMs = (later[0]?.notBefore ?? Infinity) - clock.now();
    plannedIn(Math.min(leftMs, timers === null ? lookEveryMs : slowPollMs));
  }

  function plannedIn(delayMs: number): void {
    cancelTimer();
    if (!isStopped) cancelTimer = clock.schedule(delayMs, look);
  }

  return {
    /** Starts. If the engine cannot start, the error is reported and only the store is used. */
    async start(): Promise<void> {
      // The delivery is done when `look` is called. The claim covers the work, and polling repeats a missed one.
      starting = timekeeper?.start(async () => look()).catch(onError);
      endWatch = store.inbox.watch(look);
      look();
    },
    /** Waits for the running `wake` and stops the engine. */
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

/** The timers that this process gave to an engine. A slow or unavailable engine does not block. */
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
    /** Adds timers for these entries and removes all others. */
    keepOnly(entries: readonly StoredEntry[]): void {
      wanted = new Map(entries.map((one) => [`${one.entry.key}@${one.notBefore}`, one]));
      if (isGiving) return;
      isGiving = true;
      giving = give();
    },
    settled: () => giving,
  };
}
