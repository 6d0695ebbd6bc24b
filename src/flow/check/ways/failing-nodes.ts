import type { Graph, GraphTask } from '../../graph/graph.ts';
import type { NodeSources } from '../../graph/nodes/node-source.ts';
import type { TaskPart } from '../../graph/task-graph.ts';
import { type Report, addProblem } from '../../graph/report.ts';
import { placeOf } from '../place.ts';

/** Reports catalog nodes whose failure would end the call, because no target is defined for it. */
export function checkFailingNodes(report: Report, graph: Graph, sources: NodeSources): void {
  if (graph.trouble.onError !== null || graph.onTrouble !== null) return;
  for (const source of sources.values()) {
    const node = graph.nodes.get(source.id);
    if (node?.task == null || node.trouble.onError !== null || node.task.policy.continueOnError) continue;
    if (!mayFail(node.task, node.task.body)) continue;
    const { path, atKey } = placeOf(source);
    addProblem(
      report,
      'warning',
      'no-way-on-failure',
      path,
      `node "${source.id}" may fail, and where it does the call ends with an apology.`,
      {
        hint: 'Add on_error to it or on_trouble to the flow: the node that is to go on, such as one with a person.',
        atKey,
      },
    );
  }
}

/** Checks whether a node can fail for reasons outside the document: a model, a flow in code, a node pack. */
function mayFail({ type }: GraphTask, body: TaskPart | null): boolean {
  if (body !== null) return body.nodes.some((node) => mayFail(node.task, node.body));
  // A missing body is a different problem.
  if (type.bodyNames !== undefined) return false;
  const { fails, neverFails, asksPerson } = type.capabilities ?? {};
  return 'run' in type && fails !== true && neverFails !== true && asksPerson !== true;
}
