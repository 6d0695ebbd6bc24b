import { FlowError } from '../../model/errors.ts';
import type { JsonObject } from '../../model/json.ts';
import { begin } from './begin-task.ts';
import type { OneRun, TaskPlace, TaskWorld } from './one-run.ts';
import { feed, keepable, settle } from './perform-step.ts';
import { effectOf, isIdle, notBegun, taskOver, type TasksInside } from './running-task.ts';
import { bodyScope, type TaskScope } from './step.ts';
import { newTaskState, outputsByName, type RunOutcome, type TaskFailure, type TaskState } from './task-state.ts';

/** The end of a run of tasks. */
export interface TasksEnd {
  /** `waiting`: no task is running, and the run continues when an awaited event arrives. */
  readonly outcome: RunOutcome | 'waiting';
  readonly outputs: JsonObject;
  /** Unhandled failures, the first one first. */
  readonly failures: readonly (TaskFailure & { readonly taskId: string })[];
}

/**
 * Runs tasks to their end, starting from their journal. Afterwards no timer, listener or running write remains. Rejects
 * only if the journal holds other tasks at this place, with `flow-version-missing` or `tasks-differ`.
 */
export async function runTasks(scope: TaskScope, place: TaskPlace, world: TaskWorld): Promise<TasksEnd> {
  const { prefix, signal } = place;
  const { clock, waits } = world;
  const stream = place.journal?.begin({ ...scope, place: place.key, attempt: place.attempt });
  const state = newTaskState(scope.nodes.length);

  return await new Promise((resolve) => {
    const run: OneRun = {
      scope,
      place,
      world,
      stream,
      state,
      running: new Map(),
      inside: new Set(),
      toldBefore: new Set(),
      signals: [],
      isFolding: false,
      at: clock.now(),
      due: [],
      effects: [],
      hasLeft: false,
      onTaskEnd(one, outcome, kept = new Map(), inputKeys = []) {
        run.at = clock.now();
        if (stream === undefined) {
          settle(run, one.task, outcome);
          return;
        }
        const ended = settle(run, one.task, keepable(run, one.task, outcome));
        const patch = kept.size === 0 ? {} : { kept: Object.fromEntries(kept) };
        const isOver = state.phase !== 'running' && inside.size === 0;
        stream.add({ ...ended, at: run.at, place: place.key, ...patch }, run.effects, inputKeys, isOver);
        run.effects = [];
        beginDue(run, stream.settled());
        run.onStand();
      },
      // A run in which nothing else runs is released.
      onStand() {
        if (run.hasLeft) return;
        if (place.owner !== undefined) place.owner.onStand();
        else leaveIfIdle();
      },
      onRunEnd(outcome) {
        signal.removeEventListener('abort', abort);
        forgetSelf?.();
        const end = endOf(scope, state, outcome, prefix);
        if (inside.size === 0) resolve(end);
        else void Promise.allSettled(inside).then(() => resolve(end));
      },
      runBody: async (body, names, lookup, there) =>
        outputsOf(await runTasks(bodyScope(scope, body, lookup, names), there, world)),
    };
    const { running, inside } = run;
    const self: TasksInside = {
      isIdle: () => run.due.length === 0 && running.size > 0 && [...running.values()].every(isIdle),
      leave() {
        run.hasLeft = true;
        signal.removeEventListener('abort', abort);
        for (const one of running.values()) {
          one.forgetWait?.();
          for (const tasks of one.inside) tasks.leave();
          one.abort.abort(taskOver);
        }
      },
    };
    const forgetSelf = place.owner?.add(self);
    const abort = (): void => {
      feed(run, { type: 'run:aborted' });
      // A running write is awaited, unless its attempt has not begun yet.
      for (const one of running.values()) if (!one.isUnderWay) settle(run, one.task, notBegun);
      // The cancellation is not stored: the next process begins these tasks again.
      run.effects = [];
    };

    let isLooking = false;
    const leaveIfIdle = (): void => {
      if (waits === undefined || stream === undefined || isLooking || !self.isIdle()) return;
      isLooking = true;
      const look = async (): Promise<void> => {
        await stream.keep();
        const hasCome = await waits.look();
        isLooking = false;
        if (hasCome) leaveIfIdle();
        else if (self.isIdle() && !signal.aborted && !waits.isSoonOver()) {
          self.leave();
          resolve({ ...endOf(scope, state, 'complete', prefix), outcome: 'waiting' });
        }
      };
      // The store has failed: the run ends as for any step that cannot be stored.
      look().catch(abort);
    };

    signal.addEventListener('abort', abort);
    start(run);
    if (signal.aborted) abort();
  });
}

/** Begins a run, or continues it from its journal. */
function start(run: OneRun): void {
  const { stream, state, running } = run;
  if (stream === undefined) feed(run, { type: 'run:started' });
  else if (stream.kept === null) {
    feed(run, { type: 'run:started' });
    stream.start(run.at, run.effects, state.phase !== 'running');
    // A write is stored as intended before it begins. Reads need not wait, because they can be repeated.
    const writes = run.due.some(({ task }) => task.writes);
    if (writes) beginDue(run, stream.keep());
    else for (const one of run.due.splice(0)) begin(run, one);
  } else {
    const { kept } = stream;
    run.at = kept.at;
    stream.replay(() => {
      feed(run, { type: 'run:started' });
      for (const one of kept.attempts) {
        run.at = one.at;
        feed(run, one);
      }
    });
    // The outcomes of tasks that still run are published for the first time.
    for (const { id } of running.keys()) run.toldBefore.delete(id);
    run.due = [];
    if (stream.isReopening) {
      stream.reopen(
        run.at,
        [...running.values()].flatMap((one) => [effectOf(one, run.place, 'intended'), one.notice ?? []].flat()),
      );
      run.due = [...running.values()];
      beginDue(run, stream.keep());
    } else for (const one of running.values()) begin(run, one);
  }
  run.effects = [];
}

/** Begins due attempts once their start is stored. */
function beginDue(run: OneRun, kept: Promise<void>): void {
  const next = run.due;
  run.due = [];
  if (next.length > 0) void kept.then(() => next.forEach((one) => begin(run, one)));
}

/** Returns the outputs of completed tasks. Throws the FlowError of the first failure. */
export function outputsOf({ outcome, outputs, failures }: TasksEnd): JsonObject {
  if (outcome === 'complete') return outputs;
  const [first] = failures;
  if (first === undefined) throw new FlowError('aborted', 'the run was ended before its tasks were done.');
  throw new FlowError(first.code, `task "${first.taskId}": ${first.message}`);
}

/** Returns the end of a run in this state. */
export function endOf({ nodes }: TaskScope, state: TaskState, outcome: RunOutcome, prefix: string): TasksEnd {
  const taskId = (index: number): string => `${prefix}${nodes[index]?.id ?? ''}`;
  const failures = state.failures.map(([index, failure]) => ({ taskId: taskId(index), ...failure }));
  return { outcome, outputs: outputsByName(nodes, state), failures };
}
