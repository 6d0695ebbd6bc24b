import type { Waiting } from '../events/effect.ts';
import type { Json, JsonObject } from '../events/json.ts';
import { ownIdsOf } from '../events/proxy-id.ts';
import { utcTime } from '../expression/moment.ts';
import type { RunningNodeType, WaitingNodeType } from '../graph/node-type.ts';
import type { TaskNode } from '../graph/task-graph.ts';
import type { EventPattern } from '../ports/hub.ts';
import type { AttemptOutcome } from './attempt.ts';
import type { OneRun } from './one-run.ts';
import { newRunningTask, type RunningTask, taskKey } from './running-task.ts';
import { lookupAt, lookupIn } from './step.ts';
import { openTaskWait, unkept, type WaitEnd, type WaitLimits } from './waiting-task.ts';

/** A task is to wait for somebody outside: `waits` once that is kept, or `runs` in place of it, or why it can do neither. */
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
  // It was run before such waits were kept, or is over by what is folded next.
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

/** Waits for the end of a wait that is kept. */
export function beginWait(run: OneRun, one: RunningTask, wait: Waiting): void {
  const { hub } = run.place;
  const { clock, waits } = run.world;
  const { task, type, beganAt } = one;
  const isOver = ({ by, outcome }: WaitEnd, inputKeys: readonly string[]): void => {
    // Somebody was faster, or the run has ended meanwhile.
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
  // What runs may tell events of this run; those of others come by the inbox.
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
