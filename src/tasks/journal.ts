import { FlowError } from '../errors.ts';
import type { Effect, EffectKey } from '../events/effect.ts';
import type { FlowRef } from '../events/flow-ref.ts';
import type { Json, JsonObject } from '../events/json.ts';
import type { AttemptDone, AttemptFailed, Signal, TaskLogSignal, TasksStarted } from '../events/signal.ts';
import { hashOf } from '../graph/hash.ts';

export type Attempt = AttemptDone | AttemptFailed;

/** Tasks that begin at a place. */
export interface BeginningTasks extends Pick<TasksStarted, 'place' | 'attempt'> {
  /** Null for the body of a task. */
  readonly taskFlow: FlowRef | null;
  readonly given: JsonObject;
  readonly failFast: boolean;
  readonly concurrency: number;
}

/** What is kept of tasks as they run, so that another process goes on with them. */
export interface TaskJournal {
  /**
   * Tasks begin. Throws `flow-gone` or `tasks-differ` where others are kept of this place, and attempt, than those that
   * begin now.
   */
  begin(tasks: BeginningTasks): TaskStream;
  /**
   * The key under which a call runs its task flow: its own, or that of a call shortly before a crash, whose answer nobody
   * has heard, if that ran the same flow on the same input. So what a model asks for again is not done again.
   */
  placeOf(call: EffectKey, taskFlow: FlowRef, given: JsonObject, now: number): EffectKey;
  /** What the tasks have kept for the session, by key. */
  readonly values: Map<string, Json>;
}

/** The journal of the tasks at one place. */
export interface TaskStream {
  /** When they began, in epoch milliseconds, and the attempts that have ended since; null where none are kept. */
  readonly kept: { readonly at: number; readonly attempts: readonly Attempt[] } | null;
  /** Folds what is kept. */
  replay(fold: () => void): void;
  /** Whether that is being folded: what is told meanwhile was told before. */
  readonly isReplaying: boolean;
  /** Keeps that the tasks begin. */
  start(at: number, intended: readonly Effect[]): void;
  /** Keeps how an attempt has ended, and what is to be done next; not any more once they begin here again. */
  add(attempt: Attempt, effects: readonly Effect[]): void;
  /** Resolves when all attempts so far are durable; never where they cannot be. */
  settled(): Promise<void>;
  /** The same, but also for what begins. */
  keep(): Promise<void>;
  /** The value as the store would give it back. Throws `state-not-json`, with its path below `place`. */
  copy(value: Json, place: string): Json;
}

/** Where a journal is kept. */
export interface JournalSink {
  /** What begins may wait for the next attempt. */
  add(signal: TaskLogSignal, effects: readonly Effect[]): void;
  settled(): Promise<void>;
  keep(): Promise<void>;
  copy(value: Json, place: string): Json;
  /** The tasks cannot go on: the store does not take them, or they are others than those it has kept. */
  breakOff(error: unknown): void;
}

