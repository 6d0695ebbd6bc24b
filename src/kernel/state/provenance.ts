import type { JsonObject } from '../../model/json.ts';
import type { Provenance, ValueReadings, ValueSource } from '../../model/provenance.ts';
import type { Draft } from './draft.ts';
import { withMember } from './names.ts';

/** Returns the provenance of the arguments named after slots; undefined if there are none. */
export function provenanceOf(
  { graph, state }: Pick<Draft, 'graph' | 'state'>,
  given: JsonObject,
  readings: ValueReadings = {},
): Readonly<Record<string, Provenance>> | undefined {
  let known: Readonly<Record<string, Provenance>> | undefined;
  for (const [name, value] of Object.entries(given)) {
    if (!graph.slots.has(name)) continue;
    const slot = Object.hasOwn(state.knowledge.slots, name) ? state.knowledge.slots[name] : undefined;
    const reading = Object.hasOwn(readings, name) ? readings[name] : undefined;
    const said: ValueSource = { kind: 'said', turn: state.turn.number };
    const isSlot = slot !== undefined && JSON.stringify(slot.value) === JSON.stringify(value);
    const own = isSlot
      ? { source: slot.source ?? said, grounded: slot.grounded ?? null }
      : { source: reading?.from ?? said, grounded: reading?.grounded ?? null };
    known = withMember(known ?? {}, name, own);
  }
  return known;
}
