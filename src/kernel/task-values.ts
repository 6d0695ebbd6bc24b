import type { JsonObject } from '../events/json.ts';
import type { Draft } from './draft.ts';
import { withMember } from './names.ts';

/** What a task has kept under the name of a variable that the flow declares is the variable's value from now on. */
export function bindKept(draft: Draft, kept: JsonObject = {}): void {
  const { graph, state } = draft;
  for (const [name, value] of Object.entries(kept))
    if (graph.variables.has(name)) state.variables = withMember(state.variables, name, value);
}
