import type { TaskPartDocument } from '../../document/task-node.ts';
import { quoted } from './label.ts';
import type { TaskGraph, TaskPart } from '../task-graph.ts';
import { whenText } from './when-text.ts';

/**
 * A task flow as a Mermaid flowchart: its tasks with their types, what is repeated inside of them, and what runs after
 * what. The same graph gives the same text, and no name or wording in it is read as Mermaid.
 */
export function drawTasks(graph: TaskGraph): string {
  return `${['flowchart TD', ...linesOf(graph, graph.document, 'n')].join('\n  ')}\n`;
}

/** `prefix` is what the ids begin with, so that those of a body are its own. */
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
