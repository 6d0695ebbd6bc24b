import type { FlowRef } from '../../model/flow-ref.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import type { AttemptDone, AttemptFailed, AttemptFailure } from '../../model/signals/task-signal.ts';
import { momentNamed, momentNames, utcTime } from '../../flow/expression/moment.ts';
import type { Lookup } from '../../flow/expression/path.ts';
import { evaluateWhen } from '../../flow/expression/when.ts';
import type { TaskNode, TaskPart } from '../../flow/graph/task-graph.ts';
import {
  outputOf,
  type RunOutcome,
  type TaskFailure,
  type TaskState,
  taskStates,
  type TaskStatus,
  withOutput,
} from './task-state.ts';

/** The tasks of a run and its settings. */
export interface TaskScope extends TaskPart {
  readonly failFast: boolean;
  readonly concurrency: number;
  /** The names known outside the tasks. */
  readonly outer: Lookup;
  /** The flow of the tasks; null for the body of a task. */
  readonly taskFlow: FlowRef | null;
  /** Their input: that of the flow, or the names of the body. */
  readonly given: JsonObject;
  /** Returns the local time for conditions, `YYYY-MM-DDTHH:mm`, at a time in epoch milliseconds; defaults to UTC. */
  readonly civil?: (at: number) => string;
}

/** A signal of a run. Tasks are named by id, so logs are readable. */
export type TaskSignal =
  | { readonly type: 'run:started' }
  | { readonly type: 'run:aborted' }
  | Pick<AttemptDone, 'type' | 'task' | 'result'>
  | Pick<AttemptFailed, 'type' | 'task' | 'error' | 'jitter'>;

/** Effects of a step, in order. */
export type TaskEffect =
  | { readonly type: 'attempt'; readonly task: TaskNode; readonly attempt: number; readonly delayMs: number }
  | { readonly type: 'cancel'; readonly task: TaskNode }
  | { readonly type: 'completed'; readonly task: TaskNode; readonly output: Json }
  | { readonly type: 'failed'; readonly task: TaskNode; readonly failure: TaskFailure; readonly continued: boolean }
  | { readonly type: 'skipped'; readonly task: TaskNode }
  | { readonly type: 'ended'; readonly outcome: RunOutcome };

/**
 * Folds one signal into a run and mutates its state: copying it per signal would make long flows quadratic. Pure
 * otherwise, and total: late or meaningless signals change nothing. `at` is the time of the signal in milliseconds, for
 * conditions.
 */
export function step(scope: TaskScope, state: TaskState, signal: TaskSignal, at: number): readonly TaskEffect[] {
  const fold: Fold = { scope, state, at, effects: [] };
  if (signal.type === 'run:started') {
    if (state.phase === 'new') begin(fold);
  } else if (state.phase === 'running') {
    if (signal.type === 'run:aborted') abort(fold);
    else heed(fold, signal);
  }
  return fold.effects;
}

/** Returns the names that a task can read: outputs by id, then the outer names. */
export function lookupIn({ indexOf, outer }: TaskScope, { outputs }: TaskState): Lookup {
  // Snapshot: later outputs are not visible.
  return (name) => {
    const place = indexOf.get(name);
    return place === undefined ? outer(name) : outputOf(outputs, place);
  };
}

/** Adds the time names for conditions. */
export function lookupAt(lookup: Lookup, at: number, { civil = utcTime }: Pick<TaskScope, 'civil'>): Lookup {
  return (name) => lookup(name) ?? (momentNames.includes(name) ? momentNamed(name, civil(at)) : undefined);
}

/** Returns the scope of a body: its own names, then all names of its owner. */
export function bodyScope(scope: TaskScope, body: TaskPart, lookup: Lookup, names: JsonObject): TaskScope {
  const outer: Lookup = (name) => (Object.hasOwn(names, name) ? names[name] : lookup(name));
  const { concurrency, civil } = scope;
  const zone = civil === undefined ? {} : { civil };
  return { ...body, ...zone, failFast: true, concurrency, outer, taskFlow: null, given: names };
}

const codes: Readonly<Record<TaskStatus, number>> = {
  waiting: taskStates.indexOf('waiting'),
  ready: taskStates.indexOf('ready'),
  running: taskStates.indexOf('running'),
  done: taskStates.indexOf('done'),
  failed: taskStates.indexOf('failed'),
  skipped: taskStates.indexOf('skipped'),
};

interface Fold {
  readonly scope: TaskScope;
  readonly state: TaskState;
  readonly at: number;
  readonly effects: TaskEffect[];
}

function begin(fold: Fold): void {
  const { scope, state } = fold;
  state.phase = 'running';
  state.queue = scope.nodes.flatMap(({ incoming }, place) => (incoming.length === 0 ? place : []));
  for (const [place, { incoming }] of scope.nodes.entries()) state.pending[place] = incoming.length;
  for (const place of state.queue) state.tasks[place] = codes.ready;
  settle(fold);
}

function abort(fold: Fold): void {
  if (fold.state.ending !== null) return;
  stop(fold, 'aborted');
  settle(fold);
}

function heed(fold: Fold, signal: Extract<TaskSignal, { task: string }>): void {
  const { scope, state } = fold;
  const place = scope.indexOf.get(signal.task);
  if (place === undefined || state.tasks[place] !== codes.running) return;
  const task = nodeAt(scope, place);
  if (signal.type === 'attempt:done') complete(fold, place, task, signal.result);
  else fail(fold, place, task, signal.error, signal.jitter);
  settle(fold);
}

