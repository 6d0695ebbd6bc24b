import { FlowError } from '../errors.ts';
import type { Effect, EffectKey, EffectState, Waiting } from '../events/effect.ts';
import type { Json, JsonObject } from '../events/json.ts';
import { proxyIdOf } from '../events/proxy-id.ts';
import { utcTime } from '../expression/moment.ts';
import type { RunningNodeType, WaitingNodeType } from '../graph/node-type.ts';
import type { TaskNode } from '../graph/task-graph.ts';
import type { EventPattern, Hub } from '../ports/hub.ts';
import { type AttemptOutcome, evaluateTask, runTask, type Surroundings } from './attempt.ts';
import { endBefore } from './fold-run.ts';
import type { TaskJournal, ToldEnd } from './journal.ts';
import {
  copyOf,
  effectOf,
  keepingIn,
  isIdle,
  newRunningTask,
  notBegun,
  type RunningTask,
  taskKey,
  type TasksInside,
  taskOver,
  tookTooLong,
  waitedFor,
} from './running-task.ts';
import { bodyScope, lookupAt, lookupIn, step, type TaskEffect, type TaskScope, type TaskSignal } from './step.ts';
import { openTaskWait, type TaskWaits, unkept, type WaitEnd } from './waiting-task.ts';
import { newTaskState, outputsByName, type RunOutcome, type TaskFailure, type TaskState } from './task-state.ts';

/** What tasks are given of the world, each of them alike. */
export type TaskWorld = Omit<Surroundings, 'runId' | 'taskId' | 'key' | 'beganAt' | 'hub' | 'runFlow' | 'runBody'> & {
  /** Runs a registered flow for a task; `place` is where in the run it stands. */
  runFlow(name: string, input: JsonObject, place: TaskPlace): Promise<JsonObject>;
  /** The writes that are under way, by key. Shared by all that may run the same task. */
  readonly writing: Writing;
  /** Where tasks wait for somebody outside; absent where nothing keeps them meanwhile. */
  readonly waits?: TaskWaits;
  /** Hears of each run of an agent. Returns what is told that it has ended. */
  onAgentRun(runId: string, taskId: string): () => void;
};

/** What became of an attempt, and what it has kept for the session. */
interface Attempted {
  readonly outcome: AttemptOutcome;
  readonly kept: ReadonlyMap<string, Json>;
}

type Writing = Map<EffectKey, Promise<Attempted>>;

/** Where in a run tasks stand. */
export interface TaskPlace {
  /** What their ids begin with: empty, or that of the task they are inside of. */
  readonly prefix: string;
  /** What their keys begin with. */
  readonly key: EffectKey;
  /** Its events carry the ids of session and flow run. */
  readonly hub: Hub;
  /** Ends the run. */
  readonly signal: AbortSignal;
  /** How many flows it is inside of. */
  readonly depth: number;
  /** Which attempt of the task that they are inside of; 0 where they are inside of none. */
  readonly attempt: number;
  /** Absent where nothing is kept of them. */
  readonly journal?: TaskJournal;
  /** The task that they are inside of; absent where they are inside of none. */
  readonly owner?: {
    /** They have begun. Returns what is told that they have ended. */
    add(inside: TasksInside): () => void;
    /** Something of them has begun to wait, or has ended. */
    onStand(): void;
  };
}

/** How tasks have ended. */
export interface TasksEnd {
  /** `waiting`: nothing of it runs, and it goes on when what it waits for has come. */
  readonly outcome: RunOutcome | 'waiting';
  readonly outputs: JsonObject;
  /** Failures that nobody handled, the first one first. */
  readonly failures: readonly (TaskFailure & { readonly taskId: string })[];
}

/**
 * Runs tasks to their end, from where their journal stands. Afterwards no timer and no listener of theirs is left, and no
 * write under way. Rejects only where the journal keeps others at this place: with `flow-gone` or `tasks-differ`.
 */
