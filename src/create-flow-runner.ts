import { FlowError } from './errors.ts';
import type { Event } from './events/event.ts';
import type { Json, JsonObject } from './events/json.ts';
import { tooDeep } from './expression/depth.ts';
import type { Lookup } from './expression/path.ts';
import { suggestion } from './flow/suggestion.ts';
import type { TaskFlow } from './flow/task-document.ts';
import type { Catalog } from './graph/catalog.ts';
import type { TaskGraph } from './graph/task-graph.ts';
import { createHub, type EventHub } from './hub/create-hub.ts';
import { loadTaskGraph } from './load/load-task-graph.ts';
import { builtinCatalog } from './nodes/builtin.ts';
import { createMemoryCache } from './nodes/memory-cache.ts';
import type { Channel } from './ports/channel.ts';
import type { Log } from './ports/log.ts';
import type { Metrics } from './ports/metrics.ts';
import type { Model } from './ports/model.ts';
import type { Clock, Ids, Random } from './ports/time.ts';
import type { Cache, SessionValues } from './ports/values.ts';
import { registeredTools } from './session/flow-tool.ts';
import type { FunctionTool } from './session/function-tool.ts';
import { nodeTool } from './session/node-tool.ts';
import { systemClock, systemIds, systemRandom } from './session/system.ts';
import { createOpenTelemetryMetrics, createPinoLog } from './session/telemetry.ts';
import { createChannels } from './tasks/channels.ts';
import { outputsOf, runTasks, type TaskPlace, type TasksEnd, type TaskWorld } from './tasks/run-tasks.ts';
import type { TaskScope } from './tasks/step.ts';
import type { RunOutcome } from './tasks/task-state.ts';
import { assertInput } from './turn/input.ts';

/** A task flow: its file, its text, or a flow written in TypeScript. */
export type TaskFlowSource = string | URL | TaskFlow;

