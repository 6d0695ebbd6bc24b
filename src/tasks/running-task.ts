import { keyPart } from '../events/key-part.ts';
import type { Effect, EffectKey, EffectState, Waiting } from '../events/effect.ts';
import type { Json } from '../events/json.ts';
import type { Lookup } from '../expression/path.ts';
import type { RunContext, RunningNodeType, WaitingNodeType } from '../graph/node-type.ts';
import type { TaskNode } from '../graph/task-graph.ts';
import type { SessionValues } from '../ports/values.ts';
import { type AttemptOutcome, failureOf } from './attempt.ts';
import type { TaskStream } from './journal.ts';

/** Tasks inside of a task, as it sees them. */
export interface TasksInside {
  /** Whether nothing of them runs: each of them waits for somebody outside, or has only such inside of it. */
  isIdle(): boolean;
  /** Lets go of them as they stand: nothing of them is told or kept any more. */
  leave(): void;
}

/** A task that takes time, from its first attempt to its end. */
export interface RunningTask {
  readonly task: TaskNode;
  readonly type: RunningNodeType | WaitingNodeType;
  /** What it waits for outside of the run, in place of running. */
  wait: Waiting | null;
  forgetWait: (() => void) | null;
  /** The message to whoever is asked, where it has just begun to wait. */
  notice: Effect | null;
  /** What it runs itself: a flow, or its body. */
  readonly inside: Set<TasksInside>;
  readonly abort: AbortController;
  cancelTotal: (() => void) | null;
  cancelDelay: (() => void) | null;
  attempt: number;
  /** When its first attempt and this one began, or are to begin, in epoch milliseconds. */
  readonly firstAt: number;
  beganAt: number;
  /** Whether an attempt runs, or what it waits for is waited for: else the next one is to begin. */
  isUnderWay: boolean;
  /** The time that all its attempts may take, once that is over and a write is still waited for; else null. */
  overdueMs: number | null;
  /** What was known when the attempt was decided on. */
  lookup: Lookup;
}

/** A task whose first attempt is still to be decided on. */
export function newRunningTask(task: TaskNode, type: RunningTask['type'], at: number): RunningTask {
  const abort = new AbortController();
  const lookup: Lookup = () => undefined;
  const notYet = {
    wait: null,
    forgetWait: null,
    notice: null,
    cancelTotal: null,
    cancelDelay: null,
    attempt: 0,
    isUnderWay: false,
    overdueMs: null,
  };
  return { task, type, abort, firstAt: at, beganAt: at, lookup, inside: new Set(), ...notYet };
}

/** Whether nothing of a task runs. One that writes, or whose time is limited, is not let go of. */
export function isIdle({ task, wait, isUnderWay, inside }: RunningTask): boolean {
  if (!isUnderWay) return false;
  if (wait !== null) return true;
  const { timeoutMs, totalTimeoutMs } = task.policy;
  if (task.writes || timeoutMs !== null || totalTimeoutMs !== null || inside.size === 0) return false;
  return [...inside].every((tasks) => tasks.isIdle());
}

/** The key of a task: that of its place, and its id, in which nothing can be mistaken for another place. */
export function taskKey(place: EffectKey, id: string): EffectKey {
  return `${place}/${keyPart(id).replaceAll('.', '%2E')}`;
}

/** What is kept of a task that stands at a place: how far it has come. What it was given its log tells. */
export function effectOf(
  { task, attempt, wait }: RunningTask,
  { key, prefix }: { readonly key: EffectKey; readonly prefix: string },
  state: EffectState,
): Effect {
  if (wait !== null) return { ...wait, state };
  const payload = { type: task.task.type.name };
  return { key: taskKey(key, task.id), kind: 'task', state, node: `${prefix}${task.id}`, visit: attempt, payload };
}

// Made once: an abort without a reason makes an exception with a stack, and every task ends in an abort.
export const taskOver = new DOMException('The task is over.', 'AbortError');

/** Values of the session; those that are set are also put into `kept`. */
export function keepingIn(kept: Map<string, Json>, values: SessionValues): SessionValues {
  return {
    get: (key) => values.get(key),
    set(key, value) {
      kept.set(key, value);
      return values.set(key, value);
    },
  };
}

/** The same functions; those that write are let go on whatever becomes of the task, and are among `inside` meanwhile. */
export function waitedFor(toolOf: RunContext['tool'], inside: Set<Promise<unknown>>): RunContext['tool'] {
  return (name) => {
    const tool = toolOf(name);
    if (tool?.writes !== true) return tool;
    return {
      ...tool,
      execute(key, rawArguments) {
        const result = tool.execute(key, rawArguments, new AbortController().signal);
        inside.add(result);
        void result.then(() => inside.delete(result));
        return result;
      },
    };
  };
}

/** The output as another process would find it; `what` names it where it cannot be kept. */
export function copyOf(output: Json, what: string, stream: Pick<TaskStream, 'copy'>): AttemptOutcome {
  try {
    return { ok: true, output: stream.copy(output, what) };
  } catch (error) {
    return failureOf(error, true);
  }
}

/** How a task ends that was still to begin when its run was aborted. */
export const notBegun: AttemptOutcome = Object.freeze({
  ok: false,
  failure: { code: 'aborted', message: 'the run ended before the task began.', isFinal: true, timedOut: false },
});

/** How a task ends that has taken all the time that its attempts may. */
export function tookTooLong(ms: number): AttemptOutcome {
  const message = `the task and its attempts took longer than ${ms} ms.`;
  return { ok: false, failure: { code: 'task-timeout', message, isFinal: true, timedOut: true } };
}
