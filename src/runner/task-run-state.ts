import type { FlowRef } from '../events/flow-ref.ts';
import type { Json, JsonObject } from '../events/json.ts';
import type { TasksEnd } from '../tasks/run-tasks.ts';

/** What a store keeps of a run of a task flow, beside its log. */
export interface TaskRunState {
  readonly stateVersion: 1;
  readonly taskFlow: FlowRef;
  readonly status: 'running' | 'complete' | 'failed';
  /** Once it is over. */
  readonly end?: { readonly outputs: JsonObject; readonly failures: TasksEnd['failures']; readonly durationMs: number };
}

/** The state of a session, if it is a run of a task flow. */
export function taskRunState(state: Json): TaskRunState | null {
  return typeof state === 'object' && state !== null && Object.hasOwn(state, 'taskFlow')
    ? (state as unknown as TaskRunState) // Only runs of task flows have this member.
    : null;
}