export interface FlowInstanceOptions {
  /** The run's id; a new one where absent. */
  readonly sessionId?: string;
  /** Values for the flow's `input`. */
  readonly input?: JsonObject;
  readonly channels?: readonly Channel[];
  /** Outweighs the policy of the document. */
  readonly policy?: Partial<TaskGraph['policy']>;
  /** Flows that tasks may run, by name. */
  readonly flows?: Readonly<Record<string, TaskFlowSource>>;
  /** The model of agents that name none. */
  readonly model?: Model;
  /** Models that agents name in their config. */
  readonly models?: Readonly<Record<string, Model>>;
  /** The tools that agents may name, besides those registered by `flowTool`. */
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

export type FlowStatus = 'idle' | 'running' | RunOutcome;

export interface FlowRunResult {
  /** By node id; a task that failed or was skipped has none, unless it continues on errors. */
  readonly outputs: JsonObject;
  /** All events of the run, those of its channels included. */
  readonly events: readonly Event[];
  readonly durationMs: number;
  readonly status: RunOutcome;
  /** Failures that no `continue_on_error` has handled, the first one first. */
  readonly failures: TasksEnd['failures'];
}

/** Whether a message has reached a run of an agent; `run-over` where there is none, or not any more. */
export type SendOutcome =
  | { readonly ok: true; readonly runId: string }
  | { readonly ok: false; readonly code: 'run-over'; readonly message: string };

/** One run of a task flow, which is a hub as well: whoever subscribes to it hears all that happens. */
export interface FlowInstance extends EventHub {
  readonly sessionId: string;
  readonly status: FlowStatus;
  /** Attaches a channel; once the session has started it starts at once. */
  attach(channel: Channel): this;
  /** Starts the channels before the run, which else does so itself. */
  startSession(): this;
  /** Runs the flow to its end. A failure is told in the result; only a second run rejects, with `already-run`. */
  run(): Promise<FlowRunResult>;
  /** Says something to one run of an agent, which the event `agent:start` names. */
  sendToRun(runId: string, message: string): SendOutcome;
  /** Says something to the latest run of a node's agent that has not ended. */
  sendTo(nodeId: string, message: string): SendOutcome;
  /** Lets one run of an agent end once it has answered. */
  closeRun(runId: string): SendOutcome;
  /** Ends the run: what runs is aborted, but for writes, which are waited for. */
  abort(): void;
}

/** How deep flows may run flows. */
const deepestFlow = 32;
/** How deep an input may nest: as deep as a document. */
const deepestInput = 64;

/** All runs of the process share one where they are given none. */
const sharedCache = createMemoryCache(systemClock);

/**
 * Prepares one run of a task flow, with the built-in node types unless others are given. Throws `flow-invalid` with every
 * problem of a broken flow, and `input-missing`, `input-invalid` or `input-unknown` for its input.
 */
export function createFlowRunner(
  flow: TaskFlowSource,
  registry: Catalog = builtinCatalog,
  options: FlowInstanceOptions = {},
): FlowInstance {
  const { clock = systemClock, ids = systemIds, random = systemRandom, cache = sharedCache } = options;
  const graph = loadTaskGraph(flow, { catalog: registry });
  const input = inputOf(graph, options.input ?? {});
  const sessionId = options.sessionId ?? ids.create('session');
  const hub = createHub({ clock, ids, sessionId }).scoped({
    flowId: graph.name,
    flowRunId: ids.create('flow-run'),
  });
  const channels = createChannels(hub, clock);
  const abortion = new AbortController();
  const agentRuns = new Map<string, string>();
  let status: FlowStatus = 'idle';
  for (const channel of options.channels ?? []) channels.attach(channel);

  const flows = options.flows ?? {};
  const compiled = new Map<string, TaskGraph>();
  const flowOf = (name: string): TaskGraph => {
    const known = compiled.get(name);
    if (known !== undefined) return known;
    const source = Object.hasOwn(flows, name) ? flows[name] : undefined;
    if (source === undefined) {
      const hint = suggestion(name, Object.keys(flows)) ?? 'Register it under flows.';
      throw new FlowError('unknown-flow', `no task flow is called "${name}". ${hint}`);
    }
    const one = loadTaskGraph(source, { catalog: registry, name });
    compiled.set(name, one);
    return one;
  };
  const runFlow = async (name: string, given: JsonObject, place: TaskPlace): Promise<JsonObject> => {
    if (place.depth > deepestFlow)
      throw new FlowError('flow-too-deep', `flows run each other deeper than ${deepestFlow}: "${name}" does, at last.`);
    const inner = flowOf(name);
    return outputsOf(await runTasks(scopeOf(inner, inputOf(inner, given), inner.policy), place, worldOf()));
  };
  const values = new Map<string, Json>();
  const state: SessionValues = {
    get: (key) => Promise.resolve(values.get(key)),
    set: (key, value) => Promise.resolve(void values.set(key, value)),
  };
  const tools = new Map([...registeredTools(), ...(options.tools ?? []).map((tool) => [tool.name, tool] as const)]);
  const log = options.log ?? createPinoLog();
  const metrics = options.metrics ?? createOpenTelemetryMetrics();
  const worldOf = (): TaskWorld => {
    const ask = channels.asking();
    return {
      ...{ clock, ids, random, log, metrics, cache, state, runFlow },
      ...(ask === undefined ? {} : { ask: (...question) => ask.ask(...question) }),
      model: (name) => modelOf(name, options),
      tool(name) {
        const tool = tools.get(name);
        return tool === undefined ? null : nodeTool(tool, sessionId);
      },
      onAgentRun(runId, taskId) {
        agentRuns.set(runId, taskId);
        return () => void agentRuns.delete(runId);
      },
    };
  };

  const instance: FlowInstance = {
    ...hub,
    sessionId,
    get status() {
      return status;
    },
    attach(channel) {
      channels.attach(channel);
      if (hasSession) void channels.start();
      return instance;
    },
    startSession() {
      hasSession = true;
      void channels.start();
      return instance;
    },
    async run() {
      if (status !== 'idle')
        throw new FlowError('already-run', `flow "${graph.name}" has been run. Make a new instance for another run.`);
      status = 'running';
      const events: Event[] = [];
      const stopListening = hub.subscribe('*', (event) => events.push(event), { fromSeq: 1 });
      hasSession = true;
      await channels.start();
      const startedAt = clock.now();
      hub.emit('harness:start', { name: graph.name });
      hub.emit('phase:start', { name: phase });
      const place = { prefix: '', key: sessionId, hub, signal: abortion.signal, depth: 0 };
      const end = await runTasks(scopeOf(graph, input, { ...graph.policy, ...options.policy }), place, worldOf());
      status = end.outcome;
      const durationMs = clock.now() - startedAt;
      hub.emit('phase:complete', { name: phase });
      hub.emit('harness:complete', { success: end.outcome === 'complete', durationMs });
      await channels.complete();
      stopListening();
      return { outputs: end.outputs, failures: end.failures, status: end.outcome, durationMs, events };
    },
    sendToRun(runId, message) {
      const nodeId = agentRuns.get(runId);
      if (nodeId === undefined) return over(`run "${runId}" of an agent`);
      hub.emit('session:message', { content: message, runId, nodeId }, { runId, nodeId });
      return { ok: true, runId };
    },
    sendTo(nodeId, message) {
      const latest = [...agentRuns].findLast(([, taskId]) => taskId === nodeId);
      return latest === undefined
        ? over(`run of an agent in node "${nodeId}"`)
        : instance.sendToRun(latest[0], message);
    },
    closeRun(runId) {
      const nodeId = agentRuns.get(runId);
      if (nodeId === undefined) return over(`run "${runId}" of an agent`);
      hub.emit('session:close', { runId }, { runId, nodeId });
      return { ok: true, runId };
    },
    abort: () => abortion.abort(new DOMException('The run was aborted.', 'AbortError')),
  };
  let hasSession = false;
  return instance;
}

/** What the only phase of a flow is called. */
const phase = 'Run Flow';

function scopeOf(graph: TaskGraph, input: JsonObject, policy: TaskGraph['policy']): TaskScope {
  const outer: Lookup = (name) => (name === 'flow' ? { input } : undefined);
  return { ...graph, ...policy, outer };
}

/** What a flow is given, with the defaults of what it is not given. */
function inputOf(graph: TaskGraph, given: JsonObject): JsonObject {
  if (tooDeep(given, deepestInput))
    throw new FlowError(
      'input-invalid',
      `the input of flow "${graph.name}" nests deeper than ${deepestInput} levels, or holds more than a million values.`,
    );
  for (const name of Object.keys(given)) {
    if (graph.input.has(name)) continue;
    const hint = suggestion(name, graph.input.keys()) ?? 'Declare it under input of the flow, or leave it out.';
    throw new FlowError('input-unknown', `flow "${graph.name}" takes no input "${name}". ${hint}`);
  }
  assertInput(graph, given);
  const defaults = [...graph.input.values()].flatMap(({ name, default: value }) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return { ...Object.fromEntries(defaults), ...given };
}

function modelOf(name: string | undefined, { model, models = {} }: FlowInstanceOptions): Model {
  if (name === undefined) {
    if (model !== undefined) return model;
    throw new FlowError('model-missing', 'there is no model for agents that name none. Give the option model.');
  }
  const named = Object.hasOwn(models, name) ? models[name] : undefined;
  if (named !== undefined) return named;
  const hint = suggestion(name, Object.keys(models)) ?? 'Register it under models.';
  throw new FlowError('unknown-model', `no model is called "${name}". ${hint}`);
}

function over(what: string): SendOutcome {
  const message = `there is no ${what} that can be reached. It has ended, or not begun.`;
  return { ok: false, code: 'run-over', message };
}
