import type { OpenedConfig } from '../../config/config.ts';
import { FlowError } from '../../model/errors.ts';
import type { JsonObject } from '../../model/json.ts';
import { isGeneratorFlow } from '../../flow/document/generator.ts';
import type { Graph, GraphFunction } from '../../flow/graph/graph.ts';
import type { FlowSource } from '../../flow/load/files/flow-library.ts';
import { FlowInvalidError } from '../../flow/load/problems/flow-invalid-error.ts';
import type { FunctionTool } from '../../livekit/tools/function-tool.ts';
import { registeredTools } from '../../livekit/tools/tool-registry.ts';
import type { Handler } from '../../livekit/tools/run-function.ts';
import { pretendedResult } from './pretended-result.ts';
import { checkSource } from '../flows/sources.ts';

export interface Pretended {
  /** The functions and handlers for which the flow has no code. */
  readonly names: readonly string[];
  readonly tools: readonly FunctionTool[];
  readonly handlers: Readonly<Record<string, Handler>>;
}

/**
 * Creates functions and handlers for names in flows that are not registered, so that a flow can be tried before its
 * code exists. Each result leads to a next node. `all` replaces registered code too. Throws `flow-invalid` for a task
 * flow and for faults in a flow other than missing code.
 */
export async function pretendFor(
  flows: readonly FlowSource[],
  { tools = [], serverTools = () => [], handlers = {}, httpTools, catalog }: OpenedConfig,
  all = false,
): Promise<Pretended> {
  const graphs = await Promise.all(
    flows.filter((flow) => !isGeneratorFlow(flow)).map((flow) => graphOf(flow, catalog)),
  );
  // This module loads LiveKit, which is slow. Wrong flows are reported first.
  const { standInTools } = await import('../../testing/stand-in.ts');
  const nodes = graphs.flatMap((graph) => [...graph.nodes.values()]);
  const functions = [...graphs.flatMap((graph) => graph.functions), ...nodes.flatMap((node) => node.functions)];
  const registered = new Set(
    all ? [] : [...registeredTools().keys(), ...[...tools, ...serverTools()].map(({ name }) => name)],
  );
  const missing = (names: readonly (string | null)[], isThere: (name: string) => boolean): string[] =>
    [...new Set(names)].filter((name): name is string => name !== null && !isThere(name));
  // Requests that the configuration allows are sent.
  const requests = httpTools === undefined ? [] : graphs.flatMap(({ tools: own }) => [...own.keys()]);
  const ownTools = missing(
    functions.map((one) => (one.body === 'tool' || isIdle(one) ? one.handler : null)),
    (name) => registered.has(name) || requests.includes(name),
  );
  const ownHandlers = missing(
    [
      ...functions.map(({ callback }) => callback),
      ...nodes.flatMap(({ preActions, postActions }) => [...preActions, ...postActions].map(({ handler }) => handler)),
    ],
    (name) => Object.hasOwn(handlers, name),
  );
  return {
    names: [...ownTools, ...ownHandlers],
    tools: standInTools(
      Object.fromEntries(
        ownTools.map((name) => {
          const own = functions.filter(({ handler }) => handler === name);
          return [name, (input: JsonObject) => pretendedResult(own, input)];
        }),
      ),
    ),
    handlers: Object.fromEntries(ownHandlers.map((name) => [name, () => undefined])),
  };
}

/** Checks whether a function does nothing unless code is registered under its name. */
function isIdle({ body, target, callback, parameters }: GraphFunction): boolean {
  const takesNothing = Object.keys(parameters['properties'] ?? {}).length === 0;
  return body === 'edge' && target === null && callback === null && takesNothing;
}

async function graphOf(flow: FlowSource, catalog: OpenedConfig['catalog']): Promise<Graph> {
  const source = flow instanceof URL ? flow.pathname : flow;
  const { graph, tasks, diagnostics } = await checkSource(source, null, catalog);
  if (tasks !== null)
    throw new FlowError(
      'flow-invalid',
      `"${tasks.name}" is a task flow. Run it: roomflow run ${typeof source === 'string' ? source : 'FILE'}`,
    );
  if (graph === null) throw new FlowInvalidError(diagnostics[0]?.file ?? 'the flow', diagnostics);
  return graph;
}
