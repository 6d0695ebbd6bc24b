import { errorKind } from '../../model/errors.ts';
import type { Effect } from '../../model/effect.ts';
import type { InboxEntry, OutsideSignal } from '../../model/inbox.ts';
import { openEffect } from '../../kernel/state/draft.ts';
import type { StoredEntry } from '../../model/ports/inbox.ts';
import type { Store } from '../../model/ports/store.ts';
import type { Clock } from '../../model/ports/time.ts';
import { callIfCutOff } from './call-entry.ts';
import type { Engine } from '../engine.ts';
import type { Inbound, OfEntry } from '../inbound.ts';
import { attemptOf, readEntry } from '../commit/signal-of-entry.ts';

/** Host of an engine, as the inbox needs it. */
export interface IntakeHost {
  /** Whether the session has a listener. */
  readonly isHeard: boolean;
  /** Resolves when no running work must be waited for; false if the session is being released. */
  whenFree(signal: OutsideSignal): Promise<boolean>;
  /** Takes words to the flow, together with their inbox entry. */
  takeTurn(inbound: Inbound, entry: OfEntry): Promise<'taken' | 'duplicate' | 'over'>;
  /** Continues the flow after an entry was folded and its step is durable. */
  goOn(signal: OutsideSignal): Promise<void> | void;
  /** Receives a failure to read the store. */
  onError(error: unknown): void;
}

/** Takes the inbox entries of one session in order. */
export interface Intake {
  /** Takes all due entries. Rejects if the store fails. */
  takeDue(): Promise<void>;
  /** Takes entries when they become due. Returns a function that stops it. */
  watch(): () => void;
  /** Resolves when the flow has processed the entry being taken; null if none is. */
  underWay(): Promise<void> | null;
}

/** Maximum attempts per entry, and the pause after the first failure. Each further pause is four times as long. */
const mostAttempts = 6;
const firstPauseMs = 1_000;

/** How long to wait after a store failure before reading again, in milliseconds. */
const askAgainMs = 5_000;

/** When to look again at a due entry that had to wait, and at a guard that other entries may follow, in milliseconds. */
const lookAgainMs = 50;
const lookBesideGuardMs = 1_000;

/** More than one session can have: each guard belongs to a process that died in the session. */
export const mostGuards = 10;

