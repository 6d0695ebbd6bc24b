import { isSealed } from '../../flow/expression/sealed.ts';
import type { Graph, GraphSlot } from '../../flow/graph/graph.ts';
import type { Json } from '../../model/json.ts';

/** Checks whether the digits of a slot are sealed. */
export function isSealedSlot({ dtmf, pii }: Pick<GraphSlot, 'dtmf' | 'pii'>): boolean {
  return dtmf !== null && pii;
}

/** Checks for sealed digits in a slot that takes them. */
export function isSealedIn(slot: GraphSlot, value: Json | undefined): boolean {
  return isSealedSlot(slot) && isSealed(value);
}

/** Checks whether a flow has a slot whose digits are sealed. Keys without a meaning may then be such digits. */
export function hasSealedSlot({ slots }: Graph): boolean {
  return [...slots.values()].some(isSealedSlot);
}
