import type { JsonObject } from '../../model/json.ts';
import type { Draft } from './draft.ts';
import { withMember } from './names.ts';

/** Stores values that a task kept under declared variable names. */
export function bindKept(draft: Draft, kept: JsonObject = {}): void {
  const { graph, state } = draft;
  for (const [name, value] of Object.entries(kept))
    if (graph.variables.has(name)) state.knowledge.variables = withMember(state.knowledge.variables, name, value);
}
