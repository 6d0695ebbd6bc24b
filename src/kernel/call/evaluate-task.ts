import type { Lookup } from '../../flow/expression/path.ts';
import { boundInput } from '../../flow/graph/compile/bound-input.ts';
import type { GraphNodeTask } from '../../flow/graph/graph.ts';
import type { Evaluation } from '../../flow/graph/nodes/node-type.ts';

/** Evaluates a pure catalog node. The node fails if an author's node type throws. */
export function evaluateTask(task: GraphNodeTask, lookup: Lookup): Evaluation {
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