/** `isAlone`: they are a session of their own, and not inside of a conversation. */
export function createTaskJournal(log: readonly Signal[], sink: JournalSink, isAlone: boolean): TaskJournal {
  const { places, values } = read(log);
  const lost = isAlone ? [] : lostCalls(log, places);
  /** The stream of each place that began last. */
  const current = new Map<EffectKey, TaskStream>();
  /** Whoever waits for what cannot be kept is not told: all of them end. */
  const unlessBroken = (kept: Promise<void>): Promise<void> =>
    kept.catch((error: unknown) => {
      sink.breakOff(error);
      return new Promise(() => undefined);
    });
  return {
    values,
    begin({ place, attempt, taskFlow, given, failFast, concurrency }) {
      const found = places.get(place);
      // Who begins here again begins anew.
      places.delete(place);
      const kept = found?.started.attempt === attempt ? found : null;
      const givenHash = hashOf(given);
      let isReplaying = false;
      if (kept !== null) {
        const error = differenceOf(kept.started, taskFlow, givenHash);
        if (error !== null) {
          sink.breakOff(error);
          throw error;
        }
      }
      const stream: TaskStream = {
        kept: kept && { at: kept.started.at, attempts: kept.attempts },
        replay(fold) {
          isReplaying = true;
          try {
            fold();
          } finally {
            isReplaying = false;
          }
        },
        get isReplaying() {
          return isReplaying;
        },
        start(at, intended) {
          const run = isAlone && attempt === 0 ? { run: { given, failFast, concurrency } } : {};
          sink.add({ type: 'tasks:started', at, place, taskFlow, givenHash, attempt, ...run }, intended);
        },
        add(one, effects) {
          if (current.get(place) === stream) sink.add(one, effects);
        },
        settled: () => unlessBroken(sink.settled()),
        keep: () => unlessBroken(sink.keep()),
        copy: (value, at) => sink.copy(value, at),
      };
      current.set(place, stream);
      return stream;
    },
    placeOf(call, taskFlow, given, now) {
      const givenHash = hashOf(given);
      const index = lost.findIndex(
        (one) => one.taskFlow?.hash === taskFlow.hash && one.givenHash === givenHash && now - one.at <= lostForMs,
      );
      const [found] = places.has(call) || index < 0 ? [] : lost.splice(index, 1);
      return found?.place ?? call;
    },
  };
}

/** How long what a lost call has read is true enough for the call that asks for it again, in milliseconds. */
const lostForMs = 300_000;

interface KeptPlace {
  readonly started: TasksStarted;
  readonly attempts: Attempt[];
}

/** What of a log can still be gone on with, and what was kept for the session. */
function read(log: readonly Signal[]) {
  const places = new Map<EffectKey, KeptPlace>();
  const values = new Map<string, Json>();
  const settled = new Set<EffectKey>();
  for (const signal of log) {
    if (signal.type === 'tasks:started') places.set(signal.place, { started: signal, attempts: [] });
    else if (signal.type === 'batch:settled') for (const { key } of signal.calls) settled.add(key);
    else if (signal.type === 'effect:settled') settled.add(signal.key);
    if (signal.type !== 'attempt:done' && signal.type !== 'attempt:failed') continue;
    places.get(signal.place)?.attempts.push(signal);
    for (const [key, value] of Object.entries(signal.kept ?? {})) values.set(key, value);
  }
  for (const place of places.keys()) if (isWithin(place, settled)) places.delete(place);
  return { places, values };
}

/** Whether the place is one of these keys, or stands below one. */
function isWithin(place: EffectKey, keys: ReadonlySet<EffectKey>): boolean {
  for (let key = place; key !== ''; key = key.slice(0, Math.max(0, key.lastIndexOf('/'))))
    if (keys.has(key)) return true;
  return false;
}

/** Calls that a crash has cut off, and that nobody runs again under their own keys: a write's intent is kept. */
function lostCalls(log: readonly Signal[], places: ReadonlyMap<EffectKey, KeptPlace>): TasksStarted[] {
  const writes = new Set(log.flatMap((signal) => (signal.type === 'tool:called' ? signal.key : [])));
  return [...places.values()].flatMap(({ started }) =>
    started.attempt === 0 && started.taskFlow !== null && !writes.has(started.place) ? started : [],
  );
}

function differenceOf(started: TasksStarted, taskFlow: FlowRef | null, givenHash: string): FlowError | null {
  const { place } = started;
  if (started.taskFlow?.hash !== taskFlow?.hash)
    return new FlowError(
      'flow-gone',
      `"${place}" ran another version of flow "${started.taskFlow?.id ?? taskFlow?.id ?? ''}". Go on with that one.`,
    );
  if (started.givenHash === givenHash) return null;
  return new FlowError(
    'tasks-differ',
    `the tasks at "${place}" are given something else than before the crash. Give each what only earlier tasks decide.`,
  );
}
