import type { EffectKey } from '../../model/effect.ts';
import type { FlowRef } from '../../model/flow-ref.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import type { TasksEnd } from '../../engine/tasks/run-tasks.ts';

/** The call of a conversation whose outcome a run is. */
export interface CallingSession {
  readonly sessionId: string;
  readonly key: EffectKey;
}

/** State of a task run, stored beside its log. */
export interface TaskRunState {
  readonly stateVersion: 1;
  readonly taskFlow: FlowRef;
  /** The call whose outcome it is; absent if the run was started directly. */
  readonly calledBy?: CallingSession;
  readonly status: 'running' | 'complete' | 'failed';
  /** Present once the run is over. */
  readonly end?: { readonly outputs: JsonObject; readonly failures: TasksEnd['failures']; readonly durationMs: number };
}

/** Returns the state of a session if it is a task run. */
export function taskRunState(state: Json): TaskRunState | null {
  return typeof state === 'object' && state !== null && Object.hasOwn(state, 'taskFlow')
    ? (state as unknown as TaskRunState) // Only task runs have this member.
    : null;
}
