import type { JsonObject } from '../../model/json.ts';
import type { ValueReadings } from '../../model/provenance.ts';
import { sameValue } from '../../flow/expression/same-value.ts';
import type { Graph, GraphFunction } from '../../flow/graph/graph.ts';
import { formOf, isNothing, valueOf, withinRules } from '../../kernel/state/slots.ts';
import type { SessionState } from '../../kernel/state/state.ts';
import { readSlot } from './read-slot.ts';

/**
 * Returns why a write must not run, or null. An argument named like a slot must follow the slot's rules and must
 * not differ from the caller's value unless the caller said so. `readings`: the grounding of the arguments.
 */
export function contradictionOf(
  { graph, state, now }: { readonly graph: Graph; readonly state: SessionState; readonly now: string },
  offered: GraphFunction,
  given: JsonObject,
  readings: ValueReadings = {},
): string | null {
  if (!offered.write) return null;
  const faults = Object.entries(given).flatMap(([name, value]) => {
    const slot = graph.slots.get(name);
    const known = valueOf(state, name);
    if (slot === undefined || isNothing(value)) return [];
    const form = formOf(slot, value);
    const ruled = withinRules(slot, form, now);
    if (form.ok && !ruled.ok) return [`${name} cannot be ${JSON.stringify(value)}: ${ruled.problem}`];
    const isInvented = Object.hasOwn(readings, name) && readings[name]?.grounded === false;
    if (known === undefined || known.grounded === false || !isInvented) return [];
    const typed = readSlot(graph.reader, slot, value, now);
    if (!typed.ok || [known.value, known.proposed?.value].some((one) => sameValue(one, typed.value))) return [];
    return [`${name} is ${JSON.stringify(known.value)}, as the caller has said, and not ${JSON.stringify(value)}`];
  });
  if (faults.length === 0) return null;
  return `It was not done: ${faults.join('; ')}. Call again with what is known, or ask the caller.`;
}
