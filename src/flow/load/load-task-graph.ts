import type { Catalog } from '../graph/nodes/catalog.ts';
import type { TaskGraph } from '../graph/task-graph.ts';
import { FlowError } from '../../model/errors.ts';
import { checkFlow } from './check-flow.ts';
import { FlowInvalidError } from './problems/flow-invalid-error.ts';

/**
 * Reads and resolves a task flow from a path or file URL, a text, or an object. Throws `flow-invalid` with all
 * diagnostics if the flow is broken or is a conversation.
 */
export function loadTaskGraph(source: string | URL | object, options: { catalog: Catalog; name?: string }): TaskGraph {
  const { tasks, graph, diagnostics } = checkFlow(source, options);
  if (tasks !== null) return tasks;
  if (graph !== null)
    throw new FlowError('flow-invalid', `"${graph.name}" is a conversation. Run it by FlowRunner, on a session.`);
  throw new FlowInvalidError(diagnostics[0]?.file ?? 'the flow', diagnostics);
}
