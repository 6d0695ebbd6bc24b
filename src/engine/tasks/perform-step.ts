import type { EffectState } from '../../model/effect.ts';
import type { RunningNodeType, WaitingNodeType } from '../../flow/graph/nodes/node-type.ts';
import type { TaskNode } from '../../flow/graph/task-graph.ts';
import { type AttemptOutcome, evaluateTask } from './attempt.ts';
import { begin } from './begin-task.ts';
import { endBefore } from './fold-run.ts';
import type { ToldEnd } from './journal.ts';
import type { OneRun } from './one-run.ts';
import { copyOf, effectOf, newRunningTask, taskOver } from './running-task.ts';
import { lookupAt, lookupIn, step, type TaskEffect, type TaskSignal } from './step.ts';
import { openWait } from './wait-outside.ts';

/**
 * Folds a signal into a run and performs its effects. Signals that arrive meanwhile are queued, so pure tasks need no
 * recursion.
 */
export function feed(run: OneRun, next: TaskSignal): void {
  const { scope, state, signals } = run;
  signals.push(next);
  if (run.isFolding) return;
  run.isFolding = true;
  for (const one of signals) for (const effect of step(scope, state, one, run.at)) perform(run, effect);
  signals.length = 0;
  run.isFolding = false;
}

/** Folds the end of an attempt and returns its signal. */
export function settle(
  run: OneRun,
  { id: task }: TaskNode,
  outcome: AttemptOutcome,
): Extract<TaskSignal, { readonly task: string }> {
  const ended = outcome.ok
    ? ({ type: 'attempt:done', task, result: outcome.output } as const)
    : ({ type: 'attempt:failed', task, error: outcome.failure, jitter: run.world.random.next() } as const);
  feed(run, ended);
  return ended;
}

/** Returns the outcome as another process would read it. */
export function keepable({ stream, place }: OneRun, { id }: TaskNode, outcome: AttemptOutcome): AttemptOutcome {
  return stream === undefined || !outcome.ok
    ? outcome
    : copyOf(outcome.output, `the output of task "${place.prefix}${id}"`, stream);
}

function perform(run: OneRun, effect: TaskEffect): void {
  if (effect.type === 'ended') {
    run.onRunEnd(effect.outcome);
    return;
  }
  const { scope, state, stream, toldBefore } = run;
  const { hub, prefix } = run.place;
  const { task } = effect;
  const taskId = `${prefix}${task.id}`;
  const ids = { nodeId: taskId };
  const known =
    effect.type === 'attempt' && stream !== undefined ? endBefore(stream.before, task, effect.attempt) : undefined;
  const { type } = task.task;
  const outcome =
    effect.type === 'attempt' && 'evaluate' in type
      ? keepable(run, task, evaluateTask(task, lookupAt(lookupIn(scope, state), run.at, scope)))
      : null;
  if (effect.type === 'attempt' || effect.type === 'skipped') {
    const wasTold = known !== undefined || stream?.wasTold(task.id, taskId, endKnown(effect, outcome)) === true;
    if (wasTold) toldBefore.add(task.id);
    else toldBefore.delete(task.id);
  }
  const recovered = toldBefore.has(task.id) ? { recovered: true as const } : {};
  switch (effect.type) {
    case 'attempt': {
      const { attempt, delayMs } = effect;
      if (attempt === 1) hub.emit('task:start', { taskId, ...recovered }, ids);
      else hub.emit('task:retry', { taskId, attempt, delayMs, ...recovered }, ids);
      if (known !== undefined) feed(run, known);
      else if (outcome !== null) settle(run, task, outcome);
      else if ('opens' in type && wait(run, task, type)) return;
      else if ('run' in type) intend(run, task, type, attempt, delayMs);
      return;
    }
    case 'completed':
      forget(run, task, 'done');
      hub.emit('task:complete', { taskId, result: effect.output, ...recovered }, ids);
      return;
    case 'failed': {
      const { code, attempts } = effect.failure;
      forget(run, task, 'failed');
      hub.emit('task:failed', { taskId, code, attempts, continued: effect.continued, ...recovered }, ids);
      return;
    }
    case 'cancel':
      forget(run, task, 'cancelled');
      return;
    case 'skipped':
      hub.emit('task:skipped', { taskId, ...recovered }, ids);
  }
}

/** Returns the end event of a task if it is already known at its start. */
function endKnown(effect: TaskEffect, outcome: AttemptOutcome | null): ToldEnd | undefined {
  if (effect.type === 'skipped') return 'task:skipped';
  if (outcome === null) return undefined;
  return outcome.ok ? 'task:complete' : 'task:failed';
}

/** Schedules an attempt: it begins once its start is stored, or at once if nothing is stored. */
function intend(run: OneRun, task: TaskNode, type: RunningNodeType, attempt: number, delayMs: number): void {
  const { running, at } = run;
  const known = running.get(task);
  const one = known ?? newRunningTask(task, type, at);
  one.attempt = attempt;
  one.beganAt = at + delayMs;
  one.isUnderWay = false;
  one.lookup = lookupIn(run.scope, run.state);
  running.set(task, one);
  if (run.stream === undefined) {
    begin(run, one);
    return;
  }
  run.due.push(one);
  if (known === undefined) run.effects.push(effectOf(one, run.place, 'intended'));
}

/** Lets a task wait, or fails it. Returns false if the task runs instead. */
function wait(run: OneRun, task: TaskNode, type: WaitingNodeType | RunningNodeType): boolean {
  const opened = openWait(run, task, type);
  if (opened === 'runs') return false;
  if (opened !== 'waits') settle(run, task, opened);
  return true;
}

/** Removes a task that has ended. */
function forget(run: OneRun, task: TaskNode, became: EffectState): void {
  const one = run.running.get(task);
  if (one === undefined) return;
  run.running.delete(task);
  one.cancelTotal?.();
  one.cancelDelay?.();
  one.forgetWait?.();
  one.abort.abort(taskOver);
  if (run.stream !== undefined) run.effects.push(effectOf(one, run.place, became));
}
