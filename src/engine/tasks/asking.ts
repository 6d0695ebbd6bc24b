import type { EffectKey } from '../../model/effect.ts';
import { asksOutside, type FlowOf, flowRunBy } from '../../flow/graph/nodes/outside-waits.ts';
import type { TaskNode, TaskPart } from '../../flow/graph/task-graph.ts';
import { taskKey } from './running-task.ts';

/** Checks whether tasks may ask a person, directly, in their bodies, or in flows they run. */
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
 * Returns the id of the first task that certainly asks a person unless an earlier task fails; null if there is none.
 * Tasks behind a condition or in a body, tasks that continue on errors, and tasks with a key in `answered` do not
 * count.
 */
export function sureQuestion(
  part: TaskPart,
  flowOf: FlowOf,
  place: { readonly prefix: string; readonly key: EffectKey },
  answered: ReadonlySet<EffectKey>,
): string | null {
  /** Flows being searched, or already found without a certain question. */
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
      // For a recursive flow only the remaining tasks count.
      if (name === null || silent.has(name)) continue;
      silent.add(name);
      const before = passed;
      const inside = first(flowOf(name), `${prefix}${task.id}.`, own);
      if (inside !== null) return inside;
      // The flow may ask again when it runs elsewhere.
      if (passed > before) silent.delete(name);
    }
    return null;
  };
  return first(part, place.prefix, place.key);
}

/** Returns the tasks that run unless one fails: no condition precedes them, and their failure ends the flow. */
function sureTasks(part: TaskPart | null): readonly TaskNode[] {
  if (part === null) return [];
  const { nodes, edges } = part;
  const sure = new Set(nodes.flatMap(({ incoming }, place) => (incoming.length === 0 ? place : [])));
  // The set grows during the iteration.
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

/** Checks whether a task asks through a channel. */
function asks(node: TaskNode): boolean {
  return node.task.type.capabilities?.asksPerson === true && !asksOutside(node);
}
