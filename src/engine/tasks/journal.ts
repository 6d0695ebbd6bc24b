import { FlowError } from '../../model/errors.ts';
import type { Effect, EffectKey } from '../../model/effect.ts';
import type { EventType } from '../../model/events/event.ts';
import type { FlowRef } from '../../model/flow-ref.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import type {
  AttemptDone,
  AttemptFailed,
  TaskLogSignal,
  TasksReopened,
  TasksStarted,
} from '../../model/signals/task-signal.ts';
import type { Signal } from '../../model/signals/signal.ts';
import { hashOf } from '../../flow/graph/hash.ts';
import type { TaskGraph } from '../../flow/graph/task-graph.ts';
import { type StoredTask, lostCalls, readStoredTasks, reopenStoredTasks } from './stored-tasks.ts';
import { changedTask } from './version-compatibility.ts';

/** The end of an attempt. */
export type Attempt = AttemptDone | AttemptFailed;

/** Tasks that start at a place. */
export interface BeginningTasks extends Pick<TasksStarted, 'place' | 'attempt'> {
  /** Null for the body of a task. */
  readonly taskFlow: FlowRef | null;
  readonly given: JsonObject;
  readonly failFast: boolean;
  readonly concurrency: number;
}

/** The durable record of running tasks, from which another process continues. */
export interface TaskJournal {
  /**
   * Starts tasks at a place. Throws `flow-version-missing` or `tasks-differ` if the journal holds other tasks for this place and
   * attempt.
   */
  begin(tasks: BeginningTasks): TaskStream;
  /**
   * Returns the key for a call's task flow: the call's own, or that of a call lost in a recent crash that ran the same
   * flow on the same input. A call that the model repeats is then not performed twice.
   */
  placeOf(call: EffectKey, taskFlow: FlowRef, given: JsonObject, now: number): EffectKey;
  /**
   * Returns the version of the flow at a place: the stored one if it has begun there. If it begins or is reopened
   * there, the current version, which is then stored. Throws `flow-changed` if completed tasks do not match the current
   * version.
   */
  versionAt(place: EffectKey, now: TaskGraph): TaskGraph;
  /** Values that the tasks kept for the session, by key. */
  readonly values: Map<string, Json>;
}

/** The journal of the tasks at one place. */
export interface TaskStream {
  /** Start time in epoch milliseconds, with the attempts that have ended since; null if nothing is stored. */
  readonly kept: { readonly at: number; readonly attempts: readonly Attempt[] } | null;
  /** For a reopened place: the earlier ends of each task, which still apply unless the task runs again. */
  readonly before: ReadonlyMap<string, readonly Attempt[]>;
  /** The place is being reopened, and `reopen` must store that. */
  readonly isReopening: boolean;
  /** Folds the stored attempts. */
  replay(fold: () => void): void;
  /** Whether the stored attempts are being folded. */
  readonly isReplaying: boolean;
  /**
   * Checks whether a task's events were already published before a replay. `ends` is its end event if already known at
   * the start. False if the earlier run stopped before the task began, or if the task runs again.
   */
  wasTold(task: string, taskId: string, ends?: ToldEnd): boolean;
  /** Stores the start of the tasks. `isOver`: they also end with it. */
  start(at: number, intended: readonly Effect[], isOver: boolean): void;
  /** Stores the reopening of the tasks. */
  reopen(at: number, intended: readonly Effect[]): void;
  /**
   * Stores the end of an attempt and the next effects; ignored after the tasks started again here. `isOver`: the tasks
   * also end with it.
   */
  add(attempt: Attempt, effects: readonly Effect[], inputKeys: readonly string[], isOver: boolean): void;
  /** Resolves when all attempts so far are durable; never if the store fails. */
  settled(): Promise<void>;
  /** Like `settled`, but includes starting attempts. */
  keep(): Promise<void>;
  /** Returns a value as the store would. Throws `state-not-json`, with the path below `place`. */
  copy(value: Json, place: string): Json;
}

/** The events that end a task. */
export type ToldEnd = 'task:complete' | 'task:failed' | 'task:skipped';

/** Destination of a journal. */
export interface JournalSink {
  /**
   * Adds a signal. A start may be delayed until the next attempt, and the last signal of a whole run (`isLast`) until
   * its end.
   */
  add(signal: TaskLogSignal, effects: readonly Effect[], inputKeys?: readonly string[], isLast?: boolean): void;
  settled(): Promise<void>;
  keep(): Promise<void>;
  copy(value: Json, place: string): Json;
  /** Stores a version of a flow, so tasks that begin in it can continue in it. */
  keepGraph?(graph: TaskGraph): void;
  /** Reports that the tasks cannot continue: the store fails, or holds different tasks. */
  breakOff(error: unknown): void;
}

/** Options for reading a journal. */
export interface JournalOptions {
  /** The tasks are a standalone session, not part of a conversation. */
  readonly isAlone: boolean;
  /** The tasks are reopened. */
  readonly reopened?: TasksReopened | null;
  /** Stored flow versions, by hash. */
  readonly graphs?: ReadonlyMap<string, TaskGraph>;
  /** The last published event of each task, by task id; absent if events are published when stored. */
  readonly told?: ReadonlyMap<string, EventType>;
}

export function createTaskJournal(log: readonly Signal[], sink: JournalSink, options: JournalOptions): TaskJournal {
  const { isAlone, reopened = null, graphs, told } = options;
  const { places, values } = readStoredTasks(log);
  if (reopened !== null) reopenStoredTasks(places, reopened, false);
  const lost = isAlone ? [] : lostCalls(log, places);
  /** The latest stream of each place. */
  const current = new Map<EffectKey, TaskStream>();
  /** If storing fails, the waiting code is not informed: the whole run ends. */
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
      // A second start at this place starts over.
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

/** How long the reads of a lost call stay valid for its repetition, in milliseconds. */
const lostForMs = 300_000;

const nothingBefore: StoredTask['before'] = new Map();

/** Throws `flow-changed` if the current version defines a completed task differently. */
export function assertStands(
  was: TaskGraph,
  now: TaskGraph,
  place: EffectKey,
  places: ReadonlyMap<EffectKey, StoredTask>,
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
    `task "${changed}" of flow "${was.name}" has completed or led to a completed task, and its definition has changed. Restore it, or start a new run under another id.`,
  );
}

function differenceOf(started: StoredTask['started'], taskFlow: FlowRef | null, givenHash: string): FlowError | null {
  const { place } = started;
  if (started.taskFlow?.hash !== taskFlow?.hash)
    return new FlowError(
      'flow-version-missing',
      `"${place}" ran another version of flow "${started.taskFlow?.id ?? taskFlow?.id ?? ''}". Continue with that version.`,
    );
  if (started.givenHash === givenHash) return null;
  return new FlowError(
    'tasks-differ',
    `the tasks at "${place}" get another input than before the crash. Let their input depend only on earlier tasks.`,
  );
}
