import { FlowError } from '../../model/errors.ts';
import type { Json } from '../../model/json.ts';
import type { Signal } from '../../model/signals/signal.ts';
import type { TasksReopened } from '../../model/signals/task-signal.ts';
import type { FlowMove } from '../../flow/document/move.ts';
import type { TaskGraph } from '../../flow/graph/task-graph.ts';
import type { SessionSnapshot, Store } from '../../model/ports/store.ts';
import type { Clock } from '../../model/ports/time.ts';
import { assertStands } from '../../engine/tasks/journal.ts';
import { readStoredTasks, reopenStoredTasks } from '../../engine/tasks/stored-tasks.ts';
import { runPlace } from './run-place.ts';
import { isRunStart } from './run-rules.ts';
import { taskRunState } from './task-run-state.ts';

/** Options for choosing a run's flow version. */
export interface VersionOptions {
  readonly sessionId: string;
  /** The current version. */
  readonly graph: TaskGraph;
  /** Continues a failed run from its failed tasks, and an interrupted run in the current version. */
  readonly retry: boolean;
  /** Flow versions whose runs continue in newer versions. */
  readonly moves: readonly FlowMove[];
  /** Compiles a stored document of this name. Throws if that is not possible. */
  readonly compile: (document: Json, name: string) => TaskGraph;
  readonly clock: Clock;
}

interface RunVersion {
  readonly graph: TaskGraph;
  /** All versions in the run's log, including those of nested flows, by hash. */
  readonly graphs: ReadonlyMap<string, TaskGraph>;
  /** The tasks to retry or move; null if the run continues unchanged. */
  readonly reopened: TasksReopened | null;
}

/** Chooses the version in which a run continues. Throws `flow-version-missing` or `flow-changed`. */
export async function versionOf(
  store: Store,
  kept: SessionSnapshot | null,
  log: readonly Signal[],
  options: VersionOptions,
): Promise<RunVersion> {
  const { sessionId, graph: now, clock, retry, moves, compile } = options;
  const state = kept === null ? null : taskRunState(kept.state);
  if (kept === null || state === null) return { graph: now, graphs: new Map(), reopened: null };
  const graphs = await keptGraphs(store, log, compile);
  const was = kept.graphHash === now.hash ? now : graphs.get(kept.graphHash);
  const isMoved = moves.some(({ from, to }) => from === kept.graphHash && to === now.name);
  const goesOnAnew = state.status === 'failed' || (kept.graphHash !== now.hash && (retry || isMoved));
  if (was === undefined)
    throw new FlowError(
      'flow-version-missing',
      `the version of flow "${state.taskFlow.id}" that session "${sessionId}" began with is not available. ` +
        'Use the release that ran it, or start again under another id.',
    );
  if (!goesOnAnew) return { graph: was, graphs, reopened: null };
  const place = runPlace(sessionId, log.find(isRunStart), state.calledBy ?? null);
  const reopened: TasksReopened = {
    type: 'tasks:reopened',
    at: clock.now(),
    place,
    taskFlow: { id: now.name, hash: now.hash },
    again: (state.end?.failures ?? []).map(({ taskId }) => taskId),
  };
  const { places } = readStoredTasks(log);
  reopenStoredTasks(places, reopened, false);
  assertStands(was, now, place, places);
  return { graph: now, graphs, reopened };
}

/** Returns the flow versions in which tasks have begun, except unavailable ones. */
export async function keptGraphs(store: Store, log: readonly Signal[], compile: VersionOptions['compile']) {
  const graphs = new Map<string, TaskGraph>();
  for (const signal of log) {
    const taskFlow = 'taskFlow' in signal ? signal.taskFlow : null;
    if (taskFlow === null || graphs.has(taskFlow.hash)) continue;
    const document = await store.graphs.get(taskFlow.hash);
    const graph = document === null ? null : compiled(() => compile(document, taskFlow.id));
    // A newer release of a node type may compile the same document differently.
    if (graph?.hash === taskFlow.hash) graphs.set(taskFlow.hash, graph);
  }
  return graphs;
}

function compiled(compile: () => TaskGraph): TaskGraph | null {
  try {
    return compile();
  } catch {
    return null;
  }
}
