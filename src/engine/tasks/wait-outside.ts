import type { Waiting } from '../../model/effect.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import { ownIdsOf } from '../../model/proxy-id.ts';
import { utcTime } from '../../flow/expression/moment.ts';
import type { RunningNodeType, WaitingNodeType } from '../../flow/graph/nodes/node-type.ts';
import type { TaskNode } from '../../flow/graph/task-graph.ts';
import type { EventPattern } from '../../model/ports/hub.ts';
import type { AttemptOutcome } from './attempt.ts';
import type { OneRun } from './one-run.ts';
import { newRunningTask, type RunningTask, taskKey } from './running-task.ts';
import { lookupAt, lookupIn } from './step.ts';
import { openTaskWait, unkept, type WaitEnd, type WaitLimits } from './waiting-task.ts';

/** Opens a task's outside wait. Returns `waits`, `runs` if the task runs instead, or the failure if it can do neither. */
export function openWait(
  run: OneRun,
  task: TaskNode,
  type: WaitingNodeType | RunningNodeType,
): 'waits' | 'runs' | AttemptOutcome {
  const { scope, state, stream, place, at } = run;
  const { waits } = run.world;
  const isKept = waits !== undefined && stream !== undefined;
  if (!isKept) return 'interrupts' in type ? unkept : 'runs';
  const { key, open } = waits.stand(taskKey(place.key, task.id));
  // The task ran before such waits were stored, or ends with the next folded signal.
  if (open === null && 'run' in type && stream.isReplaying && !stream.isReopening) return 'runs';
  const lookup = lookupAt(lookupIn(scope, state), at, scope);
  const where = { key, node: `${place.prefix}${task.id}`, visit: 1, at, ...limitsOf(run, task, at) };
  const opened = openTaskWait(task, type, lookup, where);
  if (opened === null) return 'runs';
  if (!opened.ok) return opened;
  const one = newRunningTask(task, type, at);
  one.attempt = 1;
  one.wait = open ?? opened.wait;
  run.running.set(task, one);
  run.due.push(one);
  if (open !== null) return 'waits';
  one.notice = opened.message;
  run.effects.push(...[opened.wait, opened.message ?? []].flat());
  if (stream.isReplaying && !stream.isReopening) return 'waits';
  place.hub.emit('wait:opened', { key, wait: opened.wait.payload.wait }, waitIds(run, task, opened.wait));
  return 'waits';
}

/** Waits for the end of a stored wait. */
export function beginWait(run: OneRun, one: RunningTask, wait: Waiting): void {
  const { hub } = run.place;
  const { clock, waits } = run.world;
  const { task, type, beganAt } = one;
  const isOver = ({ by, outcome }: WaitEnd, inputKeys: readonly string[]): void => {
    // Another resolution was faster, or the run has ended.
    if (run.running.get(task) !== one || run.hasLeft) return;
    const data = { key: wait.key, wait: wait.payload.wait };
    if (by === 'wait:resolved') hub.emit(by, data, waitIds(run, task, wait));
    else hub.emit(by, { ...data, act: wait.payload.policy?.act ?? 'go_on' }, waitIds(run, task, wait));
    const waitedMs = Math.max(0, clock.now() - beganAt);
    // A resolution is an object, and outputs are JSON.
    const output =
      outcome.ok && 'resolved' in type ? type.resolved?.(outcome.output as JsonObject, waitedMs) : undefined;
    const ended = output === undefined ? outcome : ({ ok: true, output: output as Json } as const);
    run.onTaskEnd(one, ended, new Map(), inputKeys);
  };
  one.isUnderWay = true;
  const forget = waits?.begin(wait, limitsOf(run, task, beganAt), (ended, key) => isOver(ended, [key]));
  const { event } = wait.payload;
  // A running task may emit events of this run; events of other runs arrive by the inbox.
  const done = (): void => isOver({ by: 'wait:resolved', outcome: { ok: true, output: {} } }, []);
  const deafen = 'run' in type && event !== undefined ? hub.subscribe(event as EventPattern, done) : undefined;
  one.forgetWait = () => {
    forget?.();
    deafen?.();
  };
  run.onStand();
}

function limitsOf({ scope }: OneRun, { policy: { timeoutMs, totalTimeoutMs } }: TaskNode, from: number): WaitLimits {
  const limitMs = Math.min(timeoutMs ?? Infinity, totalTimeoutMs ?? Infinity);
  return { civil: scope.civil ?? utcTime, endsAt: limitMs === Infinity ? null : from + limitMs };
}

function waitIds({ place }: OneRun, task: TaskNode, wait: Waiting) {
  const { key, payload } = wait;
  return {
    nodeId: `${place.prefix}${task.id}`,
    ...(payload.to === null ? {} : { escalationId: payload.escalationId ?? key }),
    ...ownIdsOf(wait),
  };
}
