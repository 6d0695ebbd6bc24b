import type { Graph, GraphNode, GraphSlot, KeyedDigits } from '../../flow/graph/graph.ts';
import { confirmationIn } from '../state/draft.ts';
import { nodeOf } from '../move/offers.ts';
import { isAskedAgain, valueOf } from '../state/slots.ts';
import { isDue } from '../move/due-slots.ts';
import type { SessionState } from '../state/state.ts';
import { openTaskQuestion } from '../wait/task-question.ts';

/** The meaning of telephone keys now: the digits of a slot, or a key of a menu. */
export type KeyRule =
  | { readonly kind: 'slot'; readonly slot: GraphSlot; readonly dtmf: KeyedDigits }
  | { readonly kind: 'menu' };

/** Returns the meaning of telephone keys in a state; null if they are words like any other. */
export function keyRuleOf(graph: Graph, state: SessionState): KeyRule | null {
  const { status, people, position } = state;
  if (status !== 'active' || people.takeover !== null || position.generator !== null) return null;
  if (openTaskQuestion(state) !== null) return null;
  const node = nodeOf(graph, state, position.node);
  if (node === null || node.end !== null) return null;
  const slot = slotOfKeys(graph, state, node);
  if (slot?.dtmf != null) return { kind: 'slot', slot, dtmf: slot.dtmf };
  return node.keys.size > 0 ? { kind: 'menu' } : null;
}

/** Returns the slot that is asked for or read back, otherwise the first unknown slot of the node that takes keys. */
function slotOfKeys(graph: Graph, state: SessionState, node: GraphNode): GraphSlot | undefined {
  const subject = confirmationIn(state)?.payload.subject;
  if (subject !== undefined) return subject.kind === 'slot' ? keyed(graph, subject.slot) : undefined;
  const asked = keyed(graph, state.dialogue.pendingAskKey ?? '');
  if (asked !== undefined) return asked;
  const isOpen = (name: string): boolean =>
    valueOf(state, name) === undefined
      ? !state.knowledge.declined.includes(name) && isDue(graph, state, graph.slots.get(name))
      : isAskedAgain(graph, state, node, name);
  const name = node.collect.find((one) => keyed(graph, one) !== undefined && isOpen(one));
  return name === undefined ? undefined : keyed(graph, name);
}

function keyed(graph: Graph, name: string): GraphSlot | undefined {
  const slot = graph.slots.get(name);
  return slot?.dtmf == null ? undefined : slot;
}
