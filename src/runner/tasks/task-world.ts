import { FlowError } from '../../model/errors.ts';
import type { EffectKey } from '../../model/effect.ts';
import type { Json } from '../../model/json.ts';
import { once } from '../../flow/document/problems/schema-shape.ts';
import { suggestion } from '../../flow/document/problems/suggestion.ts';
import type { TaskFlow } from '../../flow/document/task-document.ts';
import type { Catalog } from '../../flow/graph/nodes/catalog.ts';
import type { NodeTool } from '../../flow/graph/nodes/node-type.ts';
import type { TaskGraph } from '../../flow/graph/task-graph.ts';
import { loadTaskGraph } from '../../flow/load/load-task-graph.ts';
import { createMemoryCache } from '../../flow/nodes/memory-cache.ts';
import type { AskPerson, Channel } from '../../model/ports/channel.ts';
import type { Log } from '../../model/ports/log.ts';
import type { Metrics } from '../../model/ports/metrics.ts';
import type { Model } from '../../model/ports/model.ts';
import type { Clock, Ids, Random } from '../../model/ports/time.ts';
import type { Cache, SessionValues } from '../../model/ports/values.ts';
import { toolsByName } from '../../livekit/tools/flow-tool.ts';
import type { FunctionTool } from '../../livekit/tools/function-tool.ts';
import { nodeTool } from '../../livekit/tools/node-tool.ts';
import { defaultLanguage, languageOf } from '../../language/language-of.ts';
import { systemClock, systemIds, systemRandom } from '../../system.ts';
import { createOpenTelemetryMetrics, createPinoLog } from '../../livekit/telemetry.ts';
import type { TaskWorld } from '../../engine/tasks/one-run.ts';
import { outputsOf, runTasks } from '../../engine/tasks/run-tasks.ts';
import { scopeOf } from './task-scope.ts';

/** A task flow: its file, its text, or a flow written in TypeScript. */
export type TaskFlowSource = string | URL | TaskFlow;

/** Models, tools, log and cache of tasks. */
export interface TaskWorldOptions {
  /** Flows that tasks may run, by name. */
  readonly flows?: Readonly<Record<string, TaskFlowSource>>;
  /** Language in which a person's answers are read, as a BCP 47 tag. Default: English. */
  readonly language?: string;
  /** The default model of agents. */
  readonly model?: Model;
  /** Models that agents name in their config. */
  readonly models?: Readonly<Record<string, Model>>;
  /** Tools that agents may name, besides those registered by `flowTool`. */
  readonly tools?: readonly FunctionTool[];
  /** Target of `system.log`. Default: pino on stderr. */
  readonly log?: Log;
  /** Target of `system.metrics`. Default: OpenTelemetry. */
  readonly metrics?: Metrics;
  /** Storage of `system.cache`. Default: shared by all runs of the process. */
  readonly cache?: Cache;
  readonly clock?: Clock;
  readonly ids?: Ids;
  readonly random?: Random;
}

