import { FlowError } from '../model/errors.ts';
import { createConversationInstance } from './conversation/conversation-instance.ts';
import { has } from '../flow/document/problems/option-faults.ts';
import { flatOptions, type PlaceOf, placesIn } from './options/flat-options.ts';
import type { FlowRun, FlowRunOptions, RunOptions } from './flow-run.ts';
import type { Catalog } from '../flow/graph/nodes/catalog.ts';
import { checkFlow } from '../flow/load/check-flow.ts';
import type { FlowSource } from '../flow/load/files/flow-library.ts';
import { FlowInvalidError } from '../flow/load/problems/flow-invalid-error.ts';
import { builtinCatalog } from '../flow/nodes/builtin.ts';
import type { FunctionTool } from '../livekit/tools/function-tool.ts';
import type { InputCheck, ToolsCheck } from '../livekit/tools/tools-check.ts';
import { assertRunOptions, isCatalog } from './options/option-faults.ts';
import { createTaskInstance } from './tasks/task-instance.ts';

type Checks<Flow, Tools extends readonly FunctionTool[]> = InputCheck<Flow> & ToolsCheck<Flow, Tools>;

/** The options of a run: required if the flow has a required input or a function that needs a tool. */
type RunArguments<Flow extends FlowSource, Tools extends readonly FunctionTool[]> =
  unknown extends Checks<Flow, Tools>
    ? [options?: FlowRunOptions<Flow> & { readonly tools?: Tools }]
    : [options: FlowRunOptions<Flow> & { readonly tools?: Tools } & Checks<Flow, Tools>];

/**
 * Prepares one run of a task flow or a conversation. A conversation runs on the session of a voice channel, or as text
 * through the channels that take speech; their `send` is the caller's next turn. Throws `flow-invalid` with every problem
 * of a broken flow, `input-missing`, `input-invalid` or `input-unknown` for its input, `config-invalid` for options of a
 * wrong type, and `tool-name-taken` if two tools have the same name.
 *
 * @example
 * const { outputs } = await createFlowRun('postage.yaml', { input: { grams: 12 } }).run();
 */
export function createFlowRun<const Flow extends FlowSource, const Tools extends readonly FunctionTool[] = readonly []>(
  flow: Flow,
  ...[options = {}]: RunArguments<Flow, Tools>
): FlowRun {
  if (!has(options)) throw new FlowError('config-invalid', 'the options must be one object.');
  return createRun(flow, flatOptions(options, ownOptions), placesIn(options, ownOptions));
}

/** Options that a run takes beside the groups. */
const ownOptions: ReadonlySet<string> = new Set<keyof FlowRunOptions>(['catalog', 'clock', 'ids', 'random']);

/** Creates a run with flat options: the door for code of this package. Throws what `createFlowRun` throws. */
export function createRun(flow: FlowSource, options: RunOptions = {}, placeOf?: PlaceOf): FlowRun {
  assertRunOptions(options, placeOf);
  const { catalog = builtinCatalog, ...rest } = options;
  const { tasks, graph, diagnostics } = checkFlow(flow, { catalog });
  if (tasks !== null) return createTaskInstance(tasks, catalog, rest);
  if (graph !== null) return createConversationInstance(flow, graph.name, catalog, rest);
  throw new FlowInvalidError(diagnostics[0]?.file ?? 'the flow', diagnostics);
}

/**
 * Same as `createFlowRun`, with the catalog as the second argument (`undefined` for the built-in one). Throws what
 * `createFlowRun` throws, and `catalog-invalid` if the second argument is not a catalog.
 *
 * @example
 * const { outputs } = await createFlowRunner('postage.yaml', builtinCatalog, { input: { grams: 12 } }).run();
 */
export function createFlowRunner(
  flow: FlowSource,
  registry: Catalog = builtinCatalog,
  options: Omit<FlowRunOptions, 'catalog'> = {},
): FlowRun {
  // Untyped code may omit the catalog.
  if (!isCatalog(registry))
    throw new FlowError(
      'catalog-invalid',
      'the second argument of createFlowRunner is not a catalog of node types. Pass options as the third: ' +
        'createFlowRunner(flow, builtinCatalog, options).',
    );
  return createFlowRun<FlowSource, readonly FunctionTool[]>(flow, { ...options, catalog: registry });
}
