import { FlowError } from '../errors.ts';
import type { EffectKey } from '../events/effect.ts';
import type { JsonObject } from '../events/json.ts';
import type { Lookup } from '../expression/path.ts';
import type { TaskNode, TaskPart } from '../graph/task-graph.ts';
import type { Hub } from '../ports/hub.ts';
import { type AttemptOutcome, evaluateTask, isPure, runTask, type Surroundings } from './attempt.ts';
import { lookupIn, step, type TaskEffect, type TaskScope, type TaskSignal } from './step.ts';
import { newTaskState, outputOf, type RunOutcome, type TaskFailure, type TaskState } from './task-state.ts';

/** What tasks are given of the world, each of them alike. */
export type TaskWorld = Omit<Surroundings, 'runId' | 'taskId' | 'key' | 'hub' | 'runFlow' | 'runBody'> & {
  /** Runs a registered flow for a task; `place` is where in the run it stands. */
  runFlow(name: string, input: JsonObject, place: TaskPlace): Promise<JsonObject>;
  /** Hears of each run of an agent. Returns what is told that it has ended. */
  onAgentRun(runId: string, taskId: string): () => void;
};

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
}

/** How tasks have ended. */
export interface TasksEnd {
  readonly outcome: RunOutcome;
  readonly outputs: JsonObject;
  /** Failures that nobody handled, the first one first. */
  readonly failures: readonly (TaskFailure & { readonly taskId: string })[];
}

/** Runs tasks to their end. Never rejects; afterwards no timer and no listener of theirs is left. */
export function runTasks(scope: TaskScope, place: TaskPlace, world: TaskWorld): Promise<TasksEnd> {
  return new Promise((resolve) => {
    const { hub, prefix, signal } = place;
    const { clock, random } = world;
    const running = new Map<TaskNode, Running>();
    const signals: TaskSignal[] = [];
    let state = newTaskState(scope.nodes.length, scope.edges.length);
    let isFolding = false;

    /** Signals that come while one is folded wait: so tasks that take no time need no stack. */
    const feed = (next: TaskSignal): void => {
      signals.push(next);
      if (isFolding) return;
      isFolding = true;
      for (const one of signals) {
        const after = step(scope, state, one);
        state = after.state;
        for (const effect of after.effects) perform(effect);
      }
      signals.length = 0;
      isFolding = false;
    };
    const abort = (): void => feed({ type: 'run:aborted' });

    const perform = (effect: TaskEffect): void => {
      if (effect.type === 'ended') {
        signal.removeEventListener('abort', abort);
        resolve(endOf(scope, state, effect.outcome, prefix));
        return;
      }
      const taskId = `${prefix}${effect.task.id}`;
      const ids = { nodeId: taskId };
      switch (effect.type) {
        case 'attempt': {
          const { attempt, delayMs } = effect;
          if (attempt === 1) hub.emit('task:start', { taskId }, ids);
          else hub.emit('task:retry', { taskId, attempt, delayMs }, ids);
          begin(effect.task, taskId, delayMs);
          return;
        }
        case 'completed':
          forget(effect.task);
          hub.emit('task:complete', { taskId, result: effect.output }, ids);
          return;
        case 'failed': {
          const { code, attempts } = effect.failure;
          forget(effect.task);
          hub.emit('task:failed', { taskId, code, attempts, continued: effect.continued }, ids);
          return;
        }
        case 'cancel':
          forget(effect.task);
          return;
        case 'skipped':
          hub.emit('task:skipped', { taskId }, ids);
      }
    };

    const begin = (task: TaskNode, taskId: string, delayMs: number): void => {
      if (isPure(task)) {
        settle(task, evaluateTask(task, lookupIn(scope, state)));
        return;
      }
      const known = running.get(task);
      const one = known ?? { abort: new AbortController(), cancelTotal: nothing, cancelDelay: nothing };
      running.set(task, one);
      const { totalTimeoutMs } = task.policy;
      if (known === undefined && totalTimeoutMs !== null)
        one.cancelTotal = clock.schedule(totalTimeoutMs, () => settle(task, tookTooLong(totalTimeoutMs)));
      const attempt = (): void => void attemptOnce(task, taskId, one.abort.signal);
      if (delayMs === 0) attempt();
      else one.cancelDelay = clock.schedule(delayMs, attempt);
    };

    const attemptOnce = async (task: TaskNode, taskId: string, ending: AbortSignal): Promise<void> => {
      const { type } = task.task;
      if ('evaluate' in type) return;
      const runId = world.ids.create('run');
      const key = `${place.key}/${task.id}`;
      const lookup = lookupIn(scope, state);
      const over = type.capabilities?.isAgent === true ? world.onAgentRun(runId, taskId) : nothing;
      /** Where tasks inside of this one stand: those of a flow, or of one repetition of its body. */
      const inside = (index?: number): TaskPlace => {
        const part = index === undefined ? '' : `.${index}`;
        return { prefix: `${taskId}${part}.`, key: `${key}${part}`, hub, signal: ending, depth: place.depth + 1 };
      };
      const { body } = task;
      const surroundings: Surroundings = {
        ...world,
        runId,
        taskId,
        key,
        hub,
        runFlow: (name, input) => world.runFlow(name, input, inside()),
        ...(body === null
          ? {}
          : {
              runBody: async (index, names) =>
                outputsOf(await runTasks(bodyScope(scope, body, lookup, names), inside(index), world)),
            }),
      };
      const outcome = await runTask(task, type, lookup, surroundings, ending);
      over();
      // What was cancelled has been told of.
      if (!ending.aborted) settle(task, outcome);
    };

    const settle = ({ id }: TaskNode, outcome: AttemptOutcome): void => {
      if (outcome.ok) feed({ type: 'attempt:done', task: id, output: outcome.output });
      else feed({ type: 'attempt:failed', task: id, failure: outcome.failure, jitter: random.next() });
    };

    const forget = (task: TaskNode): void => {
      const one = running.get(task);
      if (one === undefined) return;
      running.delete(task);
      one.cancelTotal();
      one.cancelDelay();
      one.abort.abort(taskOver);
    };

    signal.addEventListener('abort', abort);
    feed({ type: 'run:started' });
    if (signal.aborted) abort();
  });
}

