import { keptCopy } from '../../store/json-text.ts';
import { openStore } from '../../store/open-store.ts';
import { FlowError } from '../../model/errors.ts';
import type { Effect, EffectKey } from '../../model/effect.ts';
import type { Event, EventType } from '../../model/events/event.ts';
import type { InboxEntry, Reach } from '../../model/inbox.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import type { EffectSettled } from '../../model/signals/signal.ts';
import type { TaskLogSignal } from '../../model/signals/task-signal.ts';
import type { WaitExpired } from '../../model/signals/people-signal.ts';
import { assertFreeId } from '../../model/own-sessions.ts';
import { hashOf } from '../../flow/graph/hash.ts';
import type { TaskGraph } from '../../flow/graph/task-graph.ts';
import type { Hub, PublishedEvent } from '../../model/ports/hub.ts';
import type { EffectOf, Lease, SessionSnapshot, Store } from '../../model/ports/store.ts';
import { scopeOf } from './task-scope.ts';
import { createTaskJournal, type TaskJournal } from '../../engine/tasks/journal.ts';
import { taskKey } from '../../engine/tasks/running-task.ts';
import type { TasksEnd } from '../../engine/tasks/run-tasks.ts';
import type { TaskWaits } from '../../engine/tasks/waiting-task.ts';
import type { TaskScope } from '../../engine/tasks/step.ts';
import { createCommits } from '../../engine/commit/commits.ts';
import { holdSession } from '../../engine/session/session-lease.ts';
import { retryingStore } from '../../engine/commit/retrying-store.ts';
import { createTaskWaits } from './task-waits.ts';
import { type CallingSession, taskRunState, type TaskRunState } from './task-run-state.ts';
import { runPlace } from './run-place.ts';
import { isRunStart, rulesOf } from './run-rules.ts';
import { versionOf, type VersionOptions } from './run-version.ts';

export interface TaskRunOptions extends VersionOptions {
  /** A store, or a store's address. A store opened from an address is closed with the run. */
  readonly store: Store | string;
  readonly owner: string;
  /** Input of the run; undefined keeps the input it began with. */
  readonly input: JsonObject | undefined;
  readonly policy: Partial<TaskGraph['policy']> | undefined;
  readonly hub: Hub;
  /** The call whose outcome a new run is; null if it was not called. */
  readonly calledBy: CallingSession | null;
  /** Called when the run cannot continue: the store has failed, or a flow inside it has changed. */
  readonly onBroken: () => void;
  /** Whether an attached channel may publish events. */
  readonly mayHear: () => boolean;
}

/** A stored run, owned by this process until it is closed. */
export interface TaskRun {
  /** Prefix of all keys of the run. */
  readonly place: EffectKey;
  /** The flow with the input that the run began with. */
  readonly scope: TaskScope;
  readonly journal: TaskJournal;
  readonly waits: TaskWaits;
  /** Keys of the tasks stored as done. */
  readonly done: ReadonlySet<EffectKey>;
  /** Start in epoch milliseconds; null for a new run. */
  readonly startedAt: number | null;
  /** Hash of the run's flow version if it is not the current one. */
  readonly keptVersion: string | null;
  /** Releases the run unchanged. */
  letGo(): Promise<void>;
  /**
   * Stores the end of the run, unless it was aborted and will continue, and releases it. `isHandedOver`:
   * it was aborted so that another process continues it. Throws the error that broke the run.
   */
  close(end: TasksEnd, durationMs: number, isHandedOver: boolean): Promise<void>;
}

/** A run that had ended before. */
export interface EndedRun {
  readonly end: TasksEnd;
  readonly durationMs: number;
  readonly events: readonly Event[];
}

/**
 * Begins a run, or continues the stored one in the flow version that it began with. Throws `flow-version-missing` if that
 * version is unavailable or belongs to another flow, `flow-changed` if its progress does not fit the version to
 * continue in, `input-changed` for another input, `session-kind-wrong` if the id is a conversation's,
 * `session-unknown` for a retry of an unknown run, `session-taken` if another process runs it, and input errors.
 */
export async function openTaskRun(options: TaskRunOptions): Promise<TaskRun | EndedRun> {
  const { store: given, sessionId, owner, clock } = options;
  const opened = typeof given === 'string' ? await openStore(given, { clock }) : given;
  const store = retryingStore(opened, clock);
  let letGo = async (): Promise<void> => (typeof given === 'string' ? await opened.close() : undefined);
  try {
    // Reading the result of an ended run needs no lease.
    let ended = await endedRun(store, options);
    if (ended === null) {
      const closeStore = letGo;
      const { lease, stopRenewal } = await holdSession(store, sessionId, owner, clock);
      letGo = async () => {
        stopRenewal();
        await store.leases.release(lease);
        await closeStore();
      };
      // The previous owner may have ended the run.
      ended = await endedRun(store, options);
      if (ended === null) return await ownedRun(store, lease, options, letGo);
    }
    await letGo();
    return ended;
  } catch (error) {
    await letGo();
    throw error;
  }
}

