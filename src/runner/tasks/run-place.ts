import type { EffectKey } from '../../model/effect.ts';
import type { TasksStarted } from '../../model/signals/task-signal.ts';
import { keyPart } from '../../model/key-part.ts';
import type { CallingSession } from './task-run-state.ts';

/**
 * Returns the prefix of a run's keys: the stored one if it has `started`, the key of the calling call, or else its id in a
 * form that cannot collide with a task of another run. `incarnation` distinguishes it from a deleted run of the same id.
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
