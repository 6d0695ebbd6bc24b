import type { EffectKey } from '../events/effect.ts';
import type { TasksStarted } from '../events/task-signal.ts';
import { keyPart } from '../tasks/running-task.ts';
import type { CallingSession } from './task-run-state.ts';

/**
 * The key below which all keys of a run stand: that under which it has `started`; for a new one its id, in which nothing can
 * be mistaken for a task of another run, or the key of the call that it is the outcome of.
 */
export function runPlace(
  sessionId: string,
  started: TasksStarted | undefined,
  calledBy: CallingSession | null,
): EffectKey {
  return started?.place ?? (calledBy === null ? keyPart(sessionId) : sessionId);
}
