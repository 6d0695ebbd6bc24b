import { extname } from 'node:path';
import type { TaskFlow } from '../flow/task-document.ts';
import { isGeneratorFlow } from '../flow/generator.ts';
import type { Catalog } from '../graph/catalog.ts';
import type { TaskGraph } from '../graph/task-graph.ts';
import type { FlowSource } from './flow-library.ts';
import { loadTaskGraph } from './load-task-graph.ts';
import { openPlain } from './open-plain.ts';
import { isTaskFlow } from './read-task-flow.ts';

/** The task flows among an agent's flows, by name. Throws `flow-invalid` for a broken one. */
export function taskFlowsAmong(
  flows: Readonly<Record<string, FlowSource>>,
  catalog: Catalog,
): { readonly graphs: ReadonlyMap<string, TaskGraph>; readonly sources: Readonly<Record<string, TaskFlow>> } {
  const graphs = new Map<string, TaskGraph>();
  for (const [name, source] of Object.entries(flows)) {
    // What code exports is known once it is imported: a task flow in TypeScript is given as the object that it is.
    if (isGeneratorFlow(source) || (typeof source === 'string' && /^\.[cm]?[jt]s$/.test(extname(source)))) continue;
    if (isTaskFlow(openPlain(source, {}))) graphs.set(name, loadTaskGraph(source, { catalog, name }));
  }
  const sources = Array.from(graphs, ([name, { document }]) => [name, document] as const);
  return { graphs, sources: Object.fromEntries(sources) };
}
