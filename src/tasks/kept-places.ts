import type { EffectKey } from '../events/effect.ts';
import type { Json } from '../events/json.ts';
import type { AttemptDone, AttemptFailed, TasksReopened, TasksStarted } from '../events/task-signal.ts';
import type { Signal } from '../events/signal.ts';

type Attempt = AttemptDone | AttemptFailed;

/** What is kept of the tasks at one place. */
export interface KeptPlace {
  readonly started: TasksStarted;
  readonly attempts: Attempt[];
  /** How tasks ended before they began again: attempts that failed, and then the one that did not, by id. */
  readonly before: ReadonlyMap<string, readonly Attempt[]>;
  /** It is open again, and has not begun yet. */
  readonly isReopening: boolean;
}

/** What of a log can still be gone on with, and what was kept for the session. */
export function readPlaces(log: readonly Signal[]) {
  const places = new Map<EffectKey, KeptPlace>();
  const values = new Map<string, Json>();
  const settled = new Set<EffectKey>();
  for (const signal of log) {
    if (signal.type === 'tasks:started')
      places.set(signal.place, { started: signal, attempts: [], before: new Map(), isReopening: false });
    else if (signal.type === 'tasks:reopened') reopenPlaces(places, signal, true);
    else if (signal.type === 'batch:settled') for (const { key } of signal.calls) settled.add(key);
    else if (signal.type === 'effect:settled') settled.add(signal.key);
    if (signal.type !== 'attempt:done' && signal.type !== 'attempt:failed') continue;
    places.get(signal.place)?.attempts.push(signal);
    for (const [key, value] of Object.entries(signal.kept ?? {})) values.set(key, value);
  }
  for (const place of places.keys()) if (isWithin(place, settled)) places.delete(place);
  return { places, values };
}

/** Opens a place and all below it again; `isKept`: the place itself has begun so. */
export function reopenPlaces(
  places: Map<EffectKey, KeptPlace>,
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
        // What runs them begins again with its first attempt.
        attempt: started.attempt === 0 ? 0 : 1,
        taskFlow: isItself ? taskFlow : started.taskFlow,
      },
      attempts: [],
      before,
      isReopening: !(isItself && isKept),
    });
  }
}

/** Calls that a crash has cut off, and that nobody runs again under their own keys: a write's intent is kept. */
export function lostCalls(log: readonly Signal[], places: ReadonlyMap<EffectKey, KeptPlace>): TasksStarted[] {
  const writes = new Set(log.flatMap((signal) => (signal.type === 'tool:called' ? signal.key : [])));
  return [...places.values()].flatMap(({ started }) =>
    started.attempt === 0 && started.taskFlow !== null && !writes.has(started.place) ? started : [],
  );
}

/** Whether the place is one of these keys, or stands below one. */
function isWithin(place: EffectKey, keys: ReadonlySet<EffectKey>): boolean {
  for (let key = place; key !== ''; key = key.slice(0, Math.max(0, key.lastIndexOf('/'))))
    if (keys.has(key)) return true;
  return false;
}
