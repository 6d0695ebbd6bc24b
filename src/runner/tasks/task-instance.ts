import { FlowError } from '../../model/errors.ts';
import type { EffectKey } from '../../model/effect.ts';
import type { Json } from '../../model/json.ts';
import { openTaskRun, type TaskRun } from './durable-tasks.ts';
import type { FlowRun, RunOptions } from '../flow-run.ts';
import type { Catalog } from '../../flow/graph/nodes/catalog.ts';
import type { TaskGraph, TaskPart } from '../../flow/graph/task-graph.ts';
import { createHub } from '../../engine/hub/create-hub.ts';
import { loadTaskGraph } from '../../flow/load/load-task-graph.ts';
import { createInstance, type RunWork } from './run-instance.ts';
import { runPlace } from './run-place.ts';
import { systemClock, systemIds } from '../../system.ts';
import { scopeOf } from './task-scope.ts';
import type { CallingSession } from './task-run-state.ts';
import { createTaskWorld, flowsOf, type TaskWorldOptions } from './task-world.ts';
import { createAgentRuns } from '../../engine/tasks/agent-runs.ts';
import { ownerName } from '../../engine/session/process-owner.ts';
import { sureQuestion } from '../../engine/tasks/asking.ts';
import type { FlowOf } from '../../flow/graph/nodes/outside-waits.ts';
import type { Channels } from '../../engine/tasks/channels.ts';
import { runTasks } from '../../engine/tasks/run-tasks.ts';

/** Options of a task run. */
export interface TaskInstanceOptions extends Omit<RunOptions, 'catalog'> {
  /** The call whose outcome the run is. A continued run keeps its original call. */
  readonly calledBy?: CallingSession;
}

/** Prepares one task run. Throws input errors. */
export function createTaskInstance(graph: TaskGraph, registry: Catalog, options: TaskInstanceOptions): FlowRun {
  const { clock = systemClock, ids = systemIds, channels: attached = [] } = options;
  const { name } = graph;
  const sessionId = options.sessionId ?? ids.create('session');
  const hub = createHub({ clock, ids, sessionId }).scoped({ flowId: name, flowRunId: ids.create('flow-run') });
  const agents = createAgentRuns(hub);
  const abortion = new AbortController();
  const { store, input, policy, calledBy = null } = options;
  const newPlace = runPlace(sessionId, undefined, calledBy);
  // Without a stored run that contains the input, a mistake is reported at once.
  if (store === undefined || input !== undefined) scopeOf(graph, input ?? {}, policy);
  const abort = (): void => abortion.abort(new DOMException('The run was aborted.', 'AbortError'));
  let isHandedOver = false;
  let kept: TaskRun | null = null;
  /** Throws `no-channel` if a task must ask a person and no channel can. */
  const assertAskable = (
    channels: Channels,
    key = newPlace,
    answered: ReadonlySet<EffectKey> = new Set(),
    part: TaskPart = graph,
  ): void => {
    if (channels.asking() !== undefined) return;
    const flowOf = flowsOf((options as TaskWorldOptions).flows ?? {}, registry);
    const taskId = sureQuestion(part, orNull(flowOf), { prefix: '', key }, answered);
    if (taskId === null) return;
    throw new FlowError(
      'no-channel',
      `node "${taskId}" asks a person, and no channel is attached that can ask. Attach one before the run; ` +
        'on the command line answer in a terminal, or pipe the answers in.',
    );
  };
  const work: RunWork = {
    kind: 'tasks',
    async open(channels) {
      if (store === undefined) {
        assertAskable(channels);
        return null;
      }
      const owner = options.owner ?? ownerName(ids.create('owner'));
      const { retry = false, moves = [] } = options;
      const compile = (document: Json, flow: string): TaskGraph =>
        loadTaskGraph(document as object, { catalog: registry, name: flow }); // A stored document is a map.
      const wanted = {
        store,
        sessionId,
        owner,
        graph,
        input,
        policy,
        retry,
        moves,
        compile,
        hub,
        clock,
        onBroken: abort,
        calledBy,
        mayHear: () => channels.all().some((channel) => channel.onStart !== undefined),
      };
      const run = await openTaskRun(wanted);
      if ('end' in run) return { ended: run };
      try {
        assertAskable(channels, run.place, run.done, run.scope);
      } catch (error) {
        await run.letGo();
        throw error;
      }
      kept = run;
      return run.startedAt === null ? null : { startedAt: run.startedAt, keptVersion: run.keptVersion };
    },
    async run(channels) {
      // A flow that is not a task flow is reported by the task that runs it.
      const world = createTaskWorld(options as TaskWorldOptions, registry, sessionId, {
        asking: () => channels.asking(),
        onAgentRun: (runId, taskId) => agents.begin(runId, taskId),
        ...(kept === null ? {} : { values: kept.journal.values, waits: kept.waits }),
      });
      const recovered = (kept?.startedAt ?? null) === null ? {} : { recovered: true as const };
      hub.emit('phase:start', { name: phase, ...recovered });
      const { signal } = abortion;
      const journal = kept === null ? {} : { journal: kept.journal };
      const key = kept?.place ?? newPlace;
      const place = { prefix: '', key, hub, signal, depth: 0, attempt: 0, ...journal };
      const end = await runTasks(kept?.scope ?? scopeOf(graph, input ?? {}, policy), place, world);
      hub.emit('phase:complete', { name: phase });
      return end;
    },
    async send(text) {
      const { latest } = agents;
      return latest !== undefined && agents.sendToRun(latest, text).ok ? 'taken' : 'over';
    },
    idle: () => Promise.resolve(),
    async close(end, durationMs) {
      await kept?.close(end, durationMs, isHandedOver);
    },
    abort(how) {
      isHandedOver ||= how?.handOver === true;
      abort();
    },
  };
  return createInstance({ name, sessionId, hub, clock, channels: attached, agents: () => agents, work });
}

/** Unknown and broken flows are reported by the task that runs them. */
function orNull(flowOf: (name: string) => TaskGraph): FlowOf {
  return (name) => {
    try {
      return flowOf(name);
    } catch {
      return null;
    }
  };
}

/** Name of the only phase of a task flow. */
const phase = 'Run Flow';
