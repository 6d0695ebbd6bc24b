import type { EffectKey } from '../../model/effect.ts';
import type { Json } from '../../model/json.ts';
import type { AttemptDone, AttemptFailed, TasksReopened, TasksStarted } from '../../model/signals/task-signal.ts';
import type { Signal } from '../../model/signals/signal.ts';

type Attempt = AttemptDone | AttemptFailed;

/** The stored state of the tasks at one place. */
export interface StoredTask {
  readonly started: TasksStarted;
  readonly attempts: Attempt[];
  /** Earlier ends of tasks before a reopening, by id: failed attempts, then the successful one. */
  readonly before: ReadonlyMap<string, readonly Attempt[]>;
  /** The place was reopened and has not started yet. */
  readonly isReopening: boolean;
}

/** Returns the places of a log that can continue, and the values kept for the session. */
export function readStoredTasks(log: readonly Signal[]) {
  const places = new Map<EffectKey, StoredTask>();
  const values = new Map<string, Json>();
  const settled = new Set<EffectKey>();
  for (const signal of log) {
    if (signal.type === 'tasks:started')
      places.set(signal.place, { started: signal, attempts: [], before: new Map(), isReopening: false });
    else if (signal.type === 'tasks:reopened') reopenStoredTasks(places, signal, true);
    else if (signal.type === 'batch:settled') for (const { key } of signal.calls) settled.add(key);
    else if (signal.type === 'effect:settled') settled.add(signal.key);
    if (signal.type !== 'attempt:done' && signal.type !== 'attempt:failed') continue;
    places.get(signal.place)?.attempts.push(signal);
    for (const [key, value] of Object.entries(signal.kept ?? {})) values.set(key, value);
  }
  for (const place of places.keys()) if (isWithin(place, settled)) places.delete(place);
  return { places, values };
}

/** Reopens a place and all places below it. `isKept`: the place itself has started again. */
export function reopenStoredTasks(
  places: Map<EffectKey, StoredTask>,
  { at, place, taskFlow, again }: TasksReopened,
  isKept: boolean,
): void {
  for (const [key, { started, attempts, before: earlier }] of places) {
    if (!isWithin(key, new Set([place])) && !key.startsWith(`${place}.`)) continue;
    const isItself = key === place;
    const before = new Map(earlier);
    for (const attempt of attempts) {
      const known = before.get(attempt.task) ?? [];
      before.set(attempt.task, [...known, attempt]);
    }
    if (isItself) for (const task of again) before.delete(task);
    places.set(key, {
      started: {
        ...started,
        at,
        // The containing task starts again with its first attempt.
        attempt: started.attempt === 0 ? 0 : 1,
        taskFlow: isItself ? taskFlow : started.taskFlow,
      },
      attempts: [],
      before,
      isReopening: !(isItself && isKept),
    });
  }
}

/**
 * Returns calls that a crash cut off and that do not run again under their keys. A write's intent is stored, so writes
 * are excluded.
 */
export function lostCalls(log: readonly Signal[], places: ReadonlyMap<EffectKey, StoredTask>): TasksStarted[] {
  const writes = new Set(log.flatMap((signal) => (signal.type === 'tool:called' ? signal.key : [])));
  return [...places.values()].flatMap(({ started }) =>
    started.attempt === 0 && started.taskFlow !== null && !writes.has(started.place) ? started : [],
  );
}

/** Checks whether a place is one of these keys or below one. */
function isWithin(place: EffectKey, keys: ReadonlySet<EffectKey>): boolean {
  for (let key = place; key !== ''; key = key.slice(0, Math.max(0, key.lastIndexOf('/'))))
    if (keys.has(key)) return true;
  return false;
}