/** Returns the result of an ended run; null if it has not begun or ended. */
async function endedRun(store: Store, options: TaskRunOptions): Promise<EndedRun | null> {
  const { sessionId } = options;
  const kept = await store.sessions.get(sessionId);
  const state = kept === null ? null : await sameRun(store, kept, options);
  if (state?.end === undefined || state.status === 'running') return null;
  if (options.retry && state.status === 'failed') return null;
  const { outputs, failures, durationMs } = state.end;
  return {
    end: { outcome: state.status, outputs, failures },
    durationMs,
    events: await store.steps.listEvents(sessionId),
  };
}

async function ownedRun(
  store: Store,
  lease: Lease,
  options: TaskRunOptions,
  letGo: () => Promise<void>,
): Promise<TaskRun> {
  const { sessionId, clock, hub, onBroken, mayHear } = options;
  const kept = await store.sessions.get(sessionId);
  if (kept === null) assertFreeId(sessionId);
  if (kept === null && options.retry)
    throw new FlowError(
      'session-unknown',
      `there is no run "${sessionId}" to go on with. Leave out retry to begin it.`,
    );
  const log = (await store.steps.list(sessionId)).map(({ signal }) => signal);
  const started = log.find(isRunStart);
  const { graph, graphs, reopened } = await versionOf(store, kept, log, options);
  const scope = scopeOf(graph, options.input ?? started?.run?.given ?? {}, { ...options.policy, ...rulesOf(started) });
  await store.graphs.save(graph.hash, graph.document as unknown as Json); // Documents are JSON.
  const commits = createCommits(store, lease, kept?.seq ?? 0);
  const taskFlow = { id: graph.name, hash: graph.hash };
  const events = await store.steps.listEvents(sessionId);
  const saved: Promise<void>[] = [];
  const open = new Map<EffectKey, Effect>();
  const effectsBefore = await store.effects.list(sessionId);
  let told: PublishedEvent[] = [];
  let broken: { readonly error: unknown } | null = null;

  /** Prefix of the entries that hand the run over to others. */
  const leftKey = `${sessionId}/left/`;
  const settled = (): Promise<void> => commits.settled();
  // `settled` rejects with the store's own error, even if the flush failed.
  const flushed = (): Promise<void> => commits.flush().then(settled, settled);
  const add = (
    signal: TaskLogSignal | EffectSettled | WaitExpired,
    state: TaskRunState,
    effects: readonly Effect[],
    inputKeys: readonly string[] = [],
    isLast = false,
    posts?: readonly InboxEntry[],
  ): void => {
    if (broken !== null) return;
    for (const effect of effects) noteEffect(effect);
    // The step that ends the run is stored together with the end. A crash in between would leave a run that no process continues.
    const durable = !isLast && (signal.type !== 'tasks:started' || signal.run !== undefined);
    commits.add({
      signal,
      state,
      graphHash: graph.hash,
      effects,
      inputKeys,
      events: told,
      durable,
      ...(posts === undefined ? {} : { posts }),
    });
    told = [];
  };
  const breakOff = (error: unknown): void => {
    if (broken !== null) return;
    broken = { error };
    onBroken();
  };
  const calledBy = (kept === null ? options.calledBy : taskRunState(kept.state)?.calledBy) ?? null;
  const called = calledBy === null ? {} : { calledBy };
  const running: TaskRunState = { stateVersion: 1, taskFlow, ...called, status: 'running' };
  const waits = createTaskWaits({
    store,
    sessionId,
    clock,
    keep: (signal, effects, inputKey) => add(signal, running, effects, [inputKey]),
    mayHear,
    breakOff,
  });
  const noteEffect = (effect: Effect): void => {
    note(open, effect);
    waits.note(effect);
  };
  for (const effect of effectsBefore) noteEffect(effect);
  const journal = createTaskJournal(
    log,
    {
      add: (signal, effects, inputKeys, isLast) => add(signal, running, effects, inputKeys, isLast),
      settled,
      keep: flushed,
      copy: keptCopy,
      keepGraph({ hash, document }) {
        // If saving fails the run continues, but another process cannot continue it in this version.
        saved.push(store.graphs.save(hash, document as unknown as Json).catch(() => undefined));
      },
      breakOff,
    },
    { isAlone: true, reopened, graphs, told: lastTold(events) },
  );
  const lastSeq = events.at(-1)?.seq ?? 0;
  const stopRecording = hub.record(sessionId, lastSeq, (one) => void told.push(one));

  const openTasks = (): readonly EffectOf[] =>
    [...open.values()].flatMap(({ kind, key }) => (kind === 'task' ? [{ sessionId, key }] : []));
  // From now on, other processes may continue what was broken off on purpose.
  if (started !== undefined) await store.effects.update(openTasks(), { until: clock.now() });

  return {
    place: runPlace(sessionId, started, calledBy, lease.incarnation),
    scope,
    journal,
    waits,
    done: new Set(log.flatMap((one) => (one.type === 'attempt:done' ? taskKey(one.place, one.task) : []))),
    startedAt: started?.at ?? null,
    keptVersion: graph.hash === options.graph.hash ? null : graph.hash,
    letGo() {
      stopRecording();
      waits.stop();
      return letGo();
    },
    async close({ outcome, outputs, failures }, durationMs, isHandedOver) {
      stopRecording();
      waits.stop();
      try {
        if (outcome !== 'aborted' && outcome !== 'waiting') {
          const state: TaskRunState = {
            stateVersion: 1,
            taskFlow,
            ...called,
            status: outcome,
            end: { outputs, failures, durationMs },
          };
          const left = [...open.values()].map((effect): Effect => ({ ...effect, state: 'cancelled' }));
          // In one transaction, so that the caller of the run receives this end and no other.
          const posts = calledBy === null ? undefined : [endedEntry(calledBy, clock.now(), waits.reach())];
          add({ type: 'tasks:ended', at: clock.now(), outcome }, state, left, [], false, posts);
        }
        if (broken === null) await flushed();
        // Withdraws entries of earlier processes, because the run needs no takeover now.
        if (broken === null && started !== undefined && outcome !== 'aborted')
          for (const { entry } of await store.inbox.list({ sessionId, limit: 100 }))
            if (entry.key.startsWith(leftKey)) await store.inbox.withdraw(entry.key);
        const left = broken === null ? leftFor(outcome, isHandedOver) : null;
        if (left !== null) await store.effects.update(openTasks(), { until: null, reason: left });
        if (left === 'handed-over') {
          const rest = { dueAt: clock.now(), reach: 'wait', correlation: {}, actor: null } as const;
          const key = `${leftKey}${clock.now()}`;
          await store.inbox.post([{ key, sessionId, signal: { type: 'session:left' }, ...rest }]);
        }
      } finally {
        await Promise.all(saved);
        await letGo().catch(() => undefined); // The next owner waits for the lease to expire.
      }
      if (broken !== null) throw broken.error;
    },
  };
}

