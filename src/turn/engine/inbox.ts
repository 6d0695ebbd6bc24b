import { errorKind } from '../../errors.ts';
import type { Effect } from '../../events/effect.ts';
import type { InboxEntry, OutsideSignal } from '../../events/inbox.ts';
import { openEffect } from '../../kernel/draft.ts';
import type { StoredEntry } from '../../ports/inbox.ts';
import type { Store } from '../../ports/store.ts';
import type { Clock } from '../../ports/time.ts';
import { callIfCutOff } from './call-entry.ts';
import type { Engine, Inbound, OfEntry } from './engine.ts';
import { attemptOf, readEntry } from './signal-of-entry.ts';

/** How the host of an engine takes what the inbox brings. */
export interface IntakeHost {
  /** Whether somebody listens to what the session says. */
  readonly isHeard: boolean;
  /** Resolves when nothing is under way that this must wait for; false where the session is let go of. */
  whenFree(signal: OutsideSignal): Promise<boolean>;
  /** Takes words to the flow, with what goes with their entry. */
  takeTurn(inbound: Inbound, entry: OfEntry): Promise<'taken' | 'duplicate' | 'over'>;
  /** An entry was folded, and its step is durable: the flow goes on. */
  goOn(signal: OutsideSignal): Promise<void> | void;
  /** The store could not be asked. */
  onError(error: unknown): void;
}

/** Takes the inbox of one session, entry by entry, in order. */
export interface Intake {
  /** Takes what is due now. Rejects where the store fails. */
  takeDue(): Promise<void>;
  /** Takes entries as they become due. Returns what ends it. */
  watch(): () => void;
  /** Resolves when the flow has gone on from what was taken; null where nothing is on its way into the session. */
  underWay(): Promise<void> | null;
}

/** How often an entry is tried, and how long after the first failure; after each further one four times as long. */
const mostAttempts = 6;
const firstPauseMs = 1_000;

/** How long after a failure of the store it is asked again, in milliseconds. */
const askAgainMs = 5_000;

/** How soon a due entry that had to wait is looked at again, in milliseconds, and a guard beside which others may come. */
const lookAgainMs = 50;
const lookBesideGuardMs = 1_000;

/** More guards than one session has: each is of a process that has died in it. */
export const mostGuards = 10;

