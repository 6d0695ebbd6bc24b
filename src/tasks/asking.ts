import type { EffectKey } from '../events/effect.ts';
import { asksOutside, type FlowOf, flowRunBy } from '../graph/outside-waits.ts';
import type { TaskNode, TaskPart } from '../graph/task-graph.ts';
import { taskKey } from './running-task.ts';

/** Whether tasks may ask a person: they themselves, their bodies, or the flows that they run. */
export function mayAsk(part: TaskPart, flowOf: FlowOf, seen: Set<string> = new Set()): boolean {
  return part.nodes.some((task) => {
    if (asks(task) || (task.body !== null && mayAsk(task.body, flowOf, seen))) return true;
    const name = flowRunBy(task);
    if (name === null || seen.has(name)) return false;
    seen.add(name);
    const flow = flowOf(name);
    return flow !== null && mayAsk(flow, flowOf, seen);
  });
}

/**
 * The id of the first task that asks a person for sure, unless another one fails before; null where there is none. Not
 * counted are tasks behind a condition or in a body, those that continue on errors, and those whose key is among `answered`.
 */
export function sureQuestion(
  part: TaskPart,
  flowOf: FlowOf,
  place: { readonly prefix: string; readonly key: EffectKey },
  answered: ReadonlySet<EffectKey>,
): string | null {
  /** Flows that are being looked through, or in which nothing is sure to be asked wherever they run. */
  const silent = new Set<string>();
  let passed = 0;
  const first = (flow: TaskPart | null, prefix: string, key: EffectKey): string | null => {
    for (const task of sureTasks(flow)) {
      const own = taskKey(key, task.id);
      if (answered.has(own)) {
        passed += 1;
        continue;
      }
      if (asks(task)) return `${prefix}${task.id}`;
      const name = flowRunBy(task);
      // Of a flow that runs itself only the rest counts.
      if (name === null || silent.has(name)) continue;
      silent.add(name);
      const before = passed;
      const inside = first(flowOf(name), `${prefix}${task.id}.`, own);
      if (inside !== null) return inside;
      // What was answered here may be asked where the flow runs again.
      if (passed > before) silent.delete(name);
    }
    return null;
  };
  return first(part, place.prefix, place.key);
}

/** The tasks that run unless one fails, as no condition stands before them, and whose failure ends the flow. */
function sureTasks(part: TaskPart | null): readonly TaskNode[] {
  if (part === null) return [];
  const { nodes, edges } = part;
  const sure = new Set(nodes.flatMap(({ incoming }, place) => (incoming.length === 0 ? place : [])));
  // The set grows while it is walked.
  for (const place of sure) {
    const node = nodes[place];
    if (node === undefined || node.task.type.capabilities?.fails === true) continue;
    for (const index of node.outgoing) {
      const edge = edges[index];
      if (edge?.when === null) sure.add(edge.to);
    }
  }
  return nodes.filter(({ policy }, place) => sure.has(place) && !policy.continueOnError);
}

/** Whether it asks through a channel. */
function asks(node: TaskNode): boolean {
  return node.task.type.capabilities?.asksPerson === true && !asksOutside(node);
}
