import type { Lookup } from '../../flow/expression/path.ts';
import { boundInput } from '../../flow/graph/compile/bound-input.ts';
import type { GraphNodeTask } from '../../flow/graph/graph.ts';
import type { Evaluation } from '../../flow/graph/nodes/node-type.ts';

/** An evaluation of a pure node, with the values that it read by name. */
interface Evaluated {
  readonly ended: Evaluation;
  readonly reads: ReadonlyMap<string, unknown>;
}

/** Number of remembered evaluations of a node. */
const mostRemembered = 4;

/** The latest evaluations of each node. The same names give the same result, so it is neither parsed nor computed again. */
const remembered = new WeakMap<GraphNodeTask, readonly Evaluated[]>();

/** Evaluates a pure catalog node. The node fails if an author's node type throws. */
export function evaluateTask(task: GraphNodeTask, lookup: Lookup): Evaluation {
  return evaluated(task, lookup).ended;
}

/** Returns the names that a pure catalog node reads during evaluation. */
export function namesReadBy(task: GraphNodeTask, lookup: Lookup): readonly string[] {
  return [...evaluated(task, lookup).reads.keys()];
}

function evaluated(task: GraphNodeTask, lookup: Lookup): Evaluated {
  const before = remembered.get(task) ?? [];
  const known = before.find(({ reads }) => isUnchanged(reads, lookup));
  if (known !== undefined) return known;
  const reads = new Map<string, unknown>();
  const ended = evaluateAnew(task, (name, rest) => {
    const value = lookup(name, rest);
    reads.set(name, value);
    return value;
  });
  const made = { ended, reads };
  remembered.set(task, [made, ...before.slice(0, mostRemembered - 1)]);
  return made;
}

function isUnchanged(reads: ReadonlyMap<string, unknown>, lookup: Lookup): boolean {
  for (const [name, value] of reads) if (!Object.is(lookup(name), value)) return false;
  return true;
}

function evaluateAnew(task: GraphNodeTask, lookup: Lookup): Evaluation {
  const { type } = task;
  const input = boundInput(task, lookup);
  if (!input.ok || !('evaluate' in type))
    return input.ok ? { ok: false, code: 'task-error', message: 'the node type takes time.' } : input;
  try {
    return type.evaluate(input.value, { lookup });
  } catch {
    return { ok: false, code: 'task-error', message: 'the node type threw.' };
  }
}
