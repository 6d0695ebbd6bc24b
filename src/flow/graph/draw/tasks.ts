import type { TaskPartDocument } from '../../document/task-node.ts';
import { quoted } from './label.ts';
import type { TaskGraph, TaskPart } from '../task-graph.ts';
import { whenText } from './when-text.ts';

/**
 * Draws a task flow as a Mermaid flowchart: its tasks with types and bodies, and their order. Deterministic; names and
 * texts are escaped.
 */
export function drawTasks(graph: TaskGraph): string {
  return `${['flowchart TD', ...linesOf(graph, graph.document, 'n')].join('\n  ')}\n`;
}

/** `prefix` makes the ids of a body unique. */
function linesOf(part: TaskPart, document: TaskPartDocument, prefix: string): readonly string[] {
  const sources = Object.values(document.nodes);
  const nodes = part.nodes.flatMap(({ id, task, body }, index) => {
    const label = quoted([id, task.type.name]);
    const source = sources[index]?.body;
    if (body === null || source === undefined) return [`${prefix}${index}{{${label}}}`];
    const inside = linesOf(body, source, `${prefix}${index}_`).map((line) => `  ${line}`);
    return [`subgraph ${prefix}${index} [${label}]`, ...inside, 'end'];
  });
  const edges = part.edges.map(({ from, to }, index) => {
    const when = document.edges?.[index]?.when;
    return `${prefix}${from} -->${when === undefined ? '' : `|${quoted([whenText(when)])}|`} ${prefix}${to}`;
  });
  return [...nodes, ...edges];
}
