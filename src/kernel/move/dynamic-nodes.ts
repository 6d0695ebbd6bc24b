import type { CallNext } from '../../model/signals/signal.ts';
import { hashOf } from '../../flow/graph/hash.ts';
import type { Draft } from '../state/draft.ts';
import { withoutMember } from '../state/names.ts';

/** Number of dynamic nodes that a session remembers, besides those it may return to. */
const dynamicNodesKept = 32;

/** Checks whether a dynamic node is addressed by its id or by the hash of its content. */
export function isNamedRightly({ to, node }: Extract<CallNext, { kind: 'dynamic' }>): boolean {
  return node['id'] === to || hashOf(node) === to;
}

/** Forgets the oldest dynamic nodes. Each belongs to one call, and the state is stored with every step. */
export function forgetDynamicNodes(draft: Draft): void {
  const { state } = draft;
  const ids = Object.keys(state.position.dynamicNodes);
  if (ids.length <= dynamicNodesKept) return;
  const needed = new Set([
    state.position.node,
    state.position.persona,
    ...state.position.stack.flatMap(({ node, persona }) => [node, persona]),
  ]);
  for (const effect of Object.values(state.effects)) needed.add(effect.node);
  for (const call of state.dialogue.confirmations) needed.add(call.node);
  for (const id of ids.slice(0, -dynamicNodesKept))
    if (!needed.has(id)) state.position.dynamicNodes = withoutMember(state.position.dynamicNodes, id);
}
