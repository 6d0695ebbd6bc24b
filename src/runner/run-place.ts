import type { EffectKey } from '../events/effect.ts';
import type { Signal } from '../events/signal.ts';
import { keyPart } from '../tasks/running-task.ts';
import { isRunStart } from './run-rules.ts';
import type { CallingSession } from './task-run-state.ts';

/**
 * The key below which all keys of a run stand: that under which its log has begun; for a new one its id, in which nothing can
 * be mistaken for a task of another run, or the key of the call that it is the outcome of.
 */
export function runPlace(sessionId: string, log: readonly Signal[], calledBy: CallingSession | null): EffectKey {
  return log.find(isRunStart)?.place ?? (calledBy === null ? keyPart(sessionId) : sessionId);
}
