import type { DueTime, Effect, Waiting } from '../events/effect.ts';
import { hasOffset } from '../flow/has-offset.ts';
import type { JsonObject } from '../events/json.ts';
import type { OutsideSignal } from '../events/inbox.ts';
import type { Lookup } from '../expression/path.ts';
import { boundInput } from '../graph/bound-input.ts';
import { factsHashOf } from '../graph/hash.ts';
import type { RunningNodeType, WaitingNodeType } from '../graph/node-type.ts';
import { schemaCheck } from '../graph/schema-check.ts';
import type { TaskNode } from '../graph/task-graph.ts';
import { type AttemptOutcome, failed } from './attempt.ts';

/** Where tasks wait for somebody or something outside of their run. */
export interface TaskWaits {
  /** The key under which the wait of a task is kept, and the wait as it stands where it is open already. */
  stand(taskKey: string): { readonly key: string; readonly open: Waiting | null };
  /** A task waits from now on. `onEnd` is told its end, with the key of the entry that has brought it. Returns what forgets it. */
  begin(wait: Waiting, limits: WaitLimits, onEnd: (end: WaitEnd, inputKey: string) => void): () => void;
  /** Takes what is due; true where a wait has ended by that. */
  look(): Promise<boolean>;
  /**
   * Whether one of these waits ends by itself in a moment, or by what is attached to the run, so that it is not worth letting
   * go of the run.
   */
  isSoonOver(): boolean;
}

/** What later deadlines of a wait are held to. */
export interface WaitLimits {
  readonly civil: (at: number) => string;
  /** When the task has taken all its time, in epoch milliseconds; null where that is not limited. */
  readonly endsAt: number | null;
}

/** How a wait has ended. */
export interface WaitEnd {
  readonly by: 'wait:resolved' | 'wait:expired';
  readonly outcome: AttemptOutcome;
}

/** What a task waits for, and the message to whoever is asked; null where nobody is. */
export interface OpenedWait {
  readonly ok: true;
  readonly wait: Waiting;
  readonly message: Effect | null;
}

/** Where and when the wait of a task opens. */
export interface WaitPlace extends Pick<Waiting, 'key' | 'node' | 'visit'>, WaitLimits {
  /** Epoch milliseconds. */
  readonly at: number;
}

/**
 * Opens the wait of a task, or tells why its input asks for nothing; null for a task that runs, and waits for nothing
 * outside.
 */
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
  // What comes by itself needs no deadline before it.
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

/** The wait with the end of its task's time as a deadline, where that comes before its own. */
function limited(wait: Waiting, endsAt: number | null): Waiting {
  if (endsAt === null || (wait.deadline ?? Infinity) <= endsAt) return wait;
  const policy = { act: 'end', reason: overdue } as const;
  return { ...wait, deadline: endsAt, payload: { ...wait.payload, policy, later: [] } };
}

/** Why a wait ends whose task has taken all its time. */
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

/** The message to whoever is asked; null where nobody is. */
function noticeOf({ key, node, visit, payload }: Waiting, noticeKey: string): Effect | null {
  const { to, question, wait, facts, factsHash, options } = payload;
  if (to === null) return null;
  const data = { key, wait, facts, factsHash, options: [...options] };
  return {
    ...{ key: noticeKey, kind: 'message', state: 'intended', node, visit },
    payload: { channel: 'notify', to, text: question, data },
  };
}

/** How a wait ends by a signal: its resolution is the output; null where the signal does not end it. */
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
  return failed('wait-expired', 'nobody has answered in time.', true);
}

/** What becomes of a wait whose deadline has come and does not end it: the person is told once more, or another one is asked. */
export interface GoneOn {
  readonly wait: Waiting;
  readonly message: Effect | null;
}

/** `notice` tells this message from those before it; null where the deadline ends the wait, or has not come. */
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
  // After the deadline before it, however late that was looked at.
  const due = dueOf(next?.due ?? null, deadline, limits);
  const further = limited({ ...rest, payload: asked, ...due }, limits.endsAt);
  return { wait: further, message: noticeOf(further, `${wait.key}/notify.${notice}`) };
}

function fits(schema: JsonObject, resolution: JsonObject): AttemptOutcome | null {
  return schemaCheck(schema).violations(resolution).length === 0 ? { ok: true, output: resolution } : null;
}

/** What a task that would wait comes to where nothing keeps its run by itself. */
export const unkept = failed(
  'wait-unkept',
  'the task waits for somebody outside, which only a task of a run that a store keeps can. Give the run a store; in a conversation let a function run the flow (run:), for a node that runs one cannot wait so.',
  true,
);
