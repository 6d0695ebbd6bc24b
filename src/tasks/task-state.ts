import type { Json, JsonObject } from '../events/json.ts';

/** How far a task has come. */
export const taskStates = ['waiting', 'ready', 'running', 'done', 'failed', 'skipped'] as const;

export type TaskStatus = (typeof taskStates)[number];

/** Why a task has failed for good. */
export interface TaskFailure {
  readonly code: string;
  /** For the author's logs. */
  readonly message: string;
  readonly attempts: number;
  readonly timedOut: boolean;
}

/** How a run has ended: all that could run has run, a failure that nobody handled, or somebody ended it. */
export type RunOutcome = 'complete' | 'failed' | 'aborted';

/** All that is known of a run, which changes in place. Tasks are known by their places in the graph. */
export interface TaskState {
  phase: 'new' | 'running' | RunOutcome;
  /** Set once no further task may begin: what the run ends as when the writes under way have settled. */
  ending: RunOutcome | null;
  /** Places in `taskStates`. */
  readonly tasks: Uint8Array;
  /** How many of the edges that lead to each task are still to be decided. */
  readonly pending: Uint32Array;
  /** 1 where an edge that leads to the task has fired. */
  readonly fired: Uint8Array;
  readonly attempts: Uint8Array;
  /** Tasks that may run, in the order in which they became ready; those before `begun` have begun. */
  queue: readonly number[];
  begun: number;
  running: number;
  /** Failures that no `continue_on_error` has handled, by place. */
  failures: readonly (readonly [task: number, failure: TaskFailure])[];
  outputs: Outputs;
}

export function newTaskState(tasks: number): TaskState {
  return {
    phase: 'new',
    ending: null,
    tasks: new Uint8Array(tasks),
    pending: new Uint32Array(tasks),
    fired: new Uint8Array(tasks),
    attempts: new Uint8Array(tasks),
    queue: [],
    begun: 0,
    running: 0,
    failures: [],
    outputs: [],
  };
}

/** Outputs by place, in pieces, so that one more copies little: what was known at a moment stays as it was. */
type Outputs = readonly (readonly (Json | undefined)[] | undefined)[];

const pieceBits = 6;

export function outputOf(outputs: Outputs, task: number): Json | undefined {
  return outputs[task >>> pieceBits]?.[task & ((1 << pieceBits) - 1)];
}

/** The outputs so far by the ids of their tasks, which are given by place. */
export function outputsByName(
  tasks: readonly { readonly id: string }[],
  state: Pick<TaskState, 'outputs'>,
): JsonObject {
  // fromEntries defines own properties, so that an id such as __proto__ is an ordinary one.
  return Object.fromEntries(
    tasks.flatMap(({ id }, place) => {
      const output = outputOf(state.outputs, place);
      return output === undefined ? [] : [[id, output]];
    }),
  );
}

export function withOutput(outputs: Outputs, task: number, output: Json): Outputs {
  const copy = [...outputs];
  const piece = [...(copy[task >>> pieceBits] ?? [])];
  piece[task & ((1 << pieceBits) - 1)] = output;
  copy[task >>> pieceBits] = piece;
  return copy;
}
