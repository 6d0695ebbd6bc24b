import type { Json } from '../../model/json.ts';
import type { ValueReading } from '../../model/provenance.ts';
import type { GraphSlot } from '../../flow/graph/graph.ts';
import { sameValue } from '../../flow/expression/same-value.ts';
import { isGiven, valueOf } from '../../kernel/state/slots.ts';
import type { Heard } from './ground-values.ts';
import { readSlot } from './read-slot.ts';

/**
 * Returns the reading of a write's argument. The write waits for a yes if the slot has a read-back that the caller has not
 * confirmed for this value, or if rules cannot find the value in the words and it replaces a given one.
 */
export function readingForWrite(
  { graph, state, now }: Pick<Heard, 'graph' | 'state' | 'now'>,
  slot: GraphSlot,
  given: Json,
  found: ValueReading | null,
): ValueReading | null {
  const known = valueOf(state, slot.name);
  const typed = readSlot(graph.reader, slot, given, now);
  const isKnown = known !== undefined && typed.ok && sameValue(known.value, typed.value);
  const needsReadBack = slot.readback !== null && !(isKnown && known.confirmed);
  const replaces = found?.grounded === null && known !== undefined && isGiven(known) && typed.ok && !isKnown;
  return needsReadBack || replaces ? { grounded: true, ...found, isUnread: true } : found;
}
