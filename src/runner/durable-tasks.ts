import { keptCopy } from '../durable/json-text.ts';
import { openStore } from '../durable/open-store.ts';
import { FlowError } from '../errors.ts';
import type { Effect, EffectKey } from '../events/effect.ts';
import type { Event, EventType } from '../events/event.ts';
import type { InboxEntry, Reach } from '../events/inbox.ts';
import type { Json, JsonObject } from '../events/json.ts';
import type { EffectSettled } from '../events/signal.ts';
import type { TaskLogSignal } from '../events/task-signal.ts';
import type { WaitExpired } from '../events/people-signal.ts';
import { assertFreeId } from '../events/own-sessions.ts';
import { hashOf } from '../graph/hash.ts';
import type { TaskGraph } from '../graph/task-graph.ts';
import type { Hub, Told } from '../ports/hub.ts';
import type { EffectOf, Lease, SessionSnapshot, Store } from '../ports/store.ts';
import { scopeOf } from './task-scope.ts';
import { createTaskJournal, type TaskJournal } from '../tasks/journal.ts';
import { taskKey } from '../tasks/running-task.ts';
import type { TasksEnd } from '../tasks/run-tasks.ts';
import type { TaskWaits } from '../tasks/waiting-task.ts';
import type { TaskScope } from '../tasks/step.ts';
import { createCommits } from '../turn/engine/commits.ts';
import { holdSession } from '../turn/engine/hold-session.ts';
import { patientStore } from '../turn/engine/patient-store.ts';
import { createTaskWaits } from './task-waits.ts';
import { type CallingSession, taskRunState, type TaskRunState } from './task-run-state.ts';
import { runPlace } from './run-place.ts';
import { isRunStart, rulesOf } from './run-rules.ts';
import { versionOf, type VersionOptions } from './run-version.ts';

export interface TaskRunOptions extends VersionOptions {
  /** A store, or the address of one, which is closed with the run. */
  readonly store: Store | string;
  readonly owner: string;
  /** The input of the run; undefined for the one that it was given before. */
  readonly input: JsonObject | undefined;
  readonly policy: Partial<TaskGraph['policy']> | undefined;
  readonly hub: Hub;
  /** The call that it is the outcome of, where it begins now; null where nobody has called it. */
  readonly calledBy: CallingSession | null;
  /** The run cannot go on: the store does not take it, or a flow inside of it has changed. */
  readonly onBroken: () => void;
  /** Whether something is attached to the run that may tell events of its own. */
  readonly mayHear: () => boolean;
}

/** A run that a store keeps, owned by this process until it is closed. */
export interface TaskRun {
  /** The key below which all of its keys stand. */
  readonly place: EffectKey;
  /** The flow with the input that the run began with. */
  readonly scope: TaskScope;
  readonly journal: TaskJournal;
  readonly waits: TaskWaits;
  /** The keys of the tasks that are kept as done. */
  readonly done: ReadonlySet<EffectKey>;
  /** When it began, in epoch milliseconds; null where it begins now. */
  readonly startedAt: number | null;
  /** The hash of the version that it goes on in, where that is not the one there is now. */
  readonly keptVersion: string | null;
  /** Lets go of it as it stands. */
  letGo(): Promise<void>;
  /**
   * Keeps how it has ended, unless it was aborted and is to go on, and lets go of it. `isHandedOver`: it was aborted so that
   * somebody else goes on with it, and not to stand still. Throws what has broken it.
   */
  close(end: TasksEnd, durationMs: number, isHandedOver: boolean): Promise<void>;
}

/** A run that was over before. */
export interface EndedRun {
  readonly end: TasksEnd;
  readonly durationMs: number;
  readonly events: readonly Event[];
}

/**
 * Begins a run, or goes on with the one that the store keeps under this id, in the version of the flow that it began with.
 * Throws `flow-gone` where that cannot be had any more, or it ran another flow, `flow-changed` where it is to go on in
 * another version and what it has done does not stand in that, `input-changed` where it was given something else,
 * `session-unfit` where the id is that of a conversation, `session-unknown` where it is to be tried again and is not kept,
 * `session-taken` where another process runs it, and what is wrong with its input.
 */
