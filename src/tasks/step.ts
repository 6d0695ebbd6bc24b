import type { FlowRef } from '../events/flow-ref.ts';
import type { Json, JsonObject } from '../events/json.ts';
import type { AttemptDone, AttemptFailed, AttemptFailure } from '../events/signal.ts';
import type { Lookup } from '../expression/path.ts';
import { evaluateWhen } from '../expression/when.ts';
import type { TaskNode, TaskPart } from '../graph/task-graph.ts';
import {
  outputOf,
  type RunOutcome,
  type TaskFailure,
  type TaskState,
  taskStates,
  type TaskStatus,
  withOutput,
} from './task-state.ts';

/** What runs, and under which rules. */
export interface TaskScope extends TaskPart {
  readonly failFast: boolean;
  readonly concurrency: number;
  /** The names that are known around the tasks. */
  readonly outer: Lookup;
  /** The flow that they are; null for the body of a task. */
  readonly taskFlow: FlowRef | null;
  /** What they were given: the input of the flow, or the names of the body. */
  readonly given: JsonObject;
}

/** What happened. Tasks are named by their ids, so that a log of signals can be read. */
export type TaskSignal =
  | { readonly type: 'run:started' }
  | { readonly type: 'run:aborted' }
  | Pick<AttemptDone, 'type' | 'task' | 'result'>
  | Pick<AttemptFailed, 'type' | 'task' | 'error' | 'jitter'>;

/** What is to be done or told, in this order. */
export type TaskEffect =
  | { readonly type: 'attempt'; readonly task: TaskNode; readonly attempt: number; readonly delayMs: number }
  | { readonly type: 'cancel'; readonly task: TaskNode }
  | { readonly type: 'completed'; readonly task: TaskNode; readonly output: Json }
  | { readonly type: 'failed'; readonly task: TaskNode; readonly failure: TaskFailure; readonly continued: boolean }
  | { readonly type: 'skipped'; readonly task: TaskNode }
  | { readonly type: 'ended'; readonly outcome: RunOutcome };

export interface TaskStep {
  readonly state: TaskState;
  readonly effects: readonly TaskEffect[];
}

/**
 * Folds one signal into a run. Without a clock, chance or the world, and total: a signal that comes too late or makes no
 * sense changes nothing. The state that it gives takes the place of the one it was given, which is of no use any more.
 */
export function step(scope: TaskScope, state: TaskState, signal: TaskSignal): TaskStep {
  if (signal.type === 'run:started') return state.phase === 'new' ? begin(scope, state) : { state, effects: [] };
  if (state.phase !== 'running') return { state, effects: [] };
  const draft = draftOf(scope, state);
  if (signal.type === 'run:aborted') {
    if (state.ending !== null) return { state, effects: [] };
    stop(draft, 'aborted');
    return settled(draft);
  }
  const place = scope.indexOf.get(signal.task);
  const task = place === undefined ? undefined : scope.nodes[place];
  if (place === undefined || task === undefined || state.tasks[place] !== codes.running) return { state, effects: [] };
  if (signal.type === 'attempt:done') complete(draft, place, task, signal.result);
  else fail(draft, place, task, signal.error, signal.jitter);
  return settled(draft);
}

/** The names that a task reads: outputs by id, then what is known around. */
export function lookupIn(scope: Pick<TaskScope, 'indexOf' | 'outer'>, state: Pick<TaskState, 'outputs'>): Lookup {
  return (name) => {
    const place = scope.indexOf.get(name);
    return place === undefined ? scope.outer(name) : outputOf(state, place);
  };
}

/** A body knows all that its owner knows, and names of its own. */
export function bodyScope(scope: TaskScope, body: TaskPart, lookup: Lookup, names: JsonObject): TaskScope {
  const outer: Lookup = (name) => (Object.hasOwn(names, name) ? names[name] : lookup(name));
  return { ...body, failFast: true, concurrency: scope.concurrency, outer, taskFlow: null, given: names };
}

const codes: Readonly<Record<TaskStatus, number>> = {
  waiting: taskStates.indexOf('waiting'),
  ready: taskStates.indexOf('ready'),
  running: taskStates.indexOf('running'),
  done: taskStates.indexOf('done'),
  failed: taskStates.indexOf('failed'),
  skipped: taskStates.indexOf('skipped'),
};

type Draft = { -readonly [Key in keyof TaskState]: TaskState[Key] } & {
  readonly scope: TaskScope;
  readonly effects: TaskEffect[];
};

// What is known by place is changed where it stands: a copy for each signal would make long flows cost their square.
function draftOf(scope: TaskScope, state: TaskState): Draft {
  return { ...state, scope, effects: [] };
}

