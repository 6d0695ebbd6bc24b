import type { Json } from '../../model/json.ts';
import { planStand } from '../../people/schedules/plan-stand.ts';
import { taskRunState } from '../../runner/tasks/task-run-state.ts';

/**
 * Checks whether a stored state is a conversation. The store also holds runs of task flows, schedules and campaigns.
 */
export function isConversation(state: Json): boolean {
  return taskRunState(state) === null && planStand(state) === null;
}
