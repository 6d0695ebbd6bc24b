import { FlowError } from '../../model/errors.ts';
import type { Effect, EffectKey, Waiting } from '../../model/effect.ts';
import type { OutsideSignal, Reach } from '../../model/inbox.ts';
import type { WaitExpired } from '../../model/signals/people-signal.ts';
import { isWaiting } from '../../kernel/state/draft.ts';
import type { Store } from '../../model/ports/store.ts';
import type { Clock } from '../../model/ports/time.ts';
import { endedBy, goneOn, type TaskWaits, type WaitEnd, type WaitLimits } from '../../engine/tasks/waiting-task.ts';

type Settled = Extract<OutsideSignal, { type: 'effect:settled' }>;

/** More entries than a run has waits. */
const looked = 1_000;

/** The process that runs it stays for a wait that ends by itself within this time, in milliseconds. */
const soonMs = 10_000;

/** How long after a store failure to retry, in milliseconds. */
const askAgainMs = 5_000;

/** The waits of a stored run. */
export interface KeptWaits extends TaskWaits {
  /** Records the current state of an effect of the run. */
  note(effect: Effect): void;
  /** Returns how to reach a person with the outcome if there is no listener, as set by the last wait. */
  reach(): Reach;
  /** Stops listening to the inbox. */
  stop(): void;
}

export interface KeptWaitsParts {
  readonly store: Pick<Store, 'inbox'>;
  readonly sessionId: string;
  readonly clock: Clock;
  /** Stores an event that does not end a wait: a performed effect, or a passed deadline. */
  readonly keep: (
    signal: (Settled & { readonly at: number }) | WaitExpired,
    effects: readonly Effect[],
    key: string,
  ) => void;
  /** Whether an attached channel may publish events. */
  readonly mayHear: () => boolean;
  /** The store is closed, so the run will receive nothing. */
  readonly breakOff: (error: unknown) => void;
}

interface OpenWait {
  wait: Waiting;
  readonly limits: WaitLimits;
  readonly onEnd: (end: WaitEnd, inputKey: string) => void;
}

/** Creates the waits of a stored run. Their answers arrive in its inbox; a running run takes them at once. */
export function createTaskWaits({ store, sessionId, clock, keep, mayHear, breakOff }: KeptWaitsParts): KeptWaits {
  const open = new Map<EffectKey, OpenWait>();
  /** All waits and messages of the run so far, by key. */
  const known = new Map<EffectKey, Effect>();
  /** Entries that were taken and whose commit may be running. */
  const taken = new Set<string>();
  let looking: Promise<boolean> = Promise.resolve(false);
  let stopWatching: (() => void) | null = null;
  let cancelTimer = (): void => undefined;
  let isStopped = false;

  /** Returns true if a wait has ended. */
  const take = async (key: string, signal: OutsideSignal): Promise<boolean> => {
    if (signal.type === 'wait:registered') {
      // A run does not wait for it; a host uses a node for that.
      await store.inbox.defer(key, { until: null, reason: 'not-for-a-run' });
      return false;
    }
    if (signal.type === 'session:left') {
      await store.inbox.withdraw(key);
      return false;
    }
    if (signal.type === 'effect:settled') {
      const effect = known.get(signal.key);
      keep({ ...signal, at: clock.now() }, effect === undefined ? [] : [settledBy(effect, signal)], key);
      return false;
    }
    const found = 'key' in signal ? open.get(signal.key) : undefined;
    if (found !== undefined && signal.type === 'wait:expired') {
      const notices = [...known.keys()].filter((one) => one.startsWith(`${found.wait.key}/notify`)).length;
      const next = goneOn(found.wait, clock.now(), notices + 1, found.limits);
      if (next !== null) {
        found.wait = next.wait;
        keep({ ...signal, at: clock.now() }, [next.wait, ...(next.message === null ? [] : [next.message])], key);
        return false;
      }
    }
    const outcome = found === undefined ? null : endedBy(found.wait, signal, clock.now());
    if (found === undefined || outcome === null) {
      await store.inbox.defer(key, { until: null, reason: found === undefined ? 'wait-over' : 'unfit' });
      return false;
    }
    open.delete(found.wait.key);
    found.onEnd({ by: signal.type === 'wait:expired' ? signal.type : 'wait:resolved', outcome }, key);
    return true;
  };
  const takeDue = async (): Promise<boolean> => {
    let hasEnded = false;
    for (const { entry } of await store.inbox.listDue({ sessionId, dueBy: clock.now(), limit: looked })) {
      if (isStopped) break;
      if (taken.has(entry.key)) continue;
      taken.add(entry.key);
      if (await take(entry.key, entry.signal)) hasEnded = true;
    }
    return hasEnded;
  };
  /** One at a time, so that an entry is taken once. */
  const look = (): Promise<boolean> => (looking = looking.then(takeDue, takeDue));
  const wakeIn = (delayMs: number): void => {
    cancelTimer();
    if (!isStopped) cancelTimer = clock.schedule(Math.max(delayMs, 0), () => void wake());
  };
  const wake = async (): Promise<void> => {
    try {
      await look();
      const due = isStopped || open.size === 0 ? null : await store.inbox.nextDue(sessionId);
      if (due !== null) wakeIn(Math.max(due - clock.now(), lookAgainMs));
    } catch (error) {
      // The next commit reports a store that may recover.
      if (error instanceof FlowError && error.code === 'store-closed') breakOff(error);
      else wakeIn(askAgainMs);
    }
  };

  return {
    stand(base) {
      const before = [...known.values()].filter(
        ({ key, kind }) => kind === 'wait' && (key === base || key.startsWith(`${base}~`)),
      );
      const still = before.find(({ state }) => state === 'intended' || state === 'started');
      if (still !== undefined) return { key: still.key, open: still as Waiting }; // Waits of runs are all of this kind.
      return { key: before.length === 0 ? base : `${base}~${before.length + 1}`, open: null };
    },
    begin(wait, limits, onEnd) {
      open.set(wait.key, { wait, limits, onEnd });
      stopWatching ??= store.inbox.watch((posted) => {
        if (posted === null || posted === sessionId) void wake();
      });
      if (wait.deadline !== undefined) wakeIn(wait.deadline - clock.now());
      return () => void open.delete(wait.key);
    },
    look,
    isSoonOver: () =>
      [...open.values()].some(({ wait: { payload, deadline = Infinity } }) => {
        if (payload.event !== undefined && payload.to === null && mayHear()) return true;
        return payload.policy === null && deadline - clock.now() <= soonMs;
      }),
    note(effect) {
      if (effect.kind === 'wait' || effect.kind === 'message') known.set(effect.key, effect);
    },
    reach: () => [...known.values()].findLast(isWaiting)?.payload.reach ?? 'wait',
    stop() {
      isStopped = true;
      cancelTimer();
      stopWatching?.();
    },
  };
}

/** How soon a due entry that was not taken is looked at again, in milliseconds. */
const lookAgainMs = 50;

/** Returns an effect of a run with the outcome that another process reported. */
function settledBy(effect: Effect, { state, result, error }: Settled): Effect {
  const told = state === 'done' ? result : error;
  return { ...effect, state, ...(told === undefined ? {} : { result: told }) };
}
