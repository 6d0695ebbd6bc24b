import type { Json } from '../events/json.ts';
import { planStand } from '../people/plan-stand.ts';
import { taskRunState } from '../runner/task-run-state.ts';

/**
 * Checks whether a stored state is a conversation. The store also holds runs of task flows, schedules and campaigns.
 */
export function isConversation(state: Json): boolean {
  return taskRunState(state) === null && planStand(state) === null;
}