export function createIntake(
  { store, clock, engine }: { readonly store: Store; readonly clock: Clock; readonly engine: Engine },
  host: IntakeHost,
): Intake {
  const { sessionId } = engine;
  /** Whoever has opened the session withdraws its guards when all is done: until then it must be found if they die. */
  const leavesGuards = !host.isHeard || engine.isWritten;
  const firstDue = async (): Promise<StoredEntry | undefined> => {
    const limit = leavesGuards ? mostGuards + 1 : 1;
    const due = await store.dueEntries({ sessionId, dueBy: clock.now(), limit });
    return due.find(({ entry }) => !leavesGuards || entry.signal.type !== 'session:left');
  };

  let underWay: Promise<void> | null = null;

  /** False where the session is let go of. */
  const take = async (stored: StoredEntry): Promise<boolean> => {
    const { key } = stored.entry;
    // Its commit was another's, and it was posted again meanwhile.
    if (await store.wasConsumed(key)) {
      await store.withdraw(key);
      return true;
    }
    const others = await hostsWait(stored.entry.signal);
    if (!(await host.whenFree(stored.entry.signal))) return false;
    const taking = takeNow(stored, others);
    // From the step on, until the flow has gone on: its commit may be answered late.
    const over = taking.then(
      () => undefined,
      () => undefined,
    );
    underWay = over;
    try {
      return await taking;
    } finally {
      if (underWay === over) underWay = null;
    }
  };
  const takeNow = async (stored: StoredEntry, others: readonly Effect[]): Promise<boolean> => {
    const { key } = stored.entry;
    // Whoever takes it goes on with the session by having opened it.
    if (stored.entry.signal.type === 'session:left') {
      await store.withdraw(key);
      return true;
    }
    const read = readEntry(attemptOf(stored), clock.now());
    // A person has to see to the session first: what came for it is not to be lost on it.
    if (engine.state.status === 'parked') await putOff(store, clock, stored, 'session-parked');
    else if (read === null && host.isHeard && isCall(stored.entry.signal)) {
      await store.post([], [], [key]);
      await store.withdraw(key);
    } else if (stored.entry.signal.type === 'call:due') return false;
    else if (stored.entry.signal.type === 'wait:registered' && engine.state.status !== 'active')
      await store.deferEntry(key, null, 'session-over');
    else if (read === null) await store.deferEntry(key, null, 'not-for-a-conversation');
    else if ('turn' in read) {
      const outcome = await host.takeTurn(read.turn, { key, call: callFor(stored) });
      if (outcome === 'taken') await engine.keep();
      else if (outcome === 'duplicate') await store.withdraw(key);
      else if (engine.state.status === 'active') return false;
      else await store.deferEntry(key, null, 'session-over');
    } else {
      const fold = (): void => engine.dispatch(read.signal, [key], false, others, callFor(stored));
      if (!(await isFolded(fold, stored))) return true;
      await engine.keep();
      await host.goOn(stored.entry.signal);
    }
    return true;
  };
  /** A call that is promised to whoever listens, for the case that they are cut off. */
  const callFor = ({ entry }: StoredEntry): InboxEntry | null =>
    host.isHeard ? callIfCutOff(entry, clock.now()) : null;
  /** A wait of a host's own, which the kernel does not know, as the signal opens or settles it. */
  const hostsWait = async (signal: OutsideSignal): Promise<readonly Effect[]> => {
    if (signal.type === 'wait:registered') {
      const { key, wait, payload, deadline } = signal;
      const rest = { key, kind: 'wait', state: 'intended', node: '', visit: 0, payload: { ...payload, wait } };
      const effect = { ...rest, ...(deadline === undefined ? {} : { deadline }) } as unknown as Effect; // A host's own.
      const isKnown = (await store.loadEffects(sessionId)).some((one) => one.key === key);
      return isKnown ? [] : [effect];
    }
    if (signal.type !== 'wait:resolved' && signal.type !== 'wait:expired') return [];
    if (openEffect(engine.state, signal.key) !== undefined) return [];
    const kept = (await store.loadEffects(sessionId)).find(({ key }) => key === signal.key);
    if (kept?.kind !== 'wait' || kept.node !== '' || kept.state !== 'intended') return [];
    return signal.type === 'wait:expired'
      ? [{ ...kept, state: 'failed' }]
      : [{ ...kept, state: 'done', result: signal.resolution }];
  };
  /** What a fold throws is the entry's own trouble, or the flow's: it must keep nothing else back. */
  const isFolded = async (fold: () => void, stored: StoredEntry): Promise<boolean> => {
    try {
      fold();
      return true;
    } catch (error) {
      await putOff(store, clock, stored, errorKind(error));
      return false;
    }
  };
  const takeDue = async (isWanted: () => boolean = () => true): Promise<void> => {
    while (isWanted()) {
      const next = await firstDue();
      if (next === undefined || !isWanted() || !(await take(next))) return;
    }
  };
  return {
    takeDue: () => takeDue(),
    underWay: () => underWay,
    watch() {
      let isStopped = false;
      let isTaking = false;
      /** Something was posted since the inbox was looked into. */
      let isMore = false;
      let cancelTimer = (): void => undefined;
      const wakeIn = (delayMs: number): void => {
        cancelTimer();
        if (!isStopped) cancelTimer = clock.schedule(delayMs, wake);
      };
      const takeAll = async (): Promise<void> => {
        do {
          isMore = false;
          await takeDue(() => !isStopped);
        } while (isMore && !isStopped);
        const due = isStopped ? null : await store.nextDue(sessionId);
        if (due === null) return;
        const isGuard = leavesGuards && due <= clock.now() && (await firstDue()) === undefined;
        wakeIn(Math.max(due - clock.now(), isGuard ? lookBesideGuardMs : lookAgainMs));
      };
      const wake = (): void => {
        isMore = true;
        if (isTaking || isStopped) return;
        isTaking = true;
        cancelTimer();
        takeAll()
          .catch((error: unknown) => {
            if (isStopped) return;
            host.onError(error);
            wakeIn(askAgainMs);
          })
          .finally(() => {
            isTaking = false;
            if (isMore && !isStopped) wake();
          });
      };
      const stopWatching = store.watchInbox((posted) => {
        if (posted === null || posted === sessionId) wake();
      });
      wake();
      return () => {
        isStopped = true;
        stopWatching();
        cancelTimer();
      };
    },
  };
}

/** What is over once its person is on the line: the call that is to be made, or the one that begins the session. */
function isCall({ type }: OutsideSignal): boolean {
  return type === 'call:due' || type === 'session:started';
}

/** Lets an entry that could not be taken wait, each time for longer; after the last time it is a dead letter. */
export async function putOff(
  store: Store,
  clock: Clock,
  { entry, attempts }: StoredEntry,
  reason: string,
): Promise<void> {
  const isLast = attempts + 1 >= mostAttempts;
  await store.deferEntry(entry.key, isLast ? null : clock.now() + firstPauseMs * 4 ** attempts, reason);
}