export function createIntake(
  { store, clock, engine }: { readonly store: Store; readonly clock: Clock; readonly engine: Engine },
  host: IntakeHost,
): Intake {
  const { sessionId } = engine;
  /** The process that opened the session withdraws its guards at the end. Until then they must stay visible in case it dies. */
  const leavesGuards = !host.isHeard || engine.isWritten;
  const firstDue = async (): Promise<StoredEntry | undefined> => {
    const limit = leavesGuards ? mostGuards + 1 : 1;
    const due = await store.inbox.listDue({ sessionId, dueBy: clock.now(), limit });
    return due.find(({ entry }) => !leavesGuards || entry.signal.type !== 'session:left');
  };

  let underWay: Promise<void> | null = null;

  /** Returns false if the session is being released. */
  const take = async (stored: StoredEntry): Promise<boolean> => {
    const { key } = stored.entry;
    // Another process committed it, and it was posted again meanwhile.
    if (await store.inbox.isConsumed(key)) {
      await store.inbox.withdraw(key);
      return true;
    }
    const others = await hostsWait(stored.entry.signal);
    if (!(await host.whenFree(stored.entry.signal))) return false;
    const taking = takeNow(stored, others);
    // From the step until the flow has continued; the commit may be answered late.
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
    // Opening the session has already resumed it, so the entry has done its work.
    if (stored.entry.signal.type === 'session:left') {
      await store.inbox.withdraw(key);
      return true;
    }
    const read = readEntry(attemptOf(stored), clock.now());
    // A person must repair the session first, and the entry must not be lost.
    if (engine.state.status === 'parked') await putOff(store, clock, stored, 'session-parked');
    else if (read === null && host.isHeard && isCall(stored.entry.signal)) {
      await store.inbox.post([], [], [key]);
      await store.inbox.withdraw(key);
    } else if (isAfterCall(stored.entry.signal)) return false;
    else if (stored.entry.signal.type === 'session:idle')
      await store.inbox.defer(key, {
        until: clock.now() + stored.entry.signal.afterMs,
        reason: 'in-use',
        isTry: false,
      });
    else if (stored.entry.signal.type === 'wait:registered' && engine.state.status !== 'active')
      await store.inbox.defer(key, { until: null, reason: 'session-over' });
    else if (read === null) await store.inbox.defer(key, { until: null, reason: 'not-for-a-conversation' });
    else if ('turn' in read) {
      const outcome = await host.takeTurn(read.turn, { key, call: callFor(stored) });
      if (outcome === 'taken') await engine.keep();
      else if (outcome === 'duplicate') await store.inbox.withdraw(key);
      else if (engine.state.status === 'active') return false;
      else await store.inbox.defer(key, { until: null, reason: 'session-over' });
    } else {
      const fold = (): unknown =>
        engine.dispatch({ signal: read.signal, inputKeys: [key], others, call: callFor(stored) });
      if (!(await isFolded(fold, stored))) return true;
      await engine.keep();
      await host.goOn(stored.entry.signal);
    }
    return true;
  };
  /** Returns the call that is promised to a listener in case they are cut off. */
  const callFor = ({ entry }: StoredEntry): InboxEntry | null =>
    host.isHeard ? callIfCutOff(entry, clock.now()) : null;
  /** Returns the host's own wait, unknown to the kernel, that the signal opens or settles. */
  const hostsWait = async (signal: OutsideSignal): Promise<readonly Effect[]> => {
    if (signal.type === 'wait:registered') {
      const { key, wait, payload, deadline } = signal;
      const rest = { key, kind: 'wait', state: 'intended', node: '', visit: 0, payload: { ...payload, wait } };
      const effect = { ...rest, ...(deadline === undefined ? {} : { deadline }) } as unknown as Effect; // Created by a host.
      const isKnown = (await store.effects.list(sessionId)).some((one) => one.key === key);
      return isKnown ? [] : [effect];
    }
    if (signal.type !== 'wait:resolved' && signal.type !== 'wait:expired') return [];
    if (openEffect(engine.state, signal.key) !== undefined) return [];
    const kept = (await store.effects.list(sessionId)).find(({ key }) => key === signal.key);
    if (kept?.kind !== 'wait' || kept.node !== '' || kept.state !== 'intended') return [];
    return signal.type === 'wait:expired'
      ? [{ ...kept, state: 'failed' }]
      : [{ ...kept, state: 'done', result: signal.resolution }];
  };
  /** A fold that throws is a fault of the entry or the flow, so it must not block other entries. */
  const isFolded = async (fold: () => unknown, stored: StoredEntry): Promise<boolean> => {
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
      /** Entries were posted since the inbox was last read. */
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
        const due = isStopped ? null : await store.inbox.nextDue(sessionId);
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
      const stopWatching = store.inbox.watch((posted) => {
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

/** Whether the entry is moot once its person is connected: a call to make, or the start of the session. */
function isCall({ type }: OutsideSignal): boolean {
  return type === 'call:due' || type === 'session:started';
}

/** Whether the entry is for a process without the session: a call to make, or the outcome of the ended session. */
function isAfterCall({ type }: OutsideSignal): boolean {
  return type === 'call:due' || type === 'outcome:due' || type === 'outcome:ready';
}

/** Defers an entry that could not be taken, each time for longer. After the last attempt it becomes a dead letter. */
export async function putOff(
  store: Store,
  clock: Clock,
  { entry, attempts }: StoredEntry,
  reason: string,
): Promise<void> {
  const isLast = attempts + 1 >= mostAttempts;
  await store.inbox.defer(entry.key, { until: isLast ? null : clock.now() + firstPauseMs * 4 ** attempts, reason });
}