export async function runTasks(scope: TaskScope, place: TaskPlace, world: TaskWorld): Promise<TasksEnd> {
  const { hub, prefix, signal } = place;
  const { clock, random } = world;
  const stream = place.journal?.begin({ ...scope, place: place.key, attempt: place.attempt });
  const running = new Map<TaskNode, RunningTask>();
  /** Runs inside of these and functions, which may outlive the task that has begun them by a write. */
  const inside = new Set<Promise<unknown>>();
  const signals: TaskSignal[] = [];
  const state = newTaskState(scope.nodes.length);
  /** Tasks whose story was told before: it is told again as such, and nothing of it is done again. */
  const toldBefore = new Set<string>();
  let isFolding = false;
  /** When what is folded has happened. */
  let at = clock.now();
  /** Attempts to begin, and effects to be kept, once what has led to them is. */
  let due: RunningTask[] = [];
  let effects: Effect[] = [];
  let isLooking = false;
  let hasLeft = false;

  return await new Promise((resolve) => {
    const self: TasksInside = {
      isIdle: () => due.length === 0 && running.size > 0 && [...running.values()].every(isIdle),
      leave() {
        hasLeft = true;
        signal.removeEventListener('abort', abort);
        for (const one of running.values()) {
          one.forgetWait?.();
          for (const tasks of one.inside) tasks.leave();
          one.abort.abort(taskOver);
        }
      },
    };
    const forgetSelf = place.owner?.add(self);
    /** Signals that come while one is folded wait: so tasks that take no time need no stack. */
    const feed = (next: TaskSignal): void => {
      signals.push(next);
      if (isFolding) return;
      isFolding = true;
      for (const one of signals) for (const effect of step(scope, state, one, at)) perform(effect);
      signals.length = 0;
      isFolding = false;
    };
    const abort = (): void => {
      feed({ type: 'run:aborted' });
      // A write is waited for, but not one that has still to begin, or to be tried again.
      for (const one of running.values()) if (!one.isUnderWay) settle(one.task, notBegun);
      // Nobody is told that they are cancelled: whoever goes on begins them again.
      effects = [];
    };

    const perform = (effect: TaskEffect): void => {
      if (effect.type === 'ended') {
        signal.removeEventListener('abort', abort);
        forgetSelf?.();
        const end = endOf(scope, state, effect.outcome, prefix);
        if (inside.size === 0) resolve(end);
        else void Promise.allSettled(inside).then(() => resolve(end));
        return;
      }
      const { task } = effect;
      const taskId = `${prefix}${task.id}`;
      const ids = { nodeId: taskId };
      const known =
        effect.type === 'attempt' && stream !== undefined ? endBefore(stream.before, task, effect.attempt) : undefined;
      const { type } = task.task;
      const outcome =
        effect.type === 'attempt' && 'evaluate' in type
          ? keepable(task, evaluateTask(task, lookupAt(lookupIn(scope, state), at, scope)))
          : null;
      if (effect.type === 'attempt' || effect.type === 'skipped') {
        const wasTold = known !== undefined || stream?.wasTold(task.id, taskId, endKnown(effect, outcome)) === true;
        if (wasTold) toldBefore.add(task.id);
        else toldBefore.delete(task.id);
      }
      const recovered = toldBefore.has(task.id) ? { recovered: true as const } : {};
      switch (effect.type) {
        case 'attempt': {
          const { attempt, delayMs } = effect;
          if (attempt === 1) hub.emit('task:start', { taskId, ...recovered }, ids);
          else hub.emit('task:retry', { taskId, attempt, delayMs, ...recovered }, ids);
          if (known !== undefined) feed(known);
          else if (outcome !== null) settle(task, outcome);
          else if ('opens' in type && wait(task, type)) return;
          else if ('run' in type) intend(task, type, attempt, delayMs);
          return;
        }
        case 'completed':
          forget(task, 'done');
          hub.emit('task:complete', { taskId, result: effect.output, ...recovered }, ids);
          return;
        case 'failed': {
          const { code, attempts } = effect.failure;
          forget(task, 'failed');
          hub.emit('task:failed', { taskId, code, attempts, continued: effect.continued, ...recovered }, ids);
          return;
        }
        case 'cancel':
          forget(task, 'cancelled');
          return;
        case 'skipped':
          hub.emit('task:skipped', { taskId, ...recovered }, ids);
      }
    };

    const intend = (task: TaskNode, type: RunningNodeType, attempt: number, delayMs: number): void => {
      const known = running.get(task);
      const one = known ?? newRunningTask(task, type, at);
      one.attempt = attempt;
      one.beganAt = at + delayMs;
      one.isUnderWay = false;
      one.lookup = lookupIn(scope, state);
      running.set(task, one);
      if (stream === undefined) {
        begin(one);
        return;
      }
      due.push(one);
      if (known === undefined) effects.push(effectOf(one, place, 'intended'));
    };

    /** Lets a task wait for somebody outside, or fail to. False where it runs. */
    const wait = (task: TaskNode, type: WaitingNodeType | RunningNodeType): boolean => {
      const { waits } = world;
      const isKept = waits !== undefined && stream !== undefined;
      if (!isKept) {
        if ('interrupts' in type) settle(task, unkept);
        return 'interrupts' in type;
      }
      const { key, open } = waits.stand(taskKey(place.key, task.id));
      // It was run before such waits were kept, or is over by what is folded next.
      if (open === null && 'run' in type && stream.isReplaying && !stream.isReopening) return false;
      const lookup = lookupAt(lookupIn(scope, state), at, scope);
      const where = { key, node: `${prefix}${task.id}`, visit: 1, at, ...limitsOf(task, at) };
      const opened = openTaskWait(task, type, lookup, where);
      if (opened === null) return false;
      if (!opened.ok) {
        settle(task, opened);
        return true;
      }
      const one = newRunningTask(task, type, at);
      one.attempt = 1;
      one.wait = open ?? opened.wait;
      running.set(task, one);
      due.push(one);
      if (open !== null) return true;
      one.notice = opened.message;
      effects.push(...[opened.wait, opened.message ?? []].flat());
      if (stream.isReplaying && !stream.isReopening) return true;
      hub.emit('wait:opened', { key, wait: opened.wait.payload.wait }, waitIds(one, opened.wait));
      return true;
    };
    const limitsOf = ({ policy: { timeoutMs, totalTimeoutMs } }: TaskNode, from: number) => {
      const limitMs = Math.min(timeoutMs ?? Infinity, totalTimeoutMs ?? Infinity);
      return { civil: scope.civil ?? utcTime, endsAt: limitMs === Infinity ? null : from + limitMs };
    };
    const waitIds = ({ task }: RunningTask, wait: Waiting) => {
      const { key, payload } = wait;
      const proxyId = proxyIdOf(wait);
      return {
        nodeId: `${prefix}${task.id}`,
        ...(payload.to === null ? {} : { escalationId: payload.escalationId ?? key }),
        ...(proxyId === null ? {} : { proxyId }),
        ...(payload.scheduleId === undefined ? {} : { scheduleId: payload.scheduleId }),
      };
    };
    /** A task waits, or nothing inside of one runs any more: where nothing else does the run is let go of. */
    const stand = (): void => {
      if (hasLeft) return;
      if (place.owner !== undefined) place.owner.onStand();
      else leaveIfIdle();
    };
    const leaveIfIdle = (): void => {
      const { waits } = world;
      if (waits === undefined || stream === undefined || isLooking || !self.isIdle()) return;
      isLooking = true;
      const look = async (): Promise<void> => {
        await stream.keep();
        const hasCome = await waits.look();
        isLooking = false;
        if (hasCome) leaveIfIdle();
        else if (self.isIdle() && !signal.aborted && !waits.isSoonOver()) {
          self.leave();
          resolve({ ...endOf(scope, state, 'complete', prefix), outcome: 'waiting' });
        }
      };
      // The store has failed: the run ends as it does wherever a step cannot be kept.
      look().catch(abort);
    };

    const begin = (one: RunningTask): void => {
      if (hasLeft) return;
      const { type } = one;
      if (one.wait !== null) {
        beginWait(one, one.wait);
        return;
      }
      if (!('run' in type)) return;
      // It may have been cancelled while it was kept that it begins.
      if (one.abort.signal.aborted) return;
      const { totalTimeoutMs } = one.task.policy;
      if (totalTimeoutMs !== null && one.cancelTotal === null) {
        const leftMs = Math.max(0, one.firstAt + totalTimeoutMs - clock.now());
        one.cancelTotal = clock.schedule(leftMs, () => endOverdue(one, totalTimeoutMs));
      }
      const delayMs = one.beganAt - clock.now();
      if (delayMs <= 0) void attemptOnce(one, type);
      else one.cancelDelay = clock.schedule(delayMs, () => void attemptOnce(one, type));
    };

    const beginWait = (one: RunningTask, wait: Waiting): void => {
      const { type, beganAt } = one;
      const isOver = ({ by, outcome }: WaitEnd, inputKeys: readonly string[]): void => {
        // Somebody was faster, or the run has ended meanwhile.
        if (running.get(one.task) !== one || hasLeft) return;
        const data = { key: wait.key, wait: wait.payload.wait };
        if (by === 'wait:resolved') hub.emit(by, data, waitIds(one, wait));
        else hub.emit(by, { ...data, act: wait.payload.policy?.act ?? 'go_on' }, waitIds(one, wait));
        const waitedMs = Math.max(0, clock.now() - beganAt);
        // A resolution is an object, and outputs are JSON.
        const output =
          outcome.ok && 'resolved' in type ? type.resolved?.(outcome.output as JsonObject, waitedMs) : undefined;
        const ended = output === undefined ? outcome : ({ ok: true, output: output as Json } as const);
        end(one, ended, new Map(), inputKeys);
      };
      one.isUnderWay = true;
      const forget = world.waits?.begin(wait, limitsOf(one.task, beganAt), (ended, key) => isOver(ended, [key]));
      const { event } = wait.payload;
      // What runs may tell events of this run; those of others come by the inbox.
      const done = (): void => isOver({ by: 'wait:resolved', outcome: { ok: true, output: {} } }, []);
      const deafen = 'run' in type && event !== undefined ? hub.subscribe(event as EventPattern, done) : undefined;
      one.forgetWait = () => {
        forget?.();
        deafen?.();
      };
      stand();
    };

    /** All the time of a task is over: it ends, but for a write, whose attempt is then the last one. */
    const endOverdue = (one: RunningTask, limitMs: number): void => {
      const taskId = `${prefix}${one.task.id}`;
      if (!one.task.writes || !one.isUnderWay) {
        end(one, tookTooLong(limitMs));
        return;
      }
      one.overdueMs = limitMs;
      hub.emit('task:overdue', { taskId, limitMs }, { nodeId: taskId });
    };

    const attemptOnce = async (one: RunningTask, type: RunningNodeType): Promise<void> => {
      const { task, attempt, lookup } = one;
      one.isUnderWay = true;
      const taskId = `${prefix}${task.id}`;
      const runId = world.ids.create('run');
      const key = taskKey(place.key, task.id);
      const over = type.capabilities?.isAgent === true ? world.onAgentRun(runId, taskId) : undefined;
      const kept = new Map<string, Json>();
      /** Runs what is inside of this task: a flow, or one repetition of its body. */
      const within = <Result>(
        index: number | null,
        ending: AbortSignal,
        run: (there: TaskPlace) => Promise<Result>,
      ): Promise<Result> => {
        const part = index === null ? '' : `.${index}`;
        const owner: TaskPlace['owner'] = {
          add(tasks) {
            one.inside.add(tasks);
            return () => void one.inside.delete(tasks);
          },
          onStand: stand,
        };
        const there = { ...place, prefix: `${taskId}${part}.`, key: `${key}${part}`, signal: ending, attempt, owner };
        const result = run({ ...there, depth: place.depth + 1 });
        inside.add(result);
        void result.catch(() => undefined).then(() => inside.delete(result));
        return result;
      };
      const { body } = task;
      const surroundings: Surroundings = {
        ...world,
        state: keepingIn(kept, world.state),
        runId,
        taskId,
        key,
        beganAt: one.beganAt,
        hub,
        tool: waitedFor(world.tool, inside),
        runFlow: (name, input, ending) => within(null, ending, (there) => world.runFlow(name, input, there)),
        ...(body === null
          ? {}
          : {
              runBody: (index, names, ending) =>
                within(index, ending, async (there) =>
                  outputsOf(await runTasks(bodyScope(scope, body, lookup, names), there, world)),
                ),
            }),
      };
      const run = async (): Promise<Attempted> => {
        const known = lookupAt(lookup, one.beganAt, scope);
        return { outcome: await runTask(task, type, known, surroundings, one.abort.signal), kept };
      };
      // An attempt may begin beside one of a run before it, which has ended without waiting: both are one write then.
      const ended = await (task.writes ? onceAtATime(world.writing, key, run) : run());
      over?.();
      // What was cancelled has been told of.
      if (one.abort.signal.aborted) return;
      const { overdueMs } = one;
      end(one, overdueMs === null || ended.outcome.ok ? ended.outcome : tookTooLong(overdueMs), ended.kept);
    };

    /** An attempt that takes time has ended. */
    const end = (
      one: RunningTask,
      outcome: AttemptOutcome,
      kept: ReadonlyMap<string, Json> = new Map(),
      inputKeys: readonly string[] = [],
    ): void => {
      at = clock.now();
      if (stream === undefined) {
        settle(one.task, outcome);
        return;
      }
      const ended = settle(one.task, keepable(one.task, outcome));
      const patch = kept.size === 0 ? {} : { kept: Object.fromEntries(kept) };
      const isOver = state.phase !== 'running' && inside.size === 0;
      stream.add({ ...ended, at, place: place.key, ...patch }, effects, inputKeys, isOver);
      effects = [];
      beginDue(stream.settled());
      stand();
    };

    /** The outcome as another process would find it. */
    const keepable = ({ id }: TaskNode, outcome: AttemptOutcome): AttemptOutcome =>
      stream === undefined || !outcome.ok
        ? outcome
        : copyOf(outcome.output, `the output of task "${prefix}${id}"`, stream);

    /** Begins what is due once it is kept that it begins. */
    const beginDue = (kept: Promise<void>): void => {
      const next = due;
      due = [];
      if (next.length > 0) void kept.then(() => next.forEach(begin));
    };

    const settle = ({ id: task }: TaskNode, outcome: AttemptOutcome) => {
      const ended = outcome.ok
        ? ({ type: 'attempt:done', task, result: outcome.output } as const)
        : ({ type: 'attempt:failed', task, error: outcome.failure, jitter: random.next() } as const);
      feed(ended);
      return ended;
    };

    const forget = (task: TaskNode, became: EffectState): void => {
      const one = running.get(task);
      if (one === undefined) return;
      running.delete(task);
      one.cancelTotal?.();
      one.cancelDelay?.();
      one.forgetWait?.();
      one.abort.abort(taskOver);
      if (stream !== undefined) effects.push(effectOf(one, place, became));
    };

    signal.addEventListener('abort', abort);
    if (stream === undefined) feed({ type: 'run:started' });
    else if (stream.kept === null) {
      feed({ type: 'run:started' });
      stream.start(at, effects, state.phase !== 'running');
      // A write is kept as intended before it begins; what only reads need not wait, for it may be done again.
      const writes = due.some(({ task }) => task.writes);
      if (writes) beginDue(stream.keep());
      else for (const one of due.splice(0)) begin(one);
    } else {
      const { kept } = stream;
      at = kept.at;
      stream.replay(() => {
        feed({ type: 'run:started' });
        for (const one of kept.attempts) {
          at = one.at;
          feed(one);
        }
      });
      // What comes of those that still run is told for the first time.
      for (const { id } of running.keys()) toldBefore.delete(id);
      due = [];
      if (stream.isReopening) {
        stream.reopen(
          at,
          [...running.values()].flatMap((one) => [effectOf(one, place, 'intended'), one.notice ?? []].flat()),
        );
        due = [...running.values()];
        beginDue(stream.keep());
      } else for (const one of running.values()) begin(one);
    }
    effects = [];
    if (signal.aborted) abort();
  });
}

