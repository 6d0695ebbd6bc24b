import { sameValue } from '../../flow/expression/same-value.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import type { SessionState } from './state.ts';
import type { SlotValue } from './knowledge.ts';

/** Returns the value that a read-back asks about: the proposed one, otherwise the known one. */
export function valueToAsk(known: SlotValue): Json {
  return known.proposed === undefined ? known.value : known.proposed.value;
}

/** Checks whether a read-back of a value is still due. A value that a model invented meanwhile does not void it. */
export function isAsked(known: SlotValue, value: Json): boolean {
  return sameValue(valueToAsk(known), value) || (known.proposed?.isInvented === true && sameValue(known.value, value));
}

/** Checks whether a value waits for its read-back. */
export function isUnread(known: SlotValue): boolean {
  return !known.confirmed || known.proposed !== undefined;
}

/** Returns the slots as if the caller had accepted every proposed value. */
export function asProposed(slots: SessionState['knowledge']['slots']): SessionState['knowledge']['slots'] {
  if (Object.values(slots).every(({ proposed }) => proposed === undefined)) return slots;
  return Object.fromEntries(
    Object.entries(slots).map(([name, known]) => [
      name,
      known.proposed === undefined ? known : { ...known.proposed, confirmed: false },
    ]),
  );
}

/** Returns the proposed values by slot. */
export function proposedValues(slots: SessionState['knowledge']['slots']): JsonObject {
  return Object.fromEntries(
    Object.entries(slots).flatMap(([name, { proposed }]) => (proposed === undefined ? [] : [[name, proposed.value]])),
  );
}