/** The outputs of tasks that have run to their end. Throws the FlowError of the first failure. */
export function outputsOf({ outcome, outputs, failures }: TasksEnd): JsonObject {
  if (outcome === 'complete') return outputs;
  const [first] = failures;
  if (first === undefined) throw new FlowError('aborted', 'the run was ended before its tasks were done.');
  throw new FlowError(first.code, `task "${first.taskId}": ${first.message}`);
}

interface Running {
  readonly abort: AbortController;
  cancelTotal: () => void;
  cancelDelay: () => void;
}

const taskOver = new DOMException('The task is over.', 'AbortError');

function nothing(): void {
  // There is nothing to cancel.
}

function tookTooLong(ms: number): AttemptOutcome {
  const message = `the task and its attempts took longer than ${ms} ms.`;
  return { ok: false, failure: { code: 'task-timeout', message, isFinal: true, timedOut: true } };
}

/** A body knows all that its owner knows, and names of its own. */
function bodyScope(scope: TaskScope, body: TaskPart, lookup: Lookup, names: JsonObject): TaskScope {
  const outer: Lookup = (name) => (Object.hasOwn(names, name) ? names[name] : lookup(name));
  return { ...body, failFast: true, concurrency: scope.concurrency, outer };
}

function endOf({ nodes }: TaskScope, state: TaskState, outcome: RunOutcome, prefix: string): TasksEnd {
  return {
    outcome,
    // fromEntries defines own properties, so that an id such as __proto__ is an ordinary one.
    outputs: Object.fromEntries(
      nodes.flatMap(({ id }, index) => {
        const output = outputOf(state, index);
        return output === undefined ? [] : [[id, output]];
      }),
    ),
    failures: state.failures.map(([index, failure]) => ({ taskId: `${prefix}${nodes[index]?.id ?? ''}`, ...failure })),
  };
}
