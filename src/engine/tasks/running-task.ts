import { keyPart } from '../../model/key-part.ts';
import type { Effect, EffectKey, EffectState, Waiting } from '../../model/effect.ts';
import type { Json } from '../../model/json.ts';
import type { Lookup } from '../../flow/expression/path.ts';
import type { RunContext, RunningNodeType, WaitingNodeType } from '../../flow/graph/nodes/node-type.ts';
import type { TaskNode } from '../../flow/graph/task-graph.ts';
import type { SessionValues } from '../../model/ports/values.ts';
import { type AttemptOutcome, failureOf } from './attempt.ts';
import type { TaskStream } from './journal.ts';

/** Tasks inside a task. */
export interface TasksInside {
  /** Checks whether none of them runs: each waits for an outside event, or contains only such tasks. */
  isIdle(): boolean;
  /** Releases them: nothing more is published or stored. */
  leave(): void;
}

/** A task that takes time, from its first attempt to its end. */
export interface RunningTask {
  readonly task: TaskNode;
  readonly type: RunningNodeType | WaitingNodeType;
  /** The outside wait that replaces an attempt. */
  wait: Waiting | null;
  forgetWait: (() => void) | null;
  /** The message to the person asked, if the wait has just begun. */
  notice: Effect | null;
  /** The runs inside it: a flow, or its body. */
  readonly inside: Set<TasksInside>;
  readonly abort: AbortController;
  cancelTotal: (() => void) | null;
  cancelDelay: (() => void) | null;
  attempt: number;
  /** Actual or scheduled start of the first and the current attempt, in epoch milliseconds. */
  readonly firstAt: number;
  beganAt: number;
  /** Whether an attempt runs or a wait is open; otherwise the next attempt is scheduled. */
  isUnderWay: boolean;
  /** The total time limit, once exceeded while a write continues; else null. */
  overdueMs: number | null;
  /** The values known when the attempt was scheduled. */
  lookup: Lookup;
}

/** Creates a task without an attempt. */
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

/** Checks whether nothing of a task runs. Tasks that write or have a time limit are not released. */
export function isIdle({ task, wait, isUnderWay, inside }: RunningTask): boolean {
  if (!isUnderWay) return false;
  if (wait !== null) return true;
  const { timeoutMs, totalTimeoutMs } = task.policy;
  if (task.writes || timeoutMs !== null || totalTimeoutMs !== null || inside.size === 0) return false;
  return [...inside].every((tasks) => tasks.isIdle());
}

/** Returns the key of a task: the key of its place and its escaped id, so no key equals that of another place. */
export function taskKey(place: EffectKey, id: string): EffectKey {
  return `${place}/${keyPart(id).replaceAll('.', '%2E')}`;
}

/** Returns the stored effect of a task: its progress. Its input is in the log. */
export function effectOf(
  { task, attempt, wait }: RunningTask,
  { key, prefix }: { readonly key: EffectKey; readonly prefix: string },
  state: EffectState,
): Effect {
  if (wait !== null) return { ...wait, state };
  const payload = { type: task.task.type.name };
  return { key: taskKey(key, task.id), kind: 'task', state, node: `${prefix}${task.id}`, visit: attempt, payload };
}

// Created once: an abort without a reason creates an exception with a stack, and every task ends in an abort.
export const taskOver = new DOMException('The task is over.', 'AbortError');

/** Wraps session values; set values are also recorded in `kept`. */
export function keepingIn(kept: Map<string, Json>, values: SessionValues): SessionValues {
  return {
    get: (key) => values.get(key),
    set(key, value) {
      kept.set(key, value);
      return values.set(key, value);
    },
  };
}

/** Wraps functions. Writes continue even if the task ends, and are in `inside` meanwhile. */
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

/** Returns the output as another process would read it. `what` names it in errors. */
export function copyOf(output: Json, what: string, stream: Pick<TaskStream, 'copy'>): AttemptOutcome {
  try {
    return { ok: true, output: stream.copy(output, what) };
  } catch (error) {
    return failureOf(error, true);
  }
}

/** The end of a task that had not begun when its run was aborted. */
export const notBegun: AttemptOutcome = Object.freeze({
  ok: false,
  failure: { code: 'aborted', message: 'the run ended before the task began.', isFinal: true, timedOut: false },
});

/** Returns the end of a task that exceeded its total time. */
export function tookTooLong(ms: number): AttemptOutcome {
  const message = `the task and its attempts took longer than ${ms} ms.`;
  return { ok: false, failure: { code: 'task-timeout', message, isFinal: true, timedOut: true } };
}
