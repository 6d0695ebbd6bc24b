import type { Effect, EffectKey } from '../../model/effect.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import type { Lookup } from '../../flow/expression/path.ts';
import type { TaskNode, TaskPart } from '../../flow/graph/task-graph.ts';
import type { Hub } from '../../model/ports/hub.ts';
import type { AttemptOutcome, Surroundings } from './attempt.ts';
import type { TaskJournal, TaskStream } from './journal.ts';
import type { RunningTask, TasksInside } from './running-task.ts';
import type { TaskScope, TaskSignal } from './step.ts';
import type { RunOutcome, TaskState } from './task-state.ts';
import type { TaskWaits } from './waiting-task.ts';

/** The environment that all tasks of a run share. */
export type TaskWorld = Omit<Surroundings, 'runId' | 'taskId' | 'key' | 'beganAt' | 'hub' | 'runFlow' | 'runBody'> & {
  /** Runs a registered flow for a task at a place in the run. */
  runFlow(name: string, input: JsonObject, place: TaskPlace): Promise<JsonObject>;
  /** Running writes by key, shared by all runs that may execute the same task. */
  readonly writing: Writing;
  /** Waits of tasks for people or events; absent if nothing stores them. */
  readonly waits?: TaskWaits;
  /** Reports the start of an agent run. Returns a function to call at its end. */
  onAgentRun(runId: string, taskId: string): () => void;
};

/** The outcome of an attempt, with the values it kept for the session. */
export interface Attempted {
  readonly outcome: AttemptOutcome;
  readonly kept: ReadonlyMap<string, Json>;
}

export type Writing = Map<EffectKey, Promise<Attempted>>;

/** The position of tasks in a run. */
export interface TaskPlace {
  /** Prefix of their ids: empty, or that of the containing task. */
  readonly prefix: string;
  /** Prefix of their keys. */
  readonly key: EffectKey;
  /** Adds the ids of session and flow run to events. */
  readonly hub: Hub;
  /** Ends the run. */
  readonly signal: AbortSignal;
  /** Nesting depth of flows. */
  readonly depth: number;
  /** Attempt number of the containing task; 0 if there is none. */
  readonly attempt: number;
  /** Absent if nothing is stored. */
  readonly journal?: TaskJournal;
  /** The containing task; absent if there is none. */
  readonly owner?: {
    /** Registers inner tasks. Returns a function to call at their end. */
    add(inside: TasksInside): () => void;
    /** Reports that an inner task began to wait or ended. */
    onStand(): void;
  };
}

/** One run of tasks at one place, mutated as it progresses. */
export interface OneRun {
  readonly scope: TaskScope;
  readonly place: TaskPlace;
  readonly world: TaskWorld;
  /** Absent if nothing is stored. */
  readonly stream: TaskStream | undefined;
  readonly state: TaskState;
  readonly running: Map<TaskNode, RunningTask>;
  /** Running inner runs and functions. A write may outlive the task that started it. */
  readonly inside: Set<Promise<unknown>>;
  /** Tasks whose events were already published: they are repeated as `recovered`, and nothing is done again. */
  readonly toldBefore: Set<string>;
  /** Signals that wait to be folded. */
  readonly signals: TaskSignal[];
  isFolding: boolean;
  /** Time of the signal being folded. */
  at: number;
  /** Attempts to begin, and effects to store, once the signals before them are stored. */
  due: RunningTask[];
  effects: Effect[];
  /** The run was released: nothing more is published or stored. */
  hasLeft: boolean;
  /**
   * Handles the end of an attempt or a wait. `kept` contains its values for the session, `inputKeys` the inbox entries
   * that ended it.
   */
  onTaskEnd(
    one: RunningTask,
    outcome: AttemptOutcome,
    kept?: ReadonlyMap<string, Json>,
    inputKeys?: readonly string[],
  ): void;
  /** Handles a task that began to wait, or whose inner tasks have stopped running. */
  onStand(): void;
  /** Handles the end of all tasks. */
  onRunEnd(outcome: RunOutcome): void;
  /** Runs the body of a task once. */
  runBody(body: TaskPart, names: JsonObject, lookup: Lookup, there: TaskPlace): Promise<JsonObject>;
}
