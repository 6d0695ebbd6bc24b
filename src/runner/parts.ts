import { languageTagSchema } from '../flow/document/language-tag.ts';
import { type ConversationTasks, createConversationTasks } from './tasks/conversation-tasks.ts';
import { FlowError } from '../model/errors.ts';
import type { Json } from '../model/json.ts';
import { classic, promptedFlow } from '../flow/document/classic.ts';
import { fallbackFault } from '../flow/document/known-flows.ts';
import { takenFlowNames } from '../engine/commands.ts';
import { policyFaults } from '../engine/policy/policy-schema.ts';
import type { ConversationFlow } from '../flow/document/document.ts';
import { taskFlowTool } from '../flow/graph/compile/function.ts';
import type { Graph } from '../flow/graph/graph.ts';
import type { TaskGraph } from '../flow/graph/task-graph.ts';
import { createFlowLibrary, type FlowLibrary, type FlowSource } from '../flow/load/files/flow-library.ts';
import { taskFlowsAmong, waitsAmong } from '../flow/load/task-flows.ts';
import { builtinCatalog } from '../flow/nodes/builtin.ts';
import type { Hub } from '../model/ports/hub.ts';
import type { RunnerOptions } from './options/runner-options.ts';
import { type CallerQuestions, createCallerQuestions } from '../livekit/agent/caller-questions.ts';
import { toolsByName } from '../livekit/tools/flow-tool.ts';
import { declarationsOf } from '../livekit/tools/function-tool.ts';
import type { Functions } from '../livekit/tools/run-function.ts';
import { sessionModel } from '../livekit/model/session-model.ts';
import { systemCivilTime, systemClock, systemIds, systemRandom, systemTimeZone } from '../system.ts';
import { followUpTool } from './follow-ups.ts';
import { createSharedFlows } from './shared-flows.ts';
import { mayAsk } from '../engine/tasks/asking.ts';
import type { GeneratorHost } from '../engine/generators/generators.ts';
import { assertInput } from '../engine/input.ts';

/** The parts of a conversation, created before it begins. */
export interface RunnerParts {
  readonly library: FlowLibrary;
  /** The flow that the conversation begins with. */
  readonly graph: Graph;
  readonly functions: Functions;
  readonly tasks: ConversationTasks;
  /** Questions of tasks to the caller. */
  readonly questions: CallerQuestions;
  readonly generators: GeneratorHost;
}

/**
 * Creates the flows and functions of a runner. Throws `config-invalid`, `flow-invalid`,
 * `flow-missing`, `flow-name-taken`, `input-missing` or `input-invalid`.
 */
export function createRunnerParts(
  given: RunnerOptions,
  sessionId: string,
  hub: Hub,
  report: (error: unknown) => void,
): RunnerParts {
  const options = withFollowUps(given);
  const { catalog = builtinCatalog, shared = createSharedFlows() } = options;
  const faults = policyFaults(options);
  if (faults.length > 0) throw new FlowError('config-invalid', faults.join('\n  '));
  assertLanguage(options);
  assertFlowNames(options);
  assertFallback(options);
  const taskFlows = shared.taskFlows(() => taskFlowsAmong(options.flows ?? {}, catalog));
  const model = sessionModel(options.session);
  const questions = createCallerQuestions(sessionId, options.clock ?? systemClock);
  const tasks = createConversationTasks(
    { ...options, flows: taskFlows.sources, ...(model === null ? {} : { model }) },
    catalog,
    sessionId,
    hub,
    questions,
    (name) => taskFlows.graphs.get(name) ?? null,
    report,
  );
  const bodies = [...taskFlows.graphs].map(([name, graph]) => tasks.toolOf(name, graph));
  const taskFlowOf = (name: string): TaskGraph | null => taskFlows.graphs.get(name) ?? null;
  const { httpTools: hosts = {} } = options;
  const functions: Functions = {
    tools: toolsByName([...(options.tools ?? []), ...bodies]),
    handlers: new Map(Object.entries(options.handlers ?? {})),
    http: { hosts, env: process.env },
    asking: new Set(
      [...taskFlows.graphs].flatMap(([name, graph]) => (mayAsk(graph, taskFlowOf) ? taskFlowTool(name) : [])),
    ),
  };
  const prompted = shared.prompted(() => promptedFlow(options));
  const library = shared.library(() =>
    createFlowLibrary(
      { ...(prompted === null ? {} : { [classic]: prompted }), ...options.flows },
      {
        catalog,
        ...(options.language === undefined ? {} : { language: options.language }),
        functions: new Set(functions.tools.keys()),
        handlers: new Set(functions.handlers.keys()),
        hosts,
        flows: new Set(taskFlows.graphs.keys()),
        waitOf: waitsAmong(taskFlowOf),
        conversations: new Set(Object.keys(options.flows ?? {}).filter((name) => !taskFlows.graphs.has(name))),
        declared: declarationsOf(functions.tools.values(), tasks.waiting),
        fallback: options.fallback ?? (prompted === null ? null : classic),
      },
    ),
  );
  const graph = library.compile(flowOf(options, prompted));
  assertInput(graph, options.input ?? {});
  return { library, graph, functions, tasks, questions, generators: generatorHost(options, library, report) };
}

function withFollowUps(options: RunnerOptions): RunnerOptions {
  const { followUps, store, clock = systemClock, ids = systemIds, tools = [] } = options;
  if (followUps === undefined) return options;
  const { timeZone: zone = systemTimeZone() } = options;
  const tool = followUpTool(() =>
    typeof store === 'object'
      ? { store, clock, ids, zone, civil: systemCivilTime, reach: followUps.reach ?? 'wait' }
      : null,
  );
  return { ...options, tools: [...tools, tool] };
}

/** Throws `config-invalid` if the language is not a tag. */
function assertLanguage({ language }: RunnerOptions): void {
  const [fault] = languageTagSchema.optional().safeParse(language).error?.issues ?? [];
  if (fault !== undefined) throw new FlowError('config-invalid', `language: ${fault.message}.`);
}

/** Throws `config-invalid` for an unknown fallback flow. */
function assertFallback(options: RunnerOptions): void {
  const fault = fallbackFault(options);
  if (fault !== null) throw new FlowError('config-invalid', fault);
}

/** Throws `flow-name-taken` for flows that cannot be reached by their name. */
function assertFlowNames({ flows = {}, commands }: RunnerOptions): void {
  for (const fault of takenFlowNames(Object.keys(flows), commands))
    throw new FlowError('flow-name-taken', `flows.${fault}`);
}

/** Creates the host of generators: their context, and the flows they may hand off to. */
function generatorHost(options: RunnerOptions, library: FlowLibrary, report: (error: unknown) => void): GeneratorHost {
  const { random = systemRandom, user = {}, replyTarget = null, resources = {} } = options;
  const open = async (to: string, input: Json): Promise<Graph | null> => {
    const graph = await library.open(to);
    if (graph !== null) assertInput(graph, input);
    return graph;
  };
  return {
    random,
    user,
    replyTarget,
    resources,
    onError: (error) => options.onFlowError?.(error),
    generatorOf: (name) => library.generatorOf(name),
    interrupts: builtinCatalog,
    resolve: (to, input) =>
      open(to, input).catch((error: unknown) => {
        report(error);
        throw error;
      }),
  };
}

/** Returns the flow that the conversation begins with. Throws `flow-missing`. */
function flowOf({ flow }: RunnerOptions, prompted: ConversationFlow | null): FlowSource {
  const begun = flow ?? prompted;
  if (begun !== null) return begun;
  throw new FlowError('flow-missing', 'there is neither a flow nor a prompt. Give one of them.');
}
