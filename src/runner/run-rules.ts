import type { TasksStarted } from '../events/task-signal.ts';
import type { TaskGraph } from '../graph/task-graph.ts';

/** Whether a signal is the beginning of a whole run, which names what it was given. */
export function isRunStart(signal: { readonly type: string }): signal is TasksStarted {
  return signal.type === 'tasks:started' && 'run' in signal;
}

/** The rules that the run began under: under others its journal would mean something else. */
export function rulesOf(started: TasksStarted | undefined): Partial<TaskGraph['policy']> {
  if (started?.run === undefined) return {};
  const { failFast, concurrency } = started.run;
  return { failFast, concurrency };
}
