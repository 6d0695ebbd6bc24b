import { FlowError } from './errors.ts';
import type { Event } from './events/event.ts';
import type { JsonObject } from './events/json.ts';
import type { Catalog } from './graph/catalog.ts';
import type { TaskGraph } from './graph/task-graph.ts';
import { createHub, type EventHub } from './hub/create-hub.ts';
import { loadTaskGraph } from './load/load-task-graph.ts';
import { builtinCatalog } from './nodes/builtin.ts';
import type { Channel } from './ports/channel.ts';
import { systemClock, systemIds } from './session/system.ts';
import { createTaskWorld, scopeOf, type TaskFlowSource, type TaskWorldOptions } from './task-world.ts';
import { createChannels } from './tasks/channels.ts';
import { runTasks, type TasksEnd } from './tasks/run-tasks.ts';
import type { RunOutcome } from './tasks/task-state.ts';

export interface FlowInstanceOptions extends TaskWorldOptions {
  /** The run's id; a new one where absent. */
  readonly sessionId?: string;
  /** Values for the flow's `input`. */
  readonly input?: JsonObject;
  readonly channels?: readonly Channel[];
  /** Outweighs the policy of the document. */
  readonly policy?: Partial<TaskGraph['policy']>;
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

/**
 * Prepares one run of a task flow, with the built-in node types unless others are given. Throws `flow-invalid` with every
 * problem of a broken flow, and `input-missing`, `input-invalid` or `input-unknown` for its input.
 */
export function createFlowRunner(
  flow: TaskFlowSource,
  registry: Catalog = builtinCatalog,
  options: FlowInstanceOptions = {},
): FlowInstance {
  const { clock = systemClock, ids = systemIds } = options;
  const graph = loadTaskGraph(flow, { catalog: registry });
  const scope = scopeOf(graph, options.input ?? {}, options.policy);
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

  const world = createTaskWorld(options, registry, sessionId, {
    asking: () => channels.asking(),
    onAgentRun(runId, taskId) {
      agentRuns.set(runId, taskId);
      return () => void agentRuns.delete(runId);
    },
  });

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
      const end = await runTasks(scope, place, world);
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

function over(what: string): SendOutcome {
  const message = `there is no ${what} that can be reached. It has ended, or not begun.`;
  return { ok: false, code: 'run-over', message };
}