function complete(fold: Fold, place: number, task: TaskNode, output: Json): void {
  const { state, effects } = fold;
  state.running -= 1;
  state.tasks[place] = codes.done;
  state.outputs = withOutput(state.outputs, place, output);
  effects.push({ type: 'completed', task, output });
  follow(fold, task);
}

function fail(fold: Fold, place: number, task: TaskNode, cause: AttemptFailure, jitter: number): void {
  const { scope, state, effects } = fold;
  const attempts = state.attempts[place] ?? 1;
  const { maxAttempts, backoffMs, continueOnError } = task.policy;
  if (!cause.isFinal && attempts < maxAttempts && state.ending === null) {
    state.attempts[place] = attempts + 1;
    effects.push({ type: 'attempt', task, attempt: attempts + 1, delayMs: pauseMs(backoffMs, attempts, jitter) });
    return;
  }
  const { code, message, timedOut } = cause;
  const failure = { code, message, attempts, timedOut };
  const continued = continueOnError && state.ending === null;
  state.running -= 1;
  state.tasks[place] = codes.failed;
  effects.push({ type: 'failed', task, failure, continued });
  if (continued) {
    state.outputs = withOutput(state.outputs, place, { failed: true, error: failure });
    follow(fold, task);
    return;
  }
  // A task that was aborted before it began does not count as a failure.
  if (state.ending !== 'aborted' || code !== 'aborted') state.failures = [...state.failures, [place, failure]];
  // The first ending counts: an aborted run stays aborted, whatever its awaited writes return.
  if (state.ending !== null) return;
  if (scope.failFast) stop(fold, 'failed');
  else spread(fold, task.outgoing, () => false);
}

/**
 * Returns the backoff. It doubles per attempt, plus up to a quarter at random, so simultaneous failures retry at
 * different times.
 */
function pauseMs(backoffMs: number, attempts: number, jitter: number): number {
  return Math.round(backoffMs * 2 ** (attempts - 1) * (1 + jitter / 4));
}

/** Decides the outgoing edges of a task with an output. */
function follow(fold: Fold, { outgoing }: TaskNode): void {
  const { scope, state } = fold;
  if (state.ending !== null || outgoing.length === 0) return;
  const lookup = lookupAt(lookupIn(scope, state), fold.at, scope);
  spread(fold, outgoing, (index) => {
    const when = scope.edges[index]?.when ?? null;
    return when === null || evaluateWhen(when, lookup);
  });
}

/** Fires or skips edges, skips tasks without any fired edge, and makes tasks ready that no longer wait. */
function spread(fold: Fold, decided: readonly number[], fires: (edge: number) => boolean): void {
  const { scope, state, effects } = fold;
  const { tasks, pending, fired } = state;
  const ready: number[] = [];
  const passed: number[] = [];
  const decide = (edge: number, hasFired: boolean): void => {
    const place = scope.edges[edge]?.to ?? -1;
    const open = (pending[place] ?? 0) - 1;
    pending[place] = open;
    if (hasFired) fired[place] = 1;
    if (tasks[place] !== codes.waiting) return;
    if (fired[place] === 1 && (open === 0 || nodeAt(scope, place).waitsFor === 'any')) {
      tasks[place] = codes.ready;
      ready.push(place);
    } else if (open === 0) {
      tasks[place] = codes.skipped;
      passed.push(place);
    }
  };
  for (const edge of decided) decide(edge, fires(edge));
  // The list grows while skipped tasks skip others.
  for (const place of passed) for (const edge of nodeAt(scope, place).outgoing) decide(edge, false);
  for (const place of inOrder(passed)) effects.push({ type: 'skipped', task: nodeAt(scope, place) });
  if (ready.length > 0) {
    state.queue = [...state.queue.slice(state.begun), ...inOrder(ready)];
    state.begun = 0;
  }
}

const aborted: TaskFailure = Object.freeze({
  code: 'aborted',
  message: 'the run ended before the task did.',
  attempts: 0,
  timedOut: false,
});

/** Prevents further starts and cancels running tasks, except writes, which are awaited. */
function stop({ scope, state, effects }: Fold, ending: RunOutcome): void {
  state.ending = ending;
  for (const [place, task] of scope.nodes.entries()) {
    const code = state.tasks[place];
    if (code === codes.running && !task.writes) {
      state.tasks[place] = codes.failed;
      state.running -= 1;
      effects.push({ type: 'cancel', task });
      const failure = { ...aborted, attempts: state.attempts[place] ?? 1 };
      effects.push({ type: 'failed', task, failure, continued: false });
    } else if (code === codes.waiting || code === codes.ready) {
      state.tasks[place] = codes.skipped;
      effects.push({ type: 'skipped', task });
    }
  }
  state.queue = [];
  state.begun = 0;
}

/** Begins ready tasks, and ends the run when none is left. */
function settle({ scope, state, effects }: Fold): void {
  while (state.running < scope.concurrency && state.begun < state.queue.length) {
    const place = state.queue[state.begun] ?? -1;
    state.begun += 1;
    state.running += 1;
    state.tasks[place] = codes.running;
    state.attempts[place] = 1;
    effects.push({ type: 'attempt', task: nodeAt(scope, place), attempt: 1, delayMs: 0 });
  }
  if (state.running === 0 && state.begun === state.queue.length) {
    state.phase = state.ending ?? (state.failures.length > 0 ? 'failed' : 'complete');
    effects.push({ type: 'ended', outcome: state.phase });
  }
}

function nodeAt({ nodes }: TaskScope, place: number): TaskNode {
  const node = nodes[place];
  if (node === undefined) throw new RangeError(`there is no task at ${place}.`);
  return node;
}

function inOrder(places: readonly number[]): readonly number[] {
  return places.toSorted((one, other) => one - other);
}
