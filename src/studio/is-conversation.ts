import type { Json } from '../events/json.ts';
import { planStand } from '../people/plan-stand.ts';
import { taskRunState } from '../runner/task-run-state.ts';

/** Whether a kept state is of a conversation: runs of task flows, schedules and campaigns are kept in the same store. */
export function isConversation(state: Json): boolean {
  return taskRunState(state) === null && planStand(state) === null;
}