/** Returns the entry that reports the end of a run to the conversation that called it. */
export function endedEntry({ sessionId, key }: CallingSession, dueAt: number, reach: Reach): InboxEntry {
  const signal = { type: 'run:ended', key } as const;
  return { key: `${key}/ended`, sessionId, dueAt, signal, reach, correlation: {}, actor: null };
}

/** Returns why the tasks of an open run are released, so that they are not taken for those of a dead process. */
function leftFor(outcome: TasksEnd['outcome'], isHandedOver: boolean): 'waiting' | 'handed-over' | 'broken-off' | null {
  if (outcome === 'waiting') return 'waiting';
  if (outcome !== 'aborted') return null;
  return isHandedOver ? 'handed-over' : 'broken-off';
}

/** Returns the state of the stored run. Throws if it is not the requested one. */
async function sameRun(store: Store, kept: SessionSnapshot, { graph, input, sessionId }: TaskRunOptions) {
  const state = taskRunState(kept.state);
  if (state === null)
    throw new FlowError(
      'session-kind-wrong',
      `session "${sessionId}" is a conversation. Take another id for this run.`,
    );
  if (kept.graphHash !== graph.hash && state.taskFlow.id !== graph.name)
    throw new FlowError(
      'flow-version-missing',
      `session "${sessionId}" runs flow "${state.taskFlow.id}", not "${graph.name}". Go on with that one, or take another id.`,
    );
  if (input === undefined) return state;
  const [first] = await store.steps.list(sessionId);
  if (first?.signal.type === 'tasks:started' && first.signal.givenHash !== hashOf(input))
    throw new FlowError(
      'input-changed',
      `session "${sessionId}" was begun with another input. Give the same or none, or take another id.`,
    );
  return state;
}

/** Returns the last event type published for each task. */
function lastTold(events: readonly Event[]): ReadonlyMap<string, EventType> {
  const told = new Map<string, EventType>();
  for (const { type, data } of events) if (type.startsWith('task:') && 'taskId' in data) told.set(data.taskId, type);
  return told;
}

function note(open: Map<EffectKey, Effect>, effect: Effect): void {
  if (effect.state === 'intended' || effect.state === 'started') open.set(effect.key, effect);
  else open.delete(effect.key);
}
