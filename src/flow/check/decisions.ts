import { suggestion } from '../document/problems/suggestion.ts';
import type { Graph } from '../graph/graph.ts';
import type { NodeSources } from '../graph/nodes/node-source.ts';
import { type Report, addProblem } from '../graph/report.ts';

/** The output field with the decision of a built-in node, by type. */
const decided: ReadonlyMap<string, string> = new Map([
  ['control.switch', 'route'],
  ['control.if', 'condition'],
]);

/** Reports edges on decisions that can never occur, and decisions that no edge reads. */
export function checkDecisions(report: Report, graph: Graph, sources: NodeSources): void {
  checkUnread(report, graph, sources);
  for (const [index, { when }] of (graph.document.edges ?? []).entries()) {
    const { var: name, value } = when?.equals ?? {};
    if (typeof name !== 'string' || typeof value !== 'string') continue;
    const [id = '', field] = name.split('.');
    const interrupt = graph.nodes.get(id)?.interrupt;
    // An author's own `output` may contain other values.
    if (interrupt?.options == null || interrupt.output !== null || field !== 'decision') continue;
    const { options } = interrupt;
    // Bound options are unknown until run time.
    if (options.includes(value) || options.some((one) => one.includes('{{'))) continue;
    const fact = `"${value}" is not an option of node "${id}", so this never holds.`;
    const hint = suggestion(value, options) ?? `Name one of ${options.join(', ')}.`;
    addProblem(report, 'warning', 'never-decided', ['edges', index, 'when', 'equals', 'value'], fact, { hint });
  }
}

/** Reports decisions without an edge that reads them. */
function checkUnread(report: Report, graph: Graph, sources: NodeSources): void {
  const read = new Set(report.names.map(({ reference: [name] }) => name));
  for (const { id, path } of sources.values()) {
    const field = decided.get(graph.nodes.get(id)?.task?.type.name ?? '');
    if (field === undefined || read.has(id)) continue;
    const fact = `nothing reads "${id}.${field}", so this decides nothing.`;
    const hint = `Write edges with when: { equals: { var: ${id}.${field}, value: … } }.`;
    addProblem(report, 'warning', 'unread-route', [...path, 'type'], fact, { hint });
  }
}
