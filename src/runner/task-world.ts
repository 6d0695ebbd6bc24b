import { FlowError } from '../errors.ts';
import type { EffectKey } from '../events/effect.ts';
import type { Json } from '../events/json.ts';
import { once } from '../flow/schema-shape.ts';
import { suggestion } from '../flow/suggestion.ts';
import type { TaskFlow } from '../flow/task-document.ts';
import type { Catalog } from '../graph/catalog.ts';
import type { NodeTool } from '../graph/node-type.ts';
import type { TaskGraph } from '../graph/task-graph.ts';
import { loadTaskGraph } from '../load/load-task-graph.ts';
import { createMemoryCache } from '../nodes/memory-cache.ts';
import type { AskPerson, Channel } from '../ports/channel.ts';
import type { Log } from '../ports/log.ts';
import type { Metrics } from '../ports/metrics.ts';
import type { Model } from '../ports/model.ts';
import type { Clock, Ids, Random } from '../ports/time.ts';
import type { Cache, SessionValues } from '../ports/values.ts';
import { toolsByName } from '../livekit/tools/flow-tool.ts';
import type { FunctionTool } from '../livekit/tools/function-tool.ts';
import { nodeTool } from '../livekit/tools/node-tool.ts';
import { defaultLanguage, languageOf } from '../reading/language-of.ts';
import { systemClock, systemIds, systemRandom } from '../system.ts';
import { createOpenTelemetryMetrics, createPinoLog } from '../livekit/telemetry.ts';
import type { TaskWorld } from '../tasks/one-run.ts';
import { outputsOf, runTasks } from '../tasks/run-tasks.ts';
import { scopeOf } from './task-scope.ts';

/** A task flow: its file, its text, or a flow written in TypeScript. */
export type TaskFlowSource = string | URL | TaskFlow;

/** The models, tools, log and cache that tasks may use. */
export interface TaskWorldOptions {
  /** Flows that tasks may run, by name. */
  readonly flows?: Readonly<Record<string, TaskFlowSource>>;
  /** The language in which the answers of a person are read, as a BCP 47 tag; English where absent. */
  readonly language?: string;
  /** The model of agents that name none. */
  readonly model?: Model;
  /** Models that agents name in their config. */
  readonly models?: Readonly<Record<string, Model>>;
  /** The tools that agents may name, besides those that `flowTool` has registered. */
  readonly tools?: readonly FunctionTool[];
  /** Where `system.log` writes; pino on the error output where absent. */
  readonly log?: Log;
  /** Where `system.metrics` records; OpenTelemetry where absent. */
  readonly metrics?: Metrics;
  /** What `system.cache` keeps; shared by all runs of the process where absent. */
  readonly cache?: Cache;
  readonly clock?: Clock;
  readonly ids?: Ids;
  readonly random?: Random;
}

/** The context of tasks in the session of this id; `hooks` connect it to the run. */
export function createTaskWorld(
  options: TaskWorldOptions,
  catalog: Catalog,
  sessionId: string,
  hooks: Pick<TaskWorld, 'onAgentRun' | 'waits'> & {
    readonly asking: () => Required<Pick<Channel, 'ask'>> | undefined;
    /** The values that the session keeps, by key; none where absent. */
    readonly values?: Map<string, Json>;
    /** A variable of the conversation around, which hears of what an attempt sets as the attempt ends. */
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
      return channel === undefined ? undefined : (...question) => channel.ask(...question, reader);
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

/** How deep flows may run flows. */
const deepestFlow = 32;

/** All runs of the process share these where they are given none. */
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

/** The writes under way, by the keys of their calls. */
type Writing = Map<EffectKey, ReturnType<NodeTool['execute']>>;

/** The same function; a write that an attempt before has begun is waited for, and not begun beside it. */
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

/** Finds flows by name and resolves each once. Throws `flow-unknown` or `flow-invalid`. */
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
