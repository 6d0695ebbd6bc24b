import type { EffectKey } from '../events/effect.ts';
import type { TasksStarted } from '../events/task-signal.ts';
import { keyPart } from '../events/key-part.ts';
import type { CallingSession } from './task-run-state.ts';

/**
 * The key below which all keys of a run stand: that under which it has `started`; for a new one its id, in which nothing can
 * be mistaken for a task of another run, or the key of the call that it is the outcome of. `incarnation` tells it from a run of
 * the same id that was deleted.
 */
export function runPlace(
  sessionId: string,
  started: TasksStarted | undefined,
  calledBy: CallingSession | null,
  incarnation = 0,
): EffectKey {
  if (started !== undefined) return started.place;
  if (calledBy !== null) return sessionId;
  return incarnation === 0 ? keyPart(sessionId) : `${keyPart(sessionId)}/~${incarnation}`;
}
