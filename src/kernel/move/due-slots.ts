import { evaluateWhen } from '../../flow/expression/when.ts';
import type { Graph, GraphSlot } from '../../flow/graph/graph.ts';
import { timelessNames } from '../state/names.ts';
import type { SessionState } from '../state/state.ts';

/** Checks whether a slot is unknown and is asked for where it is collected. */
export function isMissing(graph: Graph, state: SessionState, slot: GraphSlot): boolean {
  return !Object.hasOwn(state.knowledge.slots, slot.name) && isWanted(state, slot) && isDue(graph, state, slot);
}

/** Checks whether an unknown slot is asked for. An optional slot is asked for once, if it has a question. */
export function isWanted({ knowledge: { declined } }: SessionState, { name, optional, ask }: GraphSlot): boolean {
  return !optional || (ask !== null && !declined.includes(name));
}

/** Checks whether the condition of a slot's question holds. */
export function isDue(graph: Graph, state: SessionState, slot: GraphSlot | undefined): boolean {
  return slot?.askWhen == null || evaluateWhen(slot.askWhen, timelessNames({ graph, state }));
}
