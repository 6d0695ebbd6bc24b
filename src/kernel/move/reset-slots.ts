import type { GraphNode } from '../../flow/graph/graph.ts';
import type { Draft } from '../state/draft.ts';
import { nodeOf } from './offers.ts';
import { forgetSlot } from '../state/slots.ts';

/**
 * On entering a node, clears its `forget` slots and marks the known slots that `collect` asks for again. A value from
 * the words that led here counts as new, unless a node on the way has collected it.
 */
export function resetSlots(draft: Draft, node: GraphNode): void {
  const { state } = draft;
  if (node.forget.length === 0 && node.again.length === 0) return;
  const given = givenOnTheWay(draft);
  for (const name of node.forget) if (!given.has(name)) forgetSlot(draft, name);
  const due = node.again.filter((name) => Object.hasOwn(state.knowledge.slots, name) && !given.has(name));
  state.knowledge.askAgain = [...new Set([...state.knowledge.askAgain, ...due])];
}

function givenOnTheWay({ graph, state, facts, restated }: Draft): ReadonlySet<string> {
  const given = new Set(restated);
  for (const fact of facts) {
    if (fact.type === 'slot:filled' && fact.data.source !== 'function') given.add(fact.data.slot);
    if (fact.type !== 'transition:taken') continue;
    for (const name of nodeOf(graph, state, fact.data.from)?.collect ?? []) given.delete(name);
  }
  return given;
}