function begin(scope: TaskScope, state: TaskState): TaskStep {
  const draft = draftOf(scope, state);
  draft.phase = 'running';
  draft.queue = scope.nodes.flatMap(({ incoming }, place) => (incoming.length === 0 ? place : []));
  for (const [place, { incoming }] of scope.nodes.entries()) draft.pending[place] = incoming.length;
  for (const place of draft.queue) draft.tasks[place] = codes.ready;
  return settled(draft);
}

function complete(draft: Draft, place: number, task: TaskNode, output: Json): void {
  draft.running -= 1;
  draft.tasks[place] = codes.done;
  draft.outputs = withOutput(draft.outputs, place, output);
  draft.effects.push({ type: 'completed', task, output });
  follow(draft, task);
}

function fail(draft: Draft, place: number, task: TaskNode, cause: AttemptFailure, jitter: number): void {
  const attempts = draft.attempts[place] ?? 1;
  const { maxAttempts, backoffMs, continueOnError } = task.policy;
  if (!cause.isFinal && attempts < maxAttempts && draft.ending === null) {
    draft.attempts[place] = attempts + 1;
    draft.effects.push({ type: 'attempt', task, attempt: attempts + 1, delayMs: pauseMs(backoffMs, attempts, jitter) });
    return;
  }
  const { code, message, timedOut } = cause;
  const failure = { code, message, attempts, timedOut };
  const continued = continueOnError && draft.ending === null;
  draft.running -= 1;
  draft.tasks[place] = codes.failed;
  draft.effects.push({ type: 'failed', task, failure, continued });
  if (continued) {
    draft.outputs = withOutput(draft.outputs, place, { failed: true, error: failure });
    follow(draft, task);
    return;
  }
  draft.failures = [...draft.failures, [place, failure]];
  if (draft.scope.failFast) stop(draft, 'failed');
  else spread(draft, task.outgoing, () => false);
}

/** Doubles with each attempt; chance makes it up to a quarter longer, so that what fails together tries apart. */
function pauseMs(backoffMs: number, attempts: number, jitter: number): number {
  return Math.round(backoffMs * 2 ** (attempts - 1) * (1 + jitter / 4));
}

/** Decides the edges of a task that has an output. */
function follow(draft: Draft, { outgoing }: TaskNode): void {
  if (draft.ending !== null || outgoing.length === 0) return;
  const { edges } = draft.scope;
  const lookup = lookupIn(draft.scope, draft);
  spread(draft, outgoing, (index) => {
    const when = edges[index]?.when ?? null;
    return when === null || evaluateWhen(when, lookup);
  });
}

/**
 * Lets edges fire or be skipped, skips whatever they leave without any edge that fired, and makes ready what waits for
 * nothing any more.
 */
function spread(draft: Draft, decided: readonly number[], fires: (edge: number) => boolean): void {
  const { scope, tasks, pending, fired } = draft;
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
  for (const place of inOrder(passed)) draft.effects.push({ type: 'skipped', task: nodeAt(scope, place) });
  if (ready.length > 0) {
    draft.queue = [...draft.queue.slice(draft.begun), ...inOrder(ready)];
    draft.begun = 0;
  }
}

const aborted: TaskFailure = Object.freeze({
  code: 'aborted',
  message: 'the run ended before the task did.',
  attempts: 0,
  timedOut: false,
});

/** Lets nothing further begin, and cancels what runs but for writes, which are waited for. */
function stop(draft: Draft, ending: RunOutcome): void {
  draft.ending = ending;
  for (const [place, task] of draft.scope.nodes.entries()) {
    const code = draft.tasks[place];
    if (code === codes.running && task.task.type.capabilities?.writes !== true) {
      draft.tasks[place] = codes.failed;
      draft.running -= 1;
      draft.effects.push({ type: 'cancel', task });
      const failure = { ...aborted, attempts: draft.attempts[place] ?? 1 };
      draft.effects.push({ type: 'failed', task, failure, continued: false });
    } else if (code === codes.waiting || code === codes.ready) {
      draft.tasks[place] = codes.skipped;
      draft.effects.push({ type: 'skipped', task });
    }
  }
  draft.queue = [];
  draft.begun = 0;
}

/** Begins what may begin, and ends the run where nothing is left. */
function settled(draft: Draft): TaskStep {
  const { scope, effects, ...state } = draft;
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
  return { state, effects };
}

function nodeAt({ nodes }: TaskScope, place: number): TaskNode {
  const node = nodes[place];
  if (node === undefined) throw new RangeError(`there is no task at ${place}.`);
  return node;
}

function inOrder(places: readonly number[]): readonly number[] {
  return places.toSorted((one, other) => one - other);
}
