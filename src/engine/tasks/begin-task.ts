import type { EffectKey } from '../../model/effect.ts';
import type { Json } from '../../model/json.ts';
import type { RunningNodeType } from '../../flow/graph/nodes/node-type.ts';
import { runTask, type Surroundings } from './attempt.ts';
import type { Attempted, OneRun, TaskPlace, Writing } from './one-run.ts';
import { keepingIn, type RunningTask, taskKey, tookTooLong, waitedFor } from './running-task.ts';
import { lookupAt } from './step.ts';
import { beginWait } from './wait-outside.ts';

/** Begins a task's next step: its attempt when due, or its wait. */
export function begin(run: OneRun, one: RunningTask): void {
  if (run.hasLeft) return;
  const { clock } = run.world;
  const { type } = one;
  if (one.wait !== null) {
    beginWait(run, one, one.wait);
    return;
  }
  if (!('run' in type)) return;
  // The task may have been cancelled while its start was being stored.
  if (one.abort.signal.aborted) return;
  const { totalTimeoutMs } = one.task.policy;
  if (totalTimeoutMs !== null && one.cancelTotal === null) {
    const leftMs = Math.max(0, one.firstAt + totalTimeoutMs - clock.now());
    one.cancelTotal = clock.schedule(leftMs, () => endOverdue(run, one, totalTimeoutMs));
  }
  const delayMs = one.beganAt - clock.now();
  if (delayMs <= 0) void attemptOnce(run, one, type);
  else one.cancelDelay = clock.schedule(delayMs, () => void attemptOnce(run, one, type));
}

/** Ends a task whose total time is over. A running write continues, and its attempt is the last. */
function endOverdue(run: OneRun, one: RunningTask, limitMs: number): void {
  const { hub, prefix } = run.place;
  const taskId = `${prefix}${one.task.id}`;
  if (!one.task.writes || !one.isUnderWay) {
    run.onTaskEnd(one, tookTooLong(limitMs));
    return;
  }
  one.overdueMs = limitMs;
  hub.emit('task:overdue', { taskId, limitMs }, { nodeId: taskId });
}

async function attemptOnce(run: OneRun, one: RunningTask, type: RunningNodeType): Promise<void> {
  const { scope, place, world } = run;
  const { task, lookup } = one;
  one.isUnderWay = true;
  const taskId = `${place.prefix}${task.id}`;
  const runId = world.ids.create('run');
  const key = taskKey(place.key, task.id);
  const over = type.capabilities?.isAgent === true ? world.onAgentRun(runId, taskId) : undefined;
  const kept = new Map<string, Json>();
  const surroundings: Surroundings = {
    ...world,
    state: keepingIn(kept, world.state),
    runId,
    taskId,
    key,
    beganAt: one.beganAt,
    hub: place.hub,
    tool: waitedFor(world.tool, run.inside),
    ...runsInside(run, one),
  };
  const attempt = async (): Promise<Attempted> => {
    const known = lookupAt(lookup, one.beganAt, scope);
    return { outcome: await runTask(task, type, known, surroundings, one.abort.signal), kept };
  };
  // An earlier run may have ended without waiting for its attempt of this write. The two share one execution.
  const ended = await (task.writes ? onceAtATime(world.writing, key, attempt) : attempt());
  over?.();
  // A cancelled task was already reported.
  if (one.abort.signal.aborted) return;
  const { overdueMs } = one;
  const outcome = overdueMs === null || ended.outcome.ok ? ended.outcome : tookTooLong(overdueMs);
  run.onTaskEnd(one, outcome, ended.kept);
}

/** Returns what an attempt may run inside its task: a flow, or repetitions of its body. */
function runsInside(run: OneRun, one: RunningTask): Pick<Surroundings, 'runFlow' | 'runBody'> {
  const { place, world, inside } = run;
  const { task, attempt, lookup } = one;
  const { body } = task;
  const owner: TaskPlace['owner'] = {
    add(tasks) {
      one.inside.add(tasks);
      return () => void one.inside.delete(tasks);
    },
    onStand: () => run.onStand(),
  };
  const within = <Result>(
    index: number | null,
    ending: AbortSignal,
    runThere: (there: TaskPlace) => Promise<Result>,
  ): Promise<Result> => {
    const part = index === null ? '' : `.${index}`;
    const prefix = `${place.prefix}${task.id}${part}.`;
    const key = `${taskKey(place.key, task.id)}${part}`;
    const result = runThere({ ...place, prefix, key, signal: ending, depth: place.depth + 1, attempt, owner });
    inside.add(result);
    void result.catch(() => undefined).then(() => inside.delete(result));
    return result;
  };
  return {
    runFlow: (name, input, ending) => within(null, ending, (there) => world.runFlow(name, input, there)),
    ...(body === null
      ? {}
      : {
          runBody: (index, names, ending) => within(index, ending, (there) => run.runBody(body, names, lookup, there)),
        }),
  };
}

/** Joins the running write of a key, or starts a new one. */
function onceAtATime(writing: Writing, key: EffectKey, run: () => Promise<Attempted>): Promise<Attempted> {
  const known = writing.get(key);
  if (known !== undefined) return known;
  const attempt = run().finally(() => writing.delete(key));
  writing.set(key, attempt);
  return attempt;
}
