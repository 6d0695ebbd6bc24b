import type { JsonObject } from '../../../model/json.ts';
import { bindingReferences, resolveBinding } from '../../expression/binding.ts';
import type { TaskGraph, TaskNode, TaskPart } from '../task-graph.ts';

/** Returns the task flow of a name; null if unknown or broken. */
export type FlowOf = (name: string) => TaskGraph | null;

/** Returns the first waiting task of a task flow, like `firstWait`; null if there is none or the flow is unknown. */
export type WaitOf = (flow: string) => string | null;

/**
 * Returns the id of the first task that may wait for something outside the run, prefixed with the ids of the tasks
 * around it; null if there is none. Searches bodies, and asks `waitOf` about flows that are run.
 */
export function firstWait({ nodes }: TaskPart, waitOf: WaitOf): string | null {
  for (const task of nodes) {
    if (waitsOutside(task)) return task.id;
    const called = flowRunBy(task);
    const inBody = task.body === null ? null : firstWait(task.body, waitOf);
    const inside = inBody ?? (called === null ? null : waitOf(called));
    if (inside !== null) return `${task.id}.${inside}`;
  }
  return null;
}

/** Like `firstWait`, but also searches the flows that are run. */
export function outsideWaitIn(part: TaskPart, flowOf: FlowOf): string | null {
  const seen = new Set<string>();
  const waitOf: WaitOf = (name) => {
    if (seen.has(name)) return null;
    seen.add(name);
    const flow = flowOf(name);
    return flow === null ? null : firstWait(flow, waitOf);
  };
  return firstWait(part, waitOf);
}

/** Checks whether a task waits outside in a stored run. */
function waitsOutside({ task }: Pick<TaskNode, 'task'>): boolean {
  return 'interrupts' in task.type || asksOutside({ task });
}

/** Checks whether a task asks a named person instead of the person on its channel. */
export function asksOutside({ task: { type, input, literal } }: Pick<TaskNode, 'task'>): boolean {
  if (!('run' in type) || type.asksOutside === undefined) return false;
  // Its schema takes the input as a map. Bound values are known only at run time.
  return type.asksOutside({ ...(resolveBinding(input, () => 'bound') as JsonObject), ...literal });
}

/** Returns the flow that a task runs; null if there is none, or if the name is bound. */
export function flowRunBy({ task }: Pick<TaskNode, 'task'>): string | null {
  const { runsFlow } = task.type;
  if (runsFlow === undefined || bindingReferences(task.input).some(({ at }) => at[0] === runsFlow)) return null;
  const input = new Map(Object.entries(resolveBinding(task.input, () => undefined) as object)); // The input is a map.
  const name: unknown = input.get(runsFlow);
  return typeof name === 'string' ? name : null;
}
