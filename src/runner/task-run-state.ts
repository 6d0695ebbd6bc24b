import type { EffectKey } from '../events/effect.ts';
import type { FlowRef } from '../events/flow-ref.ts';
import type { Json, JsonObject } from '../events/json.ts';
import type { TasksEnd } from '../tasks/run-tasks.ts';

/** A call of a conversation that a run is the outcome of. */
export interface CallingSession {
  readonly sessionId: string;
  readonly key: EffectKey;
}

/** The state of a run of a task flow that a store keeps beside its log. */
export interface TaskRunState {
  readonly stateVersion: 1;
  readonly taskFlow: FlowRef;
  /** The call of a conversation whose outcome it is; absent where somebody has run it. */
  readonly calledBy?: CallingSession;
  readonly status: 'running' | 'complete' | 'failed';
  /** Present once the run is over. */
  readonly end?: { readonly outputs: JsonObject; readonly failures: TasksEnd['failures']; readonly durationMs: number };
}

/** The state of a session, if it is a run of a task flow. */
export function taskRunState(state: Json): TaskRunState | null {
  return typeof state === 'object' && state !== null && Object.hasOwn(state, 'taskFlow')
    ? (state as unknown as TaskRunState) // Only runs of task flows have this member.
    : null;
}
