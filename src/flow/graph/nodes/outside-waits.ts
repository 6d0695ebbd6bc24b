import type { JsonObject } from '../../../model/json.ts';
import { bindingReferences, resolveBinding } from '../../expression/binding.ts';
import type { TaskGraph, TaskNode, TaskPart } from '../task-graph.ts';

/** Gives the task flow of a name; null where it is not known, or broken. */
export type FlowOf = (name: string) => TaskGraph | null;

/** Tells the first task at which a task flow waits, as `firstWait` does; null where it waits nowhere, or is not known. */
export type WaitOf = (flow: string) => string | null;

/**
 * The first task that may wait for somebody or something outside of the run: its id, behind those of the tasks that it is in.
 * Bodies are looked through, and of the flows that are run it is told. Null where there is none.
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

/** The same, where the flows that are run are looked through as well. */
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

/** Whether it waits for somebody or something outside, where its run is kept. */
function waitsOutside({ task }: Pick<TaskNode, 'task'>): boolean {
  return 'interrupts' in task.type || asksOutside({ task });
}

/** Whether it asks somebody who is named, in place of the person of its channel. */
export function asksOutside({ task: { type, input, literal } }: Pick<TaskNode, 'task'>): boolean {
  if (!('run' in type) || type.asksOutside === undefined) return false;
  // Its schema takes the input as a map, and what is bound is known to the run alone.
  return type.asksOutside({ ...(resolveBinding(input, () => 'bound') as JsonObject), ...literal });
}

/** The name of the flow that a task runs; null where it runs none, or only the run will tell which. */
export function flowRunBy({ task }: Pick<TaskNode, 'task'>): string | null {
  const { runsFlow } = task.type;
  if (runsFlow === undefined || bindingReferences(task.input).some(({ at }) => at[0] === runsFlow)) return null;
  const input = new Map(Object.entries(resolveBinding(task.input, () => undefined) as object)); // The input is a map.
  const name: unknown = input.get(runsFlow);
  return typeof name === 'string' ? name : null;
}
