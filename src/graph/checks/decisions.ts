import { suggestion } from '../../flow/suggestion.ts';
import type { Graph } from '../graph.ts';
import { type Report, tell } from '../report.ts';

/** Reports edges that wait for a decision which nobody is offered. */
export function checkDecisions(report: Report, graph: Graph): void {
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
