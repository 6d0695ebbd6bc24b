import type { Effect, Waiting } from '../../model/effect.ts';
import type { DueTime } from '../../model/outside-wait.ts';
import { hasOffset } from '../../flow/expression/moment.ts';
import type { JsonObject } from '../../model/json.ts';
import type { OutsideSignal } from '../../model/inbox.ts';
import type { Lookup } from '../../flow/expression/path.ts';
import { boundInput } from '../../flow/graph/compile/bound-input.ts';
import { factsHashOf } from '../../flow/graph/hash.ts';
import type { RunningNodeType, WaitingNodeType } from '../../flow/graph/nodes/node-type.ts';
import { schemaCheck } from '../../flow/graph/schema-check.ts';
import type { TaskNode } from '../../flow/graph/task-graph.ts';
import { type AttemptOutcome, failed } from './attempt.ts';

/** Storage for waits of tasks for people or events outside the run. */
export interface TaskWaits {
  /** Returns the key of a task's wait, and the wait itself if it is already open. */
  stand(taskKey: string): { readonly key: string; readonly open: Waiting | null };
  /**
   * Begins a wait. Calls `onEnd` with its end and the key of the inbox entry behind it. Returns a function that forgets
   * the wait.
   */
  begin(wait: Waiting, limits: WaitLimits, onEnd: (end: WaitEnd, inputKey: string) => void): () => void;
  /** Takes due entries. Returns true if a wait has ended. */
  look(): Promise<boolean>;
  /**
   * Checks whether a wait will soon end by itself or through a channel of the run, so releasing the run is not
   * worthwhile.
   */
  isSoonOver(): boolean;
}

/** Limits for later deadlines of a wait. */
export interface WaitLimits {
  readonly civil: (at: number) => string;
  /** End of the task's total time, in epoch milliseconds; null without a limit. */
  readonly endsAt: number | null;
}

/** The end of a wait. */
export interface WaitEnd {
  readonly by: 'wait:resolved' | 'wait:expired';
  readonly outcome: AttemptOutcome;
}

/** A task's wait, and the message to the person asked; null if no person is asked. */
export interface OpenedWait {
  readonly ok: true;
  readonly wait: Waiting;
  readonly message: Effect | null;
}

/** The key, position and time of a task's wait. */
export interface WaitPlace extends Pick<Waiting, 'key' | 'node' | 'visit'>, WaitLimits {
  /** Epoch milliseconds. */
  readonly at: number;
}

/** Opens the wait of a task, or returns why its input does not describe one; null for a task that runs instead. */
export function openTaskWait(
  { task }: TaskNode,
  type: WaitingNodeType | RunningNodeType,
  lookup: Lookup,
  place: WaitPlace,
): OpenedWait | Extract<AttemptOutcome, { ok: false }> | null {
  const input = boundInput(task, lookup);
  if (!input.ok) return failed(input.code, input.message, true);
  const request = type.opens?.(input.value) ?? null;
  if (request === null) return null;
  const { due, deadlines, ...asked } = request;
  const { key, node, visit, at, endsAt } = place;
  // A wait for a time needs no other deadline.
  const [first, ...later] = due === null ? deadlines : [];
  const time = due ?? first?.due ?? null;
  const payload = {
    ...{ ...asked, factsHash: factsHashOf(asked.facts), version: 1 as const },
    ...{ policy: due === null ? (first?.policy ?? null) : null, later },
  };
  const wait = limited(
    { ...{ key, kind: 'wait', state: 'intended', node, visit, payload }, ...dueOf(time, at, place) },
    endsAt,
  );
  return { ok: true, wait, message: noticeOf(wait, `${key}/notify`) };
}

/** Limits the deadline of a wait to the end of its task's time. */
function limited(wait: Waiting, endsAt: number | null): Waiting {
  if (endsAt === null || (wait.deadline ?? Infinity) <= endsAt) return wait;
  const policy = { act: 'end', reason: overdue } as const;
  return { ...wait, deadline: endsAt, payload: { ...wait.payload, policy, later: [] } };
}

/** Reason of a wait that ends with its task's time. */
const overdue = 'task-timeout';

function dueOf(due: DueTime | null, at: number, { civil }: WaitLimits): { readonly deadline?: number } {
  if (due === null) return {};
  if ('afterMs' in due) return { deadline: at + due.afterMs };
  return {
    deadline: hasOffset(due.at)
      ? Date.parse(due.at)
      : at + Date.parse(`${due.at.slice(0, 16)}Z`) - Date.parse(`${civil(at)}Z`),
  };
}

/** Returns the message to the person asked; null if no person is asked. */
function noticeOf({ key, node, visit, payload }: Waiting, noticeKey: string): Effect | null {
  const { to, question, wait, facts, factsHash, options } = payload;
  if (to === null) return null;
  const data = { key, wait, facts, factsHash, options: [...options] };
  return {
    ...{ key: noticeKey, kind: 'message', state: 'intended', node, visit },
    payload: { channel: 'notify', to, text: question, data },
  };
}

/** Returns the outcome if a signal ends a wait, with the resolution as output; null otherwise. */
export function endedBy(
  { payload, key, deadline = 0 }: Waiting,
  signal: OutsideSignal,
  now: number,
): AttemptOutcome | null {
  if (signal.type === 'wait:resolved' && signal.key === key) return fits(payload.schema, signal.resolution);
  if (signal.type !== 'wait:expired' || signal.key !== key || now < deadline) return null;
  const { policy } = payload;
  if (policy === null) return { ok: true, output: {} };
  if (policy.act === 'answer') return { ok: true, output: policy.resolution };
  if (policy.act === 'end' && policy.reason === overdue)
    return failed('task-timeout', 'the task took longer than it may.', true, true);
  return failed('wait-expired', 'the wait was not answered in time.', true);
}

/** A wait that continues after a deadline: the person is reminded, or another person is asked. */
export interface GoneOn {
  readonly wait: Waiting;
  readonly message: Effect | null;
}

/** Returns the continued wait; null if the deadline ends it, or has not passed. `notice` numbers its messages. */
export function goneOn(wait: Waiting, now: number, notice: number, limits: WaitLimits): GoneOn | null {
  const { payload, deadline, ...rest } = wait;
  const { policy } = payload;
  if (deadline === undefined || now < deadline || (policy?.act !== 'remind' && policy?.act !== 'escalate')) return null;
  const [next, ...later] = payload.later;
  const asked = {
    ...payload,
    ...(policy.act === 'escalate' ? { to: policy.to } : {}),
    policy: next?.policy ?? null,
    later,
  };
  // Relative to the previous deadline, however late that was handled.
  const due = dueOf(next?.due ?? null, deadline, limits);
  const further = limited({ ...rest, payload: asked, ...due }, limits.endsAt);
  return { wait: further, message: noticeOf(further, `${wait.key}/notify.${notice}`) };
}

function fits(schema: JsonObject, resolution: JsonObject): AttemptOutcome | null {
  return schemaCheck(schema).violations(resolution).length === 0 ? { ok: true, output: resolution } : null;
}

/** The failure of a task that would wait in a run that nothing stores. */
export const unkept = failed(
  'wait-not-stored',
  'the task waits for an outside event, which needs a run in a store. Give the run a store. In a conversation, run the flow from a function (run:), because a node that runs a flow cannot wait.',
  true,
);