/** How the story of a task ends, where that is known as it begins. */
function endKnown(effect: TaskEffect, outcome: AttemptOutcome | null): ToldEnd | undefined {
  if (effect.type === 'skipped') return 'task:skipped';
  if (outcome === null) return undefined;
  return outcome.ok ? 'task:complete' : 'task:failed';
}

/** The write of a key that is under way, else a new one. */
function onceAtATime(writing: Writing, key: EffectKey, run: () => Promise<Attempted>): Promise<Attempted> {
  const known = writing.get(key);
  if (known !== undefined) return known;
  const attempt = run().finally(() => writing.delete(key));
  writing.set(key, attempt);
  return attempt;
}

/** The outputs of tasks that have run to their end. Throws the FlowError of the first failure. */
export function outputsOf({ outcome, outputs, failures }: TasksEnd): JsonObject {
  if (outcome === 'complete') return outputs;
  const [first] = failures;
  if (first === undefined) throw new FlowError('aborted', 'the run was ended before its tasks were done.');
  throw new FlowError(first.code, `task "${first.taskId}": ${first.message}`);
}

/** How a run of this state has ended. */
export function endOf({ nodes }: TaskScope, state: TaskState, outcome: RunOutcome, prefix: string): TasksEnd {
  const taskId = (index: number): string => `${prefix}${nodes[index]?.id ?? ''}`;
  const failures = state.failures.map(([index, failure]) => ({ taskId: taskId(index), ...failure }));
  return { outcome, outputs: outputsByName(nodes, state), failures };
}
