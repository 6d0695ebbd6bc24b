import { FlowError } from '../../model/errors.ts';
import type { JsonObject } from '../../model/json.ts';
import { tooDeep } from '../../flow/expression/depth.ts';
import type { Lookup } from '../../flow/expression/path.ts';
import { suggestion } from '../../flow/document/problems/suggestion.ts';
import type { TaskGraph } from '../../flow/graph/task-graph.ts';
import type { TaskScope } from '../../engine/tasks/step.ts';
import { assertInput } from '../../engine/input.ts';

/** Binds a flow to its input. Throws `input-missing`, `input-invalid` or `input-unknown`. */
export function scopeOf(graph: TaskGraph, given: JsonObject, policy?: Partial<TaskGraph['policy']>): TaskScope {
  const input = inputOf(graph, given);
  const outer: Lookup = (name) => (name === 'flow' ? { input } : undefined);
  const taskFlow = { id: graph.name, hash: graph.hash };
  const { failFast = graph.policy.failFast, concurrency = graph.policy.concurrency } = policy ?? {};
  return { ...graph, failFast, concurrency, outer, taskFlow, given };
}

/** Maximum nesting of an input, as for a document. */
const deepestInput = 64;

/** Returns the input of a flow with defaults for missing members. */
function inputOf(graph: TaskGraph, given: JsonObject): JsonObject {
  if (tooDeep(given, deepestInput))
    throw new FlowError(
      'input-invalid',
      `the input of flow "${graph.name}" nests deeper than ${deepestInput} levels, or holds more than a million values.`,
    );
  for (const name of Object.keys(given)) {
    if (graph.input.has(name)) continue;
    const hint = suggestion(name, graph.input.keys()) ?? 'Declare it under input of the flow, or leave it out.';
    throw new FlowError('input-unknown', `flow "${graph.name}" takes no input "${name}". ${hint}`);
  }
  assertInput(graph, given);
  const defaults = [...graph.input.values()].flatMap(({ name, default: value }) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return { ...Object.fromEntries(defaults), ...given };
}
