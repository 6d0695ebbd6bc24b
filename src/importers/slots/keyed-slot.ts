import type { Draft } from '../draft.ts';
import type { DraftSlot } from '../draft-node.ts';
import type { Source } from '../source.ts';

/** The longest entry, in digits, by type. Other types have no digits. */
const mostDigits: Readonly<Partial<Record<DraftSlot['type'], number>>> = {
  text: 32,
  phone: 15,
  integer: 15,
  number: 15,
};

/** The settings of another product for digits by telephone keys. */
export interface ForeignKeys {
  readonly length?: number | undefined;
  /** The number of digits is a maximum. */
  readonly isMost?: boolean;
  readonly end?: string | undefined;
  readonly timeoutMs?: number | undefined;
}

/** Lets keys fill a slot, as the other product does. Reports settings that have no counterpart. */
export function withKeys(draft: Draft, place: Source, slot: DraftSlot, keys: ForeignKeys): DraftSlot {
  const most = mostDigits[slot.type];
  if (most === undefined) {
    draft.notes.changed(place, `digits are not a value of type ${slot.type}: keys are words there`);
    return slot;
  }
  // Digits of a personal slot are never spoken, and the other product may speak them.
  if (slot.pii === true) {
    draft.notes.lost(place, 'keys are words: with dtmf, no line may say the value of a personal slot');
    return slot;
  }
  const { length, isMost = false, end, timeoutMs } = keys;
  if (end !== undefined && end !== '#' && end !== '*')
    draft.notes.changed(place, `an entry ends with the key # instead of ${end}`);
  const count = length === undefined || length < 1 ? most : Math.min(most, Math.round(length));
  const digits = (length === undefined || isMost) && count > 1 ? `1..${count}` : count;
  draft.notes.taken(place, 'digits by keys are dtmf of the slot');
  return {
    ...slot,
    dtmf: {
      digits,
      ...(end === '*' ? { end } : {}),
      ...(timeoutMs === undefined ? {} : { timeout_ms: Math.min(60_000, Math.max(500, Math.round(timeoutMs))) }),
    },
  };
}
