import type { EffectKey } from '../../model/effect.ts';
import type { TaskNodeDocument, TaskPartDocument } from '../../flow/document/task-node.ts';
import { hashOf } from '../../flow/graph/hash.ts';
import type { TaskPart } from '../../flow/graph/task-graph.ts';
import type { StoredTask } from './stored-tasks.ts';
import { taskKey } from './running-task.ts';

/** Tasks in compiled and in written form. */
export interface Version {
  readonly part: TaskPart;
  readonly document: TaskPartDocument;
}

/**
 * Returns the id of a task that has completed, or has led to a completed one, and that the other version lacks or
 * defines differently. Null if all completed work is still valid. Policies are not compared.
 */
export function changedTask(
  was: Version,
  is: Version,
  place: EffectKey,
  places: ReadonlyMap<EffectKey, StoredTask>,
): string | null {
  const [before, now] = [definitionsOf(was.document), definitionsOf(is.document)];
  const ended = places.get(place)?.before;
  const needed = ledTo(was.part, (id) => ended?.get(id)?.at(-1)?.type === 'attempt:done');
  for (const { id, body } of was.part.nodes) {
    const [one, other] = [before.get(id), now.get(id)];
    if (needed.has(id) && essenceOf(one) !== essenceOf(other)) return id;
    const otherBody = is.part.nodes.find((node) => node.id === id)?.body ?? null;
    if (needed.has(id) || body === null || one?.body === undefined) continue;
    for (const key of places.keys()) {
      if (!isRepetition(key, taskKey(place, id)) || places.get(key)?.before.size === 0) continue;
      if (otherBody === null || other?.body === undefined) return id;
      const versions = [
        { part: body, document: one.body },
        { part: otherBody, document: other.body },
      ] as const;
      const inside = changedTask(...versions, key, places);
      if (inside !== null) return `${id}.${inside}`;
    }
  }
  return null;
}

/** Returns the completed tasks and the pure tasks before them, which are recomputed each time. */
function ledTo({ nodes, edges }: TaskPart, isDone: (id: string) => boolean): ReadonlySet<string> {
  const found = new Set<string>();
  const open = nodes.filter(({ id }) => isDone(id));
  for (const { id } of open) found.add(id);
  // The list grows during the iteration.
  for (const node of open)
    for (const index of node.incoming) {
      const earlier = nodes[edges[index]?.from ?? -1];
      if (earlier === undefined || found.has(earlier.id) || !('evaluate' in earlier.task.type)) continue;
      found.add(earlier.id);
      open.push(earlier);
    }
  return found;
}

function definitionsOf({ nodes }: TaskPartDocument): ReadonlyMap<string, TaskNodeDocument> {
  if (!Array.isArray(nodes)) return new Map(Object.entries(nodes));
  return new Map(nodes.flatMap((node) => (node.id === undefined ? [] : [[node.id, node] as const])));
}

/** Returns a hash of the parts that define a task. */
function essenceOf(node: TaskNodeDocument | undefined): string {
  if (node === undefined) return '';
  const { id: _id, description: _description, policy: _policy, ...rest } = node;
  return hashOf(rest);
}

function isRepetition(place: EffectKey, task: EffectKey): boolean {
  return place.startsWith(`${task}.`) && /^\d+$/.test(place.slice(task.length + 1));
}
