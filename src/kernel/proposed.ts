import type { Json, JsonObject } from '../events/json.ts';
import type { SessionState, SlotValue } from './state.ts';

/** The value that a read-back of a slot asks about: the one that is to take the place of what is known, else that. */
export function valueToAsk(known: SlotValue): Json {
  return known.proposed === undefined ? known.value : known.proposed.value;
}

/** Whether a value waits for its read-back. */
export function isUnread(known: SlotValue): boolean {
  return !known.confirmed || known.proposed !== undefined;
}

/** What is known, as if the caller had agreed to every value that is proposed. */
export function asProposed(slots: SessionState['slots']): SessionState['slots'] {
  if (Object.values(slots).every(({ proposed }) => proposed === undefined)) return slots;
  return Object.fromEntries(
    Object.entries(slots).map(([name, known]) => [
      name,
      known.proposed === undefined ? known : { ...known.proposed, confirmed: false },
    ]),
  );
}

/** The values that are proposed, by slot. */
export function proposedValues(slots: SessionState['slots']): JsonObject {
  return Object.fromEntries(
    Object.entries(slots).flatMap(([name, { proposed }]) => (proposed === undefined ? [] : [[name, proposed.value]])),
  );
}
