import type { TaskFlow } from '../document/task-document.ts';
import { isGeneratorFlow } from '../document/generator.ts';
import type { Catalog } from '../graph/nodes/catalog.ts';
import { type FlowOf, outsideWaitIn, type WaitOf } from '../graph/nodes/outside-waits.ts';
import type { TaskGraph } from '../graph/task-graph.ts';
import type { FlowSource } from './files/flow-library.ts';
import { loadTaskGraph } from './load-task-graph.ts';
import { isCodeFile, openFlow } from './open-flow.ts';
import { openPlain } from './open-plain.ts';
import { openSource } from './open-source.ts';
import { isTaskFlow } from './read-task-flow.ts';

type Flows<Source extends FlowSource = FlowSource> = Readonly<Record<string, Source>>;

/** The task flows among an agent's flows, by name. Throws `flow-invalid` for a broken one. */
export function taskFlowsAmong(
  flows: Flows,
  catalog: Catalog,
): { readonly graphs: ReadonlyMap<string, TaskGraph>; readonly sources: Readonly<Record<string, TaskFlow>> } {
  const graphs = new Map<string, TaskGraph>();
  for (const name of taskFlowNames(flows)) {
    const source = flows[name];
    if (source !== undefined) graphs.set(name, loadTaskGraph(source, { catalog, name }));
  }
  const sources = Array.from(graphs, ([name, { document }]) => [name, document] as const);
  return { graphs, sources: Object.fromEntries(sources) };
}

/** The names of the flows that say that they are task flows, even if they are broken. */
export function taskFlowNames(flows: Flows): ReadonlySet<string> {
  return new Set(Object.entries(flows).flatMap(([name, source]) => (isTasks(source) ? [name] : [])));
}

/** Returns a check whether one of these flows may wait for people for longer than a call, and at which task. */
export function waitsAmong(flowOf: FlowOf): WaitOf {
  return (name) => {
    const flow = flowOf(name);
    return flow === null ? null : outsideWaitIn(flow, flowOf);
  };
}

/**
 * The task flows with these names, each read once. Null for a broken one, whose problems are reported when it is
 * checked.
 */
export function readableFlows(flows: Flows, catalog: Catalog): FlowOf {
  const read = new Map<string, TaskGraph | null>();
  const graphOf = (source: FlowSource, name: string): TaskGraph | null => {
    try {
      return loadTaskGraph(source, { catalog, name });
    } catch {
      return null;
    }
  };
  return (name) => {
    const known = read.get(name);
    if (known !== undefined) return known;
    const source = Object.hasOwn(flows, name) ? flows[name] : undefined;
    const graph = source === undefined ? null : graphOf(source, name);
    read.set(name, graph);
    return graph;
  };
}

/** Returns the flows with the task flows that TypeScript files export instead of the files. */
export async function importTaskFlows<Source extends FlowSource>(
  flows: Flows<Source>,
): Promise<Flows<Source | TaskFlow>> {
  const imported: [string, Source | TaskFlow][] = [];
  for (const [name, source] of Object.entries(flows)) {
    // The content of a text file is not read here: it stays a file.
    if (!isCodeFile(source)) {
      imported.push([name, source]);
      continue;
    }
    // A file that cannot be imported is reported when it is used.
    const flow = await openFlow(source).catch(() => source);
    imported.push([name, isTasks(flow) ? (flow as TaskFlow) : source]);
  }
  return Object.fromEntries(imported);
}

function isTasks(source: FlowSource | object): boolean {
  // The export of a code file is known once it is imported.
  if (isGeneratorFlow(source) || isCodeFile(source)) return false;
  const opened = openSource(source, {});
  if (opened.kind === 'text' && saysConversation(opened.source.text)) return false;
  return isTaskFlow(openPlain(source, {}));
}

/**
 * Checks whether a text has a line that says that it is a conversation, as nearly all do: parsing it as YAML takes a
 * hundred times as long. Only the first column of a block mapping is read, which can only have keys of the document.
 */
function saysConversation(text: string): boolean {
  return !/^\s*\{/.test(text) && /^initial_?[nN]ode[ \t]*:/m.test(text);
}
