import type { TasksStarted } from '../../model/signals/task-signal.ts';
import type { TaskGraph } from '../../flow/graph/task-graph.ts';

/** Checks whether a signal begins a whole run, with its input. */
export function isRunStart(signal: { readonly type: string }): signal is TasksStarted {
  return signal.type === 'tasks:started' && 'run' in signal;
}

/** Returns the rules that the run began with; its journal is only valid under them. */
export function rulesOf(started: TasksStarted | undefined): Partial<TaskGraph['policy']> {
  if (started?.run === undefined) return {};
  const { failFast, concurrency } = started.run;
  return { failFast, concurrency };
}
