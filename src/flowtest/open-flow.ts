import { relative } from 'node:path';
import { agentOptions, type OpenedConfig } from '../config/config.ts';
import type { Diagnostic } from '../flow/document/problems/diagnostic.ts';
import { isGeneratorFlow } from '../flow/document/generator.ts';
import type { Graph } from '../flow/graph/graph.ts';
import { checkFlow } from '../flow/load/check-flow.ts';
import type { FlowSource } from '../flow/load/files/flow-library.ts';
import { openFlow as openCode } from '../flow/load/open-flow.ts';
import { flowFile } from '../flow/load/files/flow-file.ts';
import { isFlowText } from '../flow/load/open-source.ts';
import type { Unsaved } from '../flow/load/yaml/read-text.ts';
import { taskFlowNames } from '../flow/load/task-flows.ts';
import { declarationsOf, type FunctionTool } from '../livekit/tools/function-tool.ts';
import { flowRunOf, registeredTools } from '../livekit/tools/tool-registry.ts';
import { builtinCatalog } from '../flow/nodes/builtin.ts';
import { createSharedFlows } from '../runner/shared-flows.ts';
import { arrowsOf } from './arrows.ts';
import { placesOf } from './document/flow-places.ts';
import type { OpenedFlow } from './opened-test.ts';

export type FlowOpening =
  | { readonly flow: OpenedFlow; readonly diagnostics: readonly Diagnostic[] }
  | { readonly flow: null; readonly diagnostics: readonly Diagnostic[]; readonly fault: string | null };

/** Opens the flow of a test from a source, with the code of its configuration if there is one. */
export async function openTestedFlow(
  source: FlowSource,
  config: OpenedConfig | null,
  unsaved?: Unsaved,
): Promise<FlowOpening> {
  const opened = (typeof source === 'string' ? await openCode(source) : source) as FlowSource;
  const catalog = config?.catalog ?? builtinCatalog;
  const given = config === null ? null : agentOptions(config);
  const realTools = [...registeredTools().values(), ...(given?.tools ?? [])];
  const flows = given?.flows ?? {};
  const { graph, tasks, diagnostics } = checkFlow(opened instanceof URL ? opened.pathname : opened, {
    catalog,
    ...(typeof opened === 'string' && !isFlowText(opened) ? { file: shownPath(flowFile(opened)) } : {}),
    ...(unsaved === undefined ? {} : { unsaved }),
    ...(config === null ? {} : { flows: taskFlowNames(flows), declared: declarationsOf(realTools) }),
  });
  if (tasks !== null) return { flow: null, diagnostics: [], fault: 'is a task flow, and tests are of conversations.' };
  if (graph === null) return { flow: null, diagnostics, fault: null };
  const isFile = typeof opened === 'string' && !isFlowText(opened);
  const file = isFile ? shownPath(flowFile(opened)) : typeof source === 'string' ? shownPath(source) : graph.name;
  const own = codeOf(graph);
  const others = Object.values(flows).flatMap((flow) => otherGraph(flow, catalog));
  const rest = others.map(codeOf);
  const { tools: _tools, handlers, ...runner } = given ?? { flows: {}, moves: [], handlers: {} };
  return {
    diagnostics: [],
    flow: {
      file,
      graph,
      arrows: arrowsOf(graph),
      placeOf: isGeneratorFlow(opened) ? () => null : placesOf(opened instanceof URL ? opened.pathname : opened),
      runner: { ...runner, flow: opened, catalog, ...(isAlike(realTools) ? { shared: createSharedFlows() } : {}) },
      tools: [...new Set([own, ...rest].flatMap(({ tools }) => tools))],
      handlers: [...new Set([own, ...rest].flatMap(({ handlers }) => handlers))],
      writing: new Set([own, ...rest].flatMap(({ writing }) => writing)),
      realTools,
      realHandlers: handlers,
    },
  };
}

/**
 * Checks whether tools declare the same in all scenarios, so that the flows need to be compiled only once: a stand-in
 * accepts anything.
 */
function isAlike(tools: readonly FunctionTool[]): boolean {
  return tools.every((tool) => flowRunOf(tool) !== undefined);
}

/** A path for people, relative to the working directory. */
export function shownPath(path: string): string {
  const own = relative(process.cwd(), path);
  return own === '' || own.startsWith('..') ? path : own;
}

/** Other conversations of the configuration that a caller may reach. */
function otherGraph(flow: FlowSource, catalog: Parameters<typeof checkFlow>[1]['catalog']): readonly Graph[] {
  if (isGeneratorFlow(flow)) return [];
  const { graph } = checkFlow(flow instanceof URL ? flow.pathname : flow, { catalog });
  return graph === null ? [] : [graph];
}

/** The code that a flow needs. */
function codeOf(graph: Graph) {
  const nodes = [...graph.nodes.values()];
  const functions = [...graph.functions, ...nodes.flatMap((node) => node.functions)];
  const tools = functions.filter(({ body }) => body === 'tool');
  const actions = nodes.flatMap(({ preActions, postActions }) => [...preActions, ...postActions]);
  return {
    tools: tools.map(({ handler }) => handler),
    handlers: [...functions.map(({ callback }) => callback), ...actions.map(({ handler }) => handler)].filter(
      (name) => name !== null,
    ),
    writing: [
      ...tools.filter(({ write }) => write).map(({ handler }) => handler),
      ...actions.map(({ handler }) => handler).filter((name) => name !== null),
    ],
  };
}
