import type { Effect, EffectKey } from '../events/effect.ts';
import type { Json, JsonObject } from '../events/json.ts';
import type { Lookup } from '../expression/path.ts';
import type { TaskNode, TaskPart } from '../graph/task-graph.ts';
import type { Hub } from '../ports/hub.ts';
import type { AttemptOutcome, Surroundings } from './attempt.ts';
import type { TaskJournal, TaskStream } from './journal.ts';
import type { RunningTask, TasksInside } from './running-task.ts';
import type { TaskScope, TaskSignal } from './step.ts';
import type { RunOutcome, TaskState } from './task-state.ts';
import type { TaskWaits } from './waiting-task.ts';

/** What tasks are given of the world, each of them alike. */
export type TaskWorld = Omit<Surroundings, 'runId' | 'taskId' | 'key' | 'beganAt' | 'hub' | 'runFlow' | 'runBody'> & {
  /** Runs a registered flow for a task; `place` is where in the run it stands. */
  runFlow(name: string, input: JsonObject, place: TaskPlace): Promise<JsonObject>;
  /** The writes that are under way, by key. Shared by all that may run the same task. */
  readonly writing: Writing;
  /** Where tasks wait for somebody outside; absent where nothing keeps them meanwhile. */
  readonly waits?: TaskWaits;
  /** Hears of each run of an agent. Returns what is told that it has ended. */
  onAgentRun(runId: string, taskId: string): () => void;
};

/** What became of an attempt, and what it has kept for the session. */
export interface Attempted {
  readonly outcome: AttemptOutcome;
  readonly kept: ReadonlyMap<string, Json>;
}

export type Writing = Map<EffectKey, Promise<Attempted>>;

/** Where in a run tasks stand. */
export interface TaskPlace {
  /** What their ids begin with: empty, or that of the task they are inside of. */
  readonly prefix: string;
  /** What their keys begin with. */
  readonly key: EffectKey;
  /** Its events carry the ids of session and flow run. */
  readonly hub: Hub;
  /** Ends the run. */
  readonly signal: AbortSignal;
  /** How many flows it is inside of. */
  readonly depth: number;
  /** Which attempt of the task that they are inside of; 0 where they are inside of none. */
  readonly attempt: number;
  /** Absent where nothing is kept of them. */
  readonly journal?: TaskJournal;
  /** The task that they are inside of; absent where they are inside of none. */
  readonly owner?: {
    /** They have begun. Returns what is told that they have ended. */
    add(inside: TasksInside): () => void;
    /** Something of them has begun to wait, or has ended. */
    onStand(): void;
  };
}

/** One run of tasks at one place, which changes in place as they go on. */
export interface OneRun {
  readonly scope: TaskScope;
  readonly place: TaskPlace;
  readonly world: TaskWorld;
  /** Absent where nothing is kept of the run. */
  readonly stream: TaskStream | undefined;
  readonly state: TaskState;
  readonly running: Map<TaskNode, RunningTask>;
  /** Runs inside of these and functions, which may outlive the task that has begun them by a write. */
  readonly inside: Set<Promise<unknown>>;
  /** Tasks whose story was told before: it is told again as such, and nothing of it is done again. */
  readonly toldBefore: Set<string>;
  /** What is still to be folded, while something is. */
  readonly signals: TaskSignal[];
  isFolding: boolean;
  /** When what is folded has happened. */
  at: number;
  /** Attempts to begin, and effects to be kept, once what has led to them is. */
  due: RunningTask[];
  effects: Effect[];
  /** It was let go of as it stands: nothing of it is told or kept any more. */
  hasLeft: boolean;
  /**
   * An attempt that takes time, or a wait, has ended. `kept` is what it has kept for the session, `inputKeys` the entries of
   * the inbox that have ended it.
   */
  onTaskEnd(
    one: RunningTask,
    outcome: AttemptOutcome,
    kept?: ReadonlyMap<string, Json>,
    inputKeys?: readonly string[],
  ): void;
  /** A task waits, or nothing inside of one runs any more. */
  onStand(): void;
  /** All of them have ended. */
  onRunEnd(outcome: RunOutcome): void;
  /** Runs the body of a task once. */
  runBody(body: TaskPart, names: JsonObject, lookup: Lookup, there: TaskPlace): Promise<JsonObject>;
}
