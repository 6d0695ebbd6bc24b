import type { DueTime, Effect, Waiting } from '../events/effect.ts';
import type { JsonObject } from '../events/json.ts';
import type { OutsideSignal } from '../events/inbox.ts';
import type { Lookup } from '../expression/path.ts';
import { boundInput } from '../graph/bound-input.ts';
import { factsHashOf } from '../graph/hash.ts';
import type { WaitingNodeType } from '../graph/node-type.ts';
import { schemaCheck } from '../graph/schema-check.ts';
import type { TaskNode } from '../graph/task-graph.ts';
import type { WaitRequest } from '../graph/wait-request.ts';
import { type AttemptOutcome, failed } from './attempt.ts';

/** Where tasks wait for somebody or something outside of their run. */
export interface TaskWaits {
  /** A task waits from now on. `onEnd` is told its end, with the key of the entry that has brought it. Returns what forgets it. */
  begin(wait: Waiting, onEnd: (outcome: AttemptOutcome, inputKey: string) => void): () => void;
  /** Takes what is due; true where a wait has ended by that. */
  look(): Promise<boolean>;
}

/** What a task waits for, and the message to whoever is asked; null where nobody is. */
export interface OpenedWait {
  readonly ok: true;
  readonly wait: Waiting;
  readonly message: Effect | null;
}

/** Opens the wait of a task at a moment in epoch milliseconds, or tells why its input asks for nothing. */
export function openTaskWait(
  { task }: TaskNode,
  type: WaitingNodeType,
  lookup: Lookup,
  place: Pick<Waiting, 'key' | 'node' | 'visit'> & { readonly at: number; readonly civil: (at: number) => string },
): OpenedWait | Extract<AttemptOutcome, { ok: false }> {
  const input = boundInput(task, lookup);
  if (!input.ok) return failed(input.code, input.message, true);
  const { due, deadlines, ...asked } = type.opens(input.value);
  const { key, node, visit, at } = place;
  const time = due === null ? firstEnd(deadlines) : { dueMs: msUntil(due, place), policy: null };
  const factsHash = factsHashOf(asked.facts);
  const wait: Waiting = {
    ...{ key, kind: 'wait', state: 'intended', node, visit },
    payload: { ...asked, factsHash, version: 1, policy: time?.policy ?? null, later: [] },
    ...(time === null ? {} : { deadline: at + time.dueMs }),
  };
  const { to, question, facts, options } = asked;
  const data = { key, wait: asked.wait, facts, factsHash, options: [...options] };
  const message: Effect | null =
    to === null
      ? null
      : {
          ...{ key: `${key}/notify`, kind: 'message', state: 'intended', node, visit },
          payload: { channel: 'notify', to, text: question, data },
        };
  return { ok: true, wait, message };

  /** A task has nobody to remind again: of its deadlines the first counts that ends the wait, once those before have passed. */
  function firstEnd(steps: WaitRequest['deadlines']) {
    let dueMs = 0;
    for (const step of steps) {
      dueMs = 'afterMs' in step.due ? dueMs + step.due.afterMs : msUntil(step.due, place);
      if (step.policy.act !== 'remind' && step.policy.act !== 'escalate') return { dueMs, policy: step.policy };
    }
    return null;
  }
}

function msUntil(due: DueTime, { at, civil }: { readonly at: number; readonly civil: (at: number) => string }): number {
  if ('afterMs' in due) return due.afterMs;
  const hasOffset = /(?:Z|[+-]\d\d:\d\d)$/.test(due.at);
  return hasOffset ? Date.parse(due.at) - at : Date.parse(`${due.at.slice(0, 16)}Z`) - Date.parse(`${civil(at)}Z`);
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
  return failed('wait-expired', 'nobody has answered in time.', true);
}

function fits(schema: JsonObject, resolution: JsonObject): AttemptOutcome | null {
  return schemaCheck(schema).violations(resolution).length === 0 ? { ok: true, output: resolution } : null;
}

/** What a task that would wait comes to where nothing keeps its run by itself. */
export const unkept = failed(
  'wait-unkept',
  'the task waits for somebody outside, which only a task at the top of a run that a store keeps can. Give the run a store, or take the wait out of the body or the called flow.',
  true,
);