export async function openTaskRun(options: TaskRunOptions): Promise<TaskRun | EndedRun> {
  const { store: given, sessionId, owner, clock } = options;
  const opened = typeof given === 'string' ? await openStore(given, { clock }) : given;
  const store = patientStore(opened, clock);
  let letGo = async (): Promise<void> => (typeof given === 'string' ? await opened.close() : undefined);
  try {
    // Reading the result of a run that is over needs no lease.
    let ended = await endedRun(store, options);
    if (ended === null) {
      const closeStore = letGo;
      const { lease, stopRenewal } = await holdSession(store, sessionId, owner, clock);
      letGo = async () => {
        stopRenewal();
        await store.releaseLease(lease);
        await closeStore();
      };
      // The owner before may have brought the run to its end.
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

/** The result of a run that is over; null where it is not, or has not begun. */
async function endedRun(store: Store, options: TaskRunOptions): Promise<EndedRun | null> {
  const { sessionId } = options;
  const kept = await store.loadSnapshot(sessionId);
  const state = kept === null ? null : await sameRun(store, kept, options);
  if (state?.end === undefined || state.status === 'running') return null;
  if (options.retry && state.status === 'failed') return null;
  const { outputs, failures, durationMs } = state.end;
  return { end: { outcome: state.status, outputs, failures }, durationMs, events: await store.readEvents(sessionId) };
}

async function ownedRun(
  store: Store,
  lease: Lease,
  options: TaskRunOptions,
  letGo: () => Promise<void>,
): Promise<TaskRun> {
  const { sessionId, clock, hub, onBroken, mayHear } = options;
  const kept = await store.loadSnapshot(sessionId);
  if (kept === null) assertFreeId(sessionId);
  if (kept === null && options.retry)
    throw new FlowError(
      'session-unknown',
      `there is no run "${sessionId}" to go on with. Leave out retry to begin it.`,
    );
  const log = (await store.readLog(sessionId)).map(({ signal }) => signal);
  const started = log.find(isRunStart);
  const { graph, graphs, reopened } = await versionOf(store, kept, log, options);
  const scope = scopeOf(graph, options.input ?? started?.run?.given ?? {}, { ...options.policy, ...rulesOf(started) });
  await store.saveGraph(graph.hash, graph.document as unknown as Json); // Documents are JSON.
  const commits = createCommits(store, lease, () => graph.hash, kept?.seq ?? 0);
  const taskFlow = { id: graph.name, hash: graph.hash };
  const events = await store.readEvents(sessionId);
  const saved: Promise<void>[] = [];
  const open = new Map<EffectKey, Effect>();
  const effectsBefore = await store.loadEffects(sessionId);
  let told: Told[] = [];
  let broken: { readonly error: unknown } | null = null;

  /** How the keys begin by which it is left to others. */
  const leftKey = `${sessionId}/left/`;
  const settled = (): Promise<void> => commits.settled();
  // `settled` rejects with the store's own error, also where the flush has failed.
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
    // What ends the run is kept together with its end: else a crash in between left nothing that anybody would go on with.
    const durable = !isLast && (signal.type !== 'tasks:started' || signal.run !== undefined);
    commits.add({
      signal,
      state,
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
        // Where that fails the run goes on; only another process cannot go on with it in this version.
        saved.push(store.saveGraph(hash, document as unknown as Json).catch(() => undefined));
      },
      breakOff,
    },
    { isAlone: true, reopened, graphs, told: lastTold(events) },
  );
  const lastSeq = events.at(-1)?.seq ?? 0;
  const stopRecording = hub.record(sessionId, lastSeq, (one) => void told.push(one));

  const openTasks = (): readonly EffectOf[] =>
    [...open.values()].flatMap(({ kind, key }) => (kind === 'task' ? [{ sessionId, key }] : []));
  // What was broken off on purpose may be gone on with by others from now on.
  if (started !== undefined) await store.holdEffects(openTasks(), clock.now());

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
          // In one transaction: whoever has called it hears of the end, and of no other.
          const posts = calledBy === null ? undefined : [endedEntry(calledBy, clock.now(), waits.reach())];
          add({ type: 'tasks:ended', at: clock.now(), outcome }, state, left, [], false, posts);
        }
        if (broken === null) await flushed();
        // Nobody need take up any more what an earlier process has left.
        if (broken === null && started !== undefined && outcome !== 'aborted')
          for (const { entry } of await store.listEntries({ sessionId, limit: 100 }))
            if (entry.key.startsWith(leftKey)) await store.withdraw(entry.key);
        const left = broken === null ? leftFor(outcome, isHandedOver) : null;
        if (left !== null) await store.holdEffects(openTasks(), null, left);
        if (left === 'handed-over') {
          const rest = { dueAt: clock.now(), reach: 'wait', correlation: {}, actor: null } as const;
          const key = `${leftKey}${clock.now()}`;
          await store.post([{ key, sessionId, signal: { type: 'session:left' }, ...rest }]);
        }
      } finally {
        await Promise.all(saved);
        await letGo().catch(() => undefined); // Whoever goes on waits for the lease to end.
      }
      if (broken !== null) throw broken.error;
    },
  };
}

/** Tells a conversation that the run has ended which one of its calls has begun. */
export function endedEntry({ sessionId, key }: CallingSession, dueAt: number, reach: Reach): InboxEntry {
  const signal = { type: 'run:ended', key } as const;
  return { key: `${key}/ended`, sessionId, dueAt, signal, reach, correlation: {}, actor: null };
}

/** Why tasks of a run that has not ended are let go of, so that nobody takes them up as those of a process that has died. */
function leftFor(outcome: TasksEnd['outcome'], isHandedOver: boolean): 'waiting' | 'handed-over' | 'broken-off' | null {
  if (outcome === 'waiting') return 'waiting';
  if (outcome !== 'aborted') return null;
  return isHandedOver ? 'handed-over' : 'broken-off';
}

/** The state of the run that is kept. Throws where it is not the one that is wanted. */
async function sameRun(store: Store, kept: SessionSnapshot, { graph, input, sessionId }: TaskRunOptions) {
  const state = taskRunState(kept.state);
  if (state === null)
    throw new FlowError('session-unfit', `session "${sessionId}" is a conversation. Take another id for this run.`);
  if (kept.graphHash !== graph.hash && state.taskFlow.id !== graph.name)
    throw new FlowError(
      'flow-gone',
      `session "${sessionId}" runs flow "${state.taskFlow.id}", not "${graph.name}". Go on with that one, or take another id.`,
    );
  if (input === undefined) return state;
  const [first] = await store.readLog(sessionId);
  if (first?.signal.type === 'tasks:started' && first.signal.givenHash !== hashOf(input))
    throw new FlowError(
      'input-changed',
      `session "${sessionId}" was begun with another input. Give the same or none, or take another id.`,
    );
  return state;
}

/** The event that was told last of each task. */
function lastTold(events: readonly Event[]): ReadonlyMap<string, EventType> {
  const told = new Map<string, EventType>();
  for (const { type, data } of events) if (type.startsWith('task:') && 'taskId' in data) told.set(data.taskId, type);
  return told;
}

function note(open: Map<EffectKey, Effect>, effect: Effect): void {
  if (effect.state === 'intended' || effect.state === 'started') open.set(effect.key, effect);
  else open.delete(effect.key);
}
