import type { Effect, Waiting } from '../events/effect.ts';
import type { OutsideSignal } from '../events/inbox.ts';
import type { Store } from '../ports/store.ts';
import type { Clock } from '../ports/time.ts';
import { endedBy, type TaskWaits } from '../tasks/waiting-task.ts';

type Settled = Extract<OutsideSignal, { type: 'effect:settled' }>;

/** More entries than a run has waits. */
const looked = 1_000;

/** The waits of a run that a store keeps: what has come for them stands in its inbox. */
export function createTaskWaits(parts: {
  readonly store: Store;
  readonly sessionId: string;
  readonly clock: Clock;
  /** Keeps that an effect was performed by somebody else, and that the entry which tells it was taken. */
  readonly settle: (signal: Settled, inputKey: string) => void;
}): TaskWaits {
  const { store, sessionId, clock, settle } = parts;
  const open = new Map<string, { readonly wait: Waiting; readonly onEnd: Parameters<TaskWaits['begin']>[1] }>();
  return {
    begin(wait, onEnd) {
      open.set(wait.key, { wait, onEnd });
      return () => void open.delete(wait.key);
    },
    async look() {
      let hasEnded = false;
      for (const { entry } of await store.dueEntries({ sessionId, dueBy: clock.now(), limit: looked })) {
        const { key, signal } = entry;
        if (signal.type === 'effect:settled') {
          settle(signal, key);
          continue;
        }
        const found = 'key' in signal ? open.get(signal.key) : undefined;
        const outcome = found === undefined ? null : endedBy(found.wait, signal, clock.now());
        if (found === undefined || outcome === null) {
          await store.deferEntry(key, null, found === undefined ? 'wait-over' : 'unfit');
          continue;
        }
        open.delete(found.wait.key);
        hasEnded = true;
        found.onEnd(outcome, key);
      }
      return hasEnded;
    },
  };
}

/** An effect of a run as somebody else has performed it. */
export function settledBy(effect: Effect, { state, result, error }: Settled): Effect {
  const told = state === 'done' ? result : error;
  return { ...effect, state, ...(told === undefined ? {} : { result: told }) };
}