/** Creates the context of tasks in a session. `hooks` connect it to the run. */
export function createTaskWorld(
  options: TaskWorldOptions,
  catalog: Catalog,
  sessionId: string,
  hooks: Pick<TaskWorld, 'onAgentRun' | 'waits'> & {
    readonly asking: () => Required<Pick<Channel, 'ask'>> | undefined;
    /** The session's stored values by key; none by default. */
    readonly values?: Map<string, Json>;
    /** Returns a variable of the surrounding conversation, which receives an attempt's values when the attempt ends. */
    readonly variableOf?: (name: string) => Json | undefined;
  },
): TaskWorld {
  const { clock = systemClock, ids = systemIds, random = systemRandom, cache = sharedCache } = options;
  const { reader } = languageOf(options.language ?? defaultLanguage);
  const log = options.log ?? usualLog();
  const metrics = options.metrics ?? usualMetrics();
  const flowOf = flowsOf(options.flows ?? {}, catalog);
  const tools = toolsByName(options.tools ?? []);
  const writing: Writing = new Map();
  const world: TaskWorld = {
    ...{
      clock,
      ids,
      random,
      log,
      metrics,
      cache,
      state: valuesIn(hooks.values ?? new Map<string, Json>(), hooks.variableOf),
      onAgentRun: hooks.onAgentRun,
      writing: new Map(),
    },
    ...(hooks.waits === undefined ? {} : { waits: hooks.waits }),
    get ask(): AskPerson | undefined {
      const channel = hooks.asking();
      if (channel === undefined) return undefined;
      return (question, choices, over, takesText) => channel.ask(question, choices, over, reader, takesText);
    },
    model: (name) => modelOf(name, options),
    tool(name) {
      const tool = tools.get(name);
      return tool === undefined ? null : onceAtATime(nodeTool(tool, sessionId), writing);
    },
    async runFlow(name, given, place) {
      if (place.depth > deepestFlow)
        throw new FlowError(
          'flow-too-deep',
          `flows run each other deeper than ${deepestFlow}: "${name}" does, at last.`,
        );
      const now = flowOf(name);
      const graph = place.journal?.versionAt(place.key, now) ?? now;
      return outputsOf(await runTasks(scopeOf(graph, given), place, world));
    },
  };
  return world;
}

/** Maximum nesting of flows that run flows. */
const deepestFlow = 32;

/** Defaults that all runs of the process share. */
const sharedCache = createMemoryCache(systemClock);
const usualLog = once(createPinoLog);
const usualMetrics = once(createOpenTelemetryMetrics);

function valuesIn(
  values: Map<string, Json>,
  variableOf: (name: string) => Json | undefined = () => undefined,
): SessionValues {
  return {
    get: (key) => Promise.resolve(variableOf(key) ?? values.get(key)),
    set: (key, value) => Promise.resolve(void values.set(key, value)),
  };
}

/** The running writes, by the keys of their calls. */
type Writing = Map<EffectKey, ReturnType<NodeTool['execute']>>;

/** Wraps a tool so that a write begun by an earlier attempt is awaited instead of started again. */
function onceAtATime(tool: NodeTool, writing: Writing): NodeTool {
  if (tool.writes !== true) return tool;
  return {
    ...tool,
    execute(key, ...call) {
      const known = writing.get(key);
      if (known !== undefined) return known;
      const outcome = tool.execute(key, ...call);
      writing.set(key, outcome);
      void outcome.then(() => writing.delete(key));
      return outcome;
    },
  };
}

/** Finds flows by name and compiles each once. Throws `flow-unknown` or `flow-invalid`. */
export function flowsOf(
  flows: Readonly<Record<string, TaskFlowSource>>,
  catalog: Catalog,
): (name: string) => TaskGraph {
  const compiled = new Map<string, TaskGraph>();
  return (name) => {
    const known = compiled.get(name);
    if (known !== undefined) return known;
    const source = Object.hasOwn(flows, name) ? flows[name] : undefined;
    if (source === undefined) {
      const hint = suggestion(name, Object.keys(flows)) ?? 'Register it under flows.';
      throw new FlowError('flow-unknown', `no task flow is called "${name}". ${hint}`);
    }
    const one = loadTaskGraph(source, { catalog, name });
    compiled.set(name, one);
    return one;
  };
}

function modelOf(name: string | undefined, { model, models = {} }: TaskWorldOptions): Model {
  if (name === undefined) {
    if (model !== undefined) return model;
    throw new FlowError('model-missing', 'there is no model for agents that name none. Give the option model.');
  }
  const named = Object.hasOwn(models, name) ? models[name] : undefined;
  if (named !== undefined) return named;
  const hint = suggestion(name, Object.keys(models)) ?? 'Register it under models.';
  throw new FlowError('model-missing', `no model is called "${name}". ${hint}`);
}
