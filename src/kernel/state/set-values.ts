import type { Json, JsonObject } from '../../model/json.ts';
import { adoptValue } from '../move/decisions.ts';
import { type Draft, emit } from './draft.ts';
import { withMember } from './names.ts';
import { fillSlot, forgetSlot, formOf, isNothing } from './slots.ts';

/** Keeps a variable. */
export function setVariable(draft: Draft, name: string, value: Json): void {
  draft.state.knowledge.variables = withMember(draft.state.knowledge.variables, name, value);
  emit(draft, { type: 'variable:set', data: { name } });
}

/**
 * Stores values that the code `by` has set: slots as values from a function (null clears them), other names as
 * variables.
 */
export function keepSetValues(draft: Draft, values: JsonObject, by: string): void {
  for (const [name, value] of Object.entries(values)) {
    const slot = draft.graph.slots.get(name);
    if (slot === undefined) setVariable(draft, name, value);
    else if (!isNothing(value)) {
      fillSlot(draft, slot, formOf(slot, value), { grounded: true, from: { kind: 'function', name: by } });
      adoptValue(draft, name);
    } else if (Object.hasOwn(draft.state.knowledge.slots, name)) forgetSlot(draft, name);
  }
}
