import type { Json, JsonObject } from '../../model/json.ts';

/** Progress of a task. */
export const taskStates = ['waiting', 'ready', 'running', 'done', 'failed', 'skipped'] as const;

export type TaskStatus = (typeof taskStates)[number];

/** The final failure of a task. */
export interface TaskFailure {
  readonly code: string;
  /** For the author's logs. */
  readonly message: string;
  readonly attempts: number;
  readonly timedOut: boolean;
}

/** The outcome of a run: everything completed, an unhandled failure, or aborted from outside. */
export type RunOutcome = 'complete' | 'failed' | 'aborted';

/** The state of a run, which is mutated. Tasks are identified by their position in the graph. */
export interface TaskState {
  phase: 'new' | 'running' | RunOutcome;
  /** Set once no further task may begin: the outcome after the running writes have settled. */
  ending: RunOutcome | null;
  /** Indexes into `taskStates`. */
  readonly tasks: Uint8Array;
  /** Number of undecided incoming edges per task. */
  readonly pending: Uint32Array;
  /** 1 if an incoming edge of the task has fired. */
  readonly fired: Uint8Array;
  readonly attempts: Uint8Array;
  /** Ready tasks in order; those before `begun` have begun. */
  queue: readonly number[];
  begun: number;
  running: number;
  /** Failures without `continue_on_error`, by position. */
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

/** Outputs by position, in chunks, so that adding one copies little and snapshots stay unchanged. */
type Outputs = readonly (readonly (Json | undefined)[] | undefined)[];

const pieceBits = 6;

export function outputOf(outputs: Outputs, task: number): Json | undefined {
  return outputs[task >>> pieceBits]?.[task & ((1 << pieceBits) - 1)];
}

/** Returns the outputs so far by task id. */
export function outputsByName(
  tasks: readonly { readonly id: string }[],
  state: Pick<TaskState, 'outputs'>,
): JsonObject {
  // fromEntries defines own properties, so an id such as __proto__ is safe.
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
