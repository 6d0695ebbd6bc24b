import { suggestion } from '../document/problems/suggestion.ts';
import type { Graph } from '../graph/graph.ts';
import type { NodeSources } from '../graph/nodes/node-source.ts';
import { type Report, tell } from '../graph/report.ts';

/** The output that holds the decision of a built-in node, by its type. */
const decided: ReadonlyMap<string, string> = new Map([
  ['control.switch', 'route'],
  ['control.if', 'condition'],
]);

/** Reports edges that wait for a decision without a function that makes it, and decisions that nothing reads. */
export function checkDecisions(report: Report, graph: Graph, sources: NodeSources): void {
  checkUnread(report, graph, sources);
  for (const [index, { when }] of (graph.document.edges ?? []).entries()) {
    const { var: name, value } = when?.equals ?? {};
    if (typeof name !== 'string' || typeof value !== 'string') continue;
    const [id = '', field] = name.split('.');
    const interrupt = graph.nodes.get(id)?.interrupt;
    // What an output is made of besides only its author knows.
    if (interrupt?.options == null || interrupt.output !== null || field !== 'decision') continue;
    const { options } = interrupt;
    // Options that are bound are not known yet.
    if (options.includes(value) || options.some((one) => one.includes('{{'))) continue;
    const fact = `"${value}" is none of the options of node "${id}", so this never holds.`;
    const hint = suggestion(value, options) ?? `Name one of ${options.join(', ')}.`;
    tell(report, 'warning', 'never-decided', ['edges', index, 'when', 'equals', 'value'], fact, { hint });
  }
}

/** A decision without an edge that reads it always leads the same way. */
function checkUnread(report: Report, graph: Graph, sources: NodeSources): void {
  const read = new Set(report.names.map(({ reference: [name] }) => name));
  for (const { id, path } of sources.values()) {
    const field = decided.get(graph.nodes.get(id)?.task?.type.name ?? '');
    if (field === undefined || read.has(id)) continue;
    const fact = `nothing reads "${id}.${field}", so this decides nothing.`;
    const hint = `Write edges with when: { equals: { var: ${id}.${field}, value: … } }.`;
    tell(report, 'warning', 'unread-route', [...path, 'type'], fact, { hint });
  }
}
