import { FlowError } from '../errors.ts';
import type { Effect, EffectKey } from '../events/effect.ts';
import type { EventType } from '../events/event.ts';
import type { FlowRef } from '../events/flow-ref.ts';
import type { Json, JsonObject } from '../events/json.ts';
import type { AttemptDone, AttemptFailed, TaskLogSignal, TasksReopened, TasksStarted } from '../events/task-signal.ts';
import type { Signal } from '../events/signal.ts';
import { hashOf } from '../graph/hash.ts';
import type { TaskGraph } from '../graph/task-graph.ts';
import { type KeptPlace, lostCalls, readPlaces, reopenPlaces } from './kept-places.ts';
import { changedTask } from './still-stands.ts';

/** How an attempt has ended. */
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
  /**
   * The version of a flow that runs at a place: the one that has begun there, where that is kept. Where it begins there, or
   * begins again, it is the one there is now, which is kept. Throws `flow-changed` where what was done does not stand in it.
   */
  versionAt(place: EffectKey, now: TaskGraph): TaskGraph;
  /** What the tasks have kept for the session, by key. */
  readonly values: Map<string, Json>;
}

/** The journal of the tasks at one place. */
export interface TaskStream {
  /** When they began, in epoch milliseconds, and the attempts that have ended since; null where none are kept. */
  readonly kept: { readonly at: number; readonly attempts: readonly Attempt[] } | null;
  /** Where tasks begin again: how each one ended before that, which is how it ends now, unless that is to be tried again. */
  readonly before: ReadonlyMap<string, readonly Attempt[]>;
  /** They begin again at this place, which is still to be kept by `reopen`. */
  readonly isReopening: boolean;
  /** Folds what is kept. */
  replay(fold: () => void): void;
  /** Whether that is being folded. */
  readonly isReplaying: boolean;
  /**
   * Whether a task's story, which begins as what is kept is folded, was told before. `ends` is how it ends, where that is
   * known as it begins. It was not where the run was broken off before the task began, or where it is tried again.
   */
  wasTold(task: string, taskId: string, ends?: ToldEnd): boolean;
  /** Keeps that the tasks begin. `isOver`: they have ended by that. */
  start(at: number, intended: readonly Effect[], isOver: boolean): void;
  /** Keeps that they begin again. */
  reopen(at: number, intended: readonly Effect[]): void;
  /**
   * Keeps how an attempt has ended, and what is to be done next; not any more once they begin here again. `isOver`: they
   * have ended by that.
   */
  add(attempt: Attempt, effects: readonly Effect[], inputKeys: readonly string[], isOver: boolean): void;
  /** Resolves when all attempts so far are durable; never where they cannot be. */
  settled(): Promise<void>;
  /** The same, but also for what begins. */
  keep(): Promise<void>;
  /** The value as the store would give it back. Throws `state-not-json`, with its path below `place`. */
  copy(value: Json, place: string): Json;
}

/** How the story of a task ends. */
export type ToldEnd = 'task:complete' | 'task:failed' | 'task:skipped';

/** Where a journal is kept. */
export interface JournalSink {
  /** What begins may wait for the next attempt, and the last of a whole run (`isLast`) for its end. */
  add(signal: TaskLogSignal, effects: readonly Effect[], inputKeys?: readonly string[], isLast?: boolean): void;
  settled(): Promise<void>;
  keep(): Promise<void>;
  copy(value: Json, place: string): Json;
  /** Keeps a version of a flow, so that the tasks that begin in it can go on in it. */
  keepGraph?(graph: TaskGraph): void;
  /** The tasks cannot go on: the store does not take them, or they are others than those it has kept. */
  breakOff(error: unknown): void;
}

/** How a journal is read. */
export interface JournalOptions {
  /** They are a session of their own, and not inside of a conversation. */
  readonly isAlone: boolean;
  /** They are to begin again. */
  readonly reopened?: TasksReopened | null;
  /** The versions of flows that are kept, by hash. */
  readonly graphs?: ReadonlyMap<string, TaskGraph>;
  /** The event of each task that was told last, by task id; absent where what is kept was told as it was kept. */
  readonly told?: ReadonlyMap<string, EventType>;
}

export function createTaskJournal(log: readonly Signal[], sink: JournalSink, options: JournalOptions): TaskJournal {
  const { isAlone, reopened = null, graphs, told } = options;
  const { places, values } = readPlaces(log);
  if (reopened !== null) reopenPlaces(places, reopened, false);
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
    versionAt(place, now) {
      const found = places.get(place);
      const was = graphs?.get(found?.started.taskFlow?.hash ?? '');
      if (found === undefined || was === undefined || was.hash === now.hash) sink.keepGraph?.(now);
      else if (!found.isReopening) return was;
      else {
        assertStands(was, now, place, places);
        sink.keepGraph?.(now);
        const taskFlow = { id: now.name, hash: now.hash };
        places.set(place, { ...found, started: { ...found.started, taskFlow } });
      }
      return now;
    },
    begin({ place, attempt, taskFlow, given, failFast, concurrency }) {
      const found = places.get(place) ?? null;
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
      const again = new Set(reopened?.place === place ? reopened.again : []);
      const ended = new Set(kept?.attempts.map(({ task }) => task));
      const stream: TaskStream = {
        kept: kept && { at: kept.started.at, attempts: kept.attempts },
        before: kept?.before ?? nothingBefore,
        isReopening: kept?.isReopening ?? false,
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
        wasTold(task, taskId, ends) {
          if (!isReplaying || again.has(task)) return false;
          if (told === undefined) return true;
          const last = told.get(taskId);
          if (ends !== undefined) return last === ends;
          return ended.has(task) || last === 'task:start' || last === 'task:retry' || last === 'task:overdue';
        },
        start(at, intended, isOver) {
          const run = isAlone && attempt === 0 ? { run: { given, failFast, concurrency } } : {};
          const begun = { type: 'tasks:started', at, place, taskFlow, givenHash, attempt, ...run } as const;
          sink.add(begun, intended, [], isOver && attempt === 0);
        },
        reopen(at, intended) {
          sink.add({ type: 'tasks:reopened', at, place, taskFlow, again: [...again] }, intended);
        },
        add(one, effects, inputKeys, isOver) {
          if (current.get(place) === stream) sink.add(one, effects, inputKeys, isOver && attempt === 0);
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

const nothingBefore: KeptPlace['before'] = new Map();

/** Throws `flow-changed` where a task that is done is another one in the version there is now. */
export function assertStands(
  was: TaskGraph,
  now: TaskGraph,
  place: EffectKey,
  places: ReadonlyMap<EffectKey, KeptPlace>,
): void {
  const changed = changedTask(
    { part: was, document: was.document },
    { part: now, document: now.document },
    place,
    places,
  );
  if (changed === null) return;
  throw new FlowError(
    'flow-changed',
    `task "${changed}" of flow "${was.name}" is done, or has led to what is done, and is another one now. Put it back as it was, or begin anew under another id.`,
  );
}

function differenceOf(started: KeptPlace['started'], taskFlow: FlowRef | null, givenHash: string): FlowError | null {
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
