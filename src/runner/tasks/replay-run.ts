import { keptCopy } from '../../store/json-text.ts';
import { FlowError } from '../../model/errors.ts';
import type { Effect, EffectKey } from '../../model/effect.ts';
import type { Json } from '../../model/json.ts';
import type { Signal } from '../../model/signals/signal.ts';
import type { TaskGraph } from '../../flow/graph/task-graph.ts';
import type { Store } from '../../model/ports/store.ts';
import { type FoldedRun, foldRun } from '../../engine/tasks/fold-run.ts';
import { endOf } from '../../engine/tasks/run-tasks.ts';
import { copyOf, taskKey } from '../../engine/tasks/running-task.ts';
import { outputOf, type TaskState, taskStates, type TaskStatus } from '../../engine/tasks/task-state.ts';
import { taskRunState } from './task-run-state.ts';
import { runPlace } from './run-place.ts';
import { isRunStart, rulesOf } from './run-rules.ts';
import { keptGraphs, type VersionOptions } from './run-version.ts';
import { scopeOf } from './task-scope.ts';

/** The first task that differs when the same signals are folded by another version of a task flow. */
export interface RunParting {
  readonly seq: number;
  readonly signal: Signal['type'];
  readonly task: string;
}

/**
 * Folds the log of a task run without running anything. `isKept`: the fold reaches the stored
 * end, or the tasks stored as open. Throws `flow-version-missing` if a version of its flow is unavailable.
 */
export async function replayRun(
  store: Store,
  sessionId: string,
  compile: VersionOptions['compile'],
): Promise<{ readonly isKept: boolean; readonly signals: number }> {
  const { log, state, place, folded } = await open(store, sessionId, compile);
  const last = [...folded()].at(-1);
  const signals = log.length;
  if (state.end !== undefined) {
    const { end, status } = state;
    if (status === 'running' || last?.state.phase !== status) return { isKept: false, signals };
    const { outputs, failures } = endOf(last.scope, last.state, status, '');
    return { isKept: same([outputs, failures], [end.outputs, end.failures]), signals };
  }
  const effects = await store.effects.list(sessionId);
  return { isKept: last === undefined || same(runningIn(last, place), openIn(effects, place)), signals };
}

/** Folds the log by its own versions and by another one. Null if they never differ. */
export async function replayRunAgainst(
  store: Store,
  sessionId: string,
  compile: VersionOptions['compile'],
  other: TaskGraph,
): Promise<RunParting | null> {
  const { log, folded } = await open(store, sessionId, compile);
  const changed = folded(other);
  for (const own of folded()) {
    const there = changed.next().value;
    const task = there === undefined ? '' : otherwise(own, there);
    if (task === null) continue;
    const seq = log.find(({ signal }) => signal === own.signal)?.seq ?? 0;
    return { seq, signal: own.signal.type, task };
  }
  return null;
}

async function open(store: Store, sessionId: string, compile: VersionOptions['compile']) {
  const kept = await store.sessions.get(sessionId);
  const state = kept === null ? null : taskRunState(kept.state);
  if (state === null)
    throw new FlowError('session-unknown', `the store keeps no run "${sessionId}". List them by "roomflow sessions".`);
  const log = await store.steps.list(sessionId);
  const signals = log.map(({ signal }) => signal);
  const graphs = await keptGraphs(store, signals, compile);
  const started = signals.find(isRunStart);
  const place = runPlace(sessionId, started, state.calledBy ?? null);
  const graphOf = (hash: string): TaskGraph => {
    const graph = graphs.get(hash);
    if (graph !== undefined) return graph;
    throw new FlowError(
      'flow-version-missing',
      `version ${hash} of flow "${state.taskFlow.id}", in which session "${sessionId}" ran, cannot be read. ` +
        'Give the --config that it ran with, or use the release that ran it.',
    );
  };
  const copy = { copy: keptCopy };
  const folded = (other?: TaskGraph): Generator<FoldedRun, void> =>
    foldRun(
      signals,
      place,
      (hash) => scopeOf(other ?? graphOf(hash), started?.run?.given ?? {}, rulesOf(started)),
      (output: Json, task) => copyOf(output, `the output of task "${task}"`, copy),
    );
  return { log, state, place, folded };
}

/** Returns the id of the first task that differs; null if all are equal. */
function otherwise(one: FoldedRun, two: FoldedRun): string | null {
  const [own, other] = [standsOf(one), standsOf(two)];
  const ids = new Set([...own.keys(), ...other.keys()]);
  return [...ids].find((id) => own.get(id) !== other.get(id)) ?? null;
}

function standsOf({ scope, state }: FoldedRun): ReadonlyMap<string, string> {
  return new Map(
    scope.nodes.map(({ id }, place) => [id, JSON.stringify([statusOf(state, place), outputOf(state.outputs, place)])]),
  );
}

function statusOf({ tasks }: TaskState, place: number): TaskStatus | undefined {
  return taskStates[tasks[place] ?? 0];
}

function runningIn({ scope, state }: FoldedRun, at: EffectKey): readonly string[] {
  const running = scope.nodes.filter((_node, place) => statusOf(state, place) === 'running');
  return running.map(({ id }) => taskKey(at, id)).toSorted();
}

/** Returns the open tasks of the run itself, without those inside them. */
function openIn(effects: readonly Effect[], place: EffectKey): readonly string[] {
  const isOwn = ({ key }: Effect): boolean => key.startsWith(`${place}/`) && !key.slice(place.length + 1).includes('/');
  const isOpen = ({ state }: Effect): boolean => state === 'intended' || state === 'started';
  return effects.flatMap((effect) => (isOwn(effect) && isOpen(effect) ? effect.key : [])).toSorted();
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
