import type { EffectKey } from '../../model/effect.ts';
import type { Json } from '../../model/json.ts';
import type { AttemptDone, AttemptFailed } from '../../model/signals/task-signal.ts';
import type { Signal } from '../../model/signals/signal.ts';
import type { TaskNode } from '../../flow/graph/task-graph.ts';
import { type AttemptOutcome, evaluateTask } from './attempt.ts';
import { readStoredTasks } from './stored-tasks.ts';
import { lookupAt, lookupIn, step, type TaskScope, type TaskSignal } from './step.ts';
import { newTaskState, type TaskState } from './task-state.ts';

/** A run as its log shows it up to one signal, without running anything. */
export interface FoldedRun {
  readonly scope: TaskScope;
  readonly state: TaskState;
  readonly signal: Signal;
}

/**
 * Folds the log of a run and yields its state after each of its signals. Inner runs are part of their task's output.
 * `scopeIn` returns the scope of a version by hash; `copyOf` returns an output as the store would.
 */
export function* foldRun(
  log: readonly Signal[],
  place: EffectKey,
  scopeIn: (hash: string) => TaskScope,
  copyOf: (output: Json, task: string) => AttemptOutcome,
): Generator<FoldedRun, void> {
  let fold: ((signal: TaskSignal, at: number) => void) | null = null;
  let run: Omit<FoldedRun, 'signal'> | null = null;
  for (const [index, signal] of log.entries()) {
    if (!('place' in signal) || signal.place !== place) continue;
    if (signal.type === 'tasks:started' || signal.type === 'tasks:reopened') {
      const scope = scopeIn(signal.taskFlow?.hash ?? '');
      run = { scope, state: newTaskState(scope.nodes.length) };
      const before = readStoredTasks(log.slice(0, index + 1)).places.get(place)?.before ?? new Map();
      fold = foldOf(run, before, copyOf);
      fold({ type: 'run:started' }, signal.at);
    } else if (signal.type === 'attempt:done' || signal.type === 'attempt:failed') fold?.(signal, signal.at);
    if (run !== null) yield { ...run, signal };
  }
}

/** Returns the earlier end of an attempt that is reopened; undefined if it must run now. */
export function endBefore(
  before: ReadonlyMap<string, readonly (AttemptDone | AttemptFailed)[]>,
  { id, policy }: TaskNode,
  attempt: number,
): AttemptDone | AttemptFailed | undefined {
  const ended = before.get(id) ?? [];
  const last = ended.at(-1);
  if (last?.type === 'attempt:done') return last;
  // A tolerated failure stays tolerated.
  return policy.continueOnError ? ended[attempt - 1] : undefined;
}

function foldOf(
  { scope, state }: Omit<FoldedRun, 'signal'>,
  before: ReadonlyMap<string, readonly (AttemptDone | AttemptFailed)[]>,
  copyOf: (output: Json, task: string) => AttemptOutcome,
): (signal: TaskSignal, at: number) => void {
  return (first, at) => {
    const signals = [first];
    // The list grows during the iteration: pure tasks end as they begin.
    for (const signal of signals)
      for (const effect of step(scope, state, signal, at)) {
        if (effect.type !== 'attempt') continue;
        const { task, attempt } = effect;
        const known = endBefore(before, task, attempt);
        if (known !== undefined) signals.push(known);
        else if ('evaluate' in task.task.type) signals.push(computed(task, at));
      }
  };

  function computed(task: TaskNode, at: number): TaskSignal {
    const outcome = evaluateTask(task, lookupAt(lookupIn(scope, state), at, scope));
    const kept = outcome.ok ? copyOf(outcome.output, task.id) : outcome;
    return kept.ok
      ? { type: 'attempt:done', task: task.id, result: kept.output }
      : { type: 'attempt:failed', task: task.id, error: kept.failure, jitter: 0 };
  }
}
