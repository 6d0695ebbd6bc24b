import type { JsonObject } from '../../model/json.ts';
import { boundNames } from '../../flow/expression/binding.ts';
import { namesRead } from '../../flow/expression/wordings.ts';
import type { GraphFunction, GraphNode } from '../../flow/graph/graph.ts';
import type { Draft } from '../state/draft.ts';
import { withoutMember } from '../state/names.ts';
import { calledBy, dueArguments, sameArguments, slotsOfCall } from './node-call.ts';
import { nodeOf } from '../move/offers.ts';
import type { Move } from '../move/ways-out.ts';

/** Forgets computed results that another call has replaced. A write makes all earlier results final. */
export function forgetComputed({ state }: Draft, { saveAs, write }: GraphFunction, given: JsonObject): void {
  if (write) {
    state.knowledge.computed = {};
    state.position.path = [];
  } else if (saveAs !== null) {
    const known = computedAs(state, saveAs);
    if (known !== undefined && !sameArguments(known.arguments, given))
      state.knowledge.computed = withoutMember(state.knowledge.computed, saveAs);
  }
}

/**
 * Returns the move back to the node whose result is based on a since corrected value, so no caller confirms an outdated
 * result. Null if the node's confirmation and call read nothing outdated.
 */
export function outdatedMove(draft: Pick<Draft, 'graph' | 'state'>, node: GraphNode): Move | null {
  const offered = node.call === null ? null : calledBy(draft.graph, node);
  if (offered === null || offered.confirm === null) return null;
  const confirm = offered.confirm === 'described' ? [] : namesRead(offered.confirm);
  const to = staleNode(draft, [...confirm, ...(node.say === null ? [] : namesRead(node.say)), ...boundIn(node)]);
  return to === null || to === node.id ? null : { to, cause: 'stale' };
}

/** Returns the first node that must call again. A result may itself be computed from an outdated one. */
function staleNode(
  draft: Pick<Draft, 'graph' | 'state'>,
  names: readonly string[],
  seen: ReadonlySet<string> = new Set(),
): string | null {
  const { graph, state } = draft;
  for (const name of names) {
    const known = computedAs(state, name);
    const node = known === undefined ? null : nodeOf(graph, state, known.node);
    if (known === undefined || node === null || seen.has(name) || calledBy(graph, node)?.saveAs !== name) continue;
    const before = staleNode(draft, boundIn(node), new Set([...seen, name]));
    if (before !== null) return before;
    const due = dueArguments(draft, node);
    if (due === null ? lacksSlot(draft, node) : !sameArguments(known.arguments, due)) return node.id;
  }
  return null;
}

/** Checks whether a required slot of the node's call has become unknown. */
function lacksSlot({ graph, state }: Pick<Draft, 'graph' | 'state'>, node: GraphNode): boolean {
  return slotsOfCall(graph, node).some(
    ({ slot, isRequired }) => isRequired && !Object.hasOwn(state.knowledge.slots, slot.name),
  );
}

function computedAs(
  { knowledge: { computed } }: Draft['state'],
  name: string,
): Draft['state']['knowledge']['computed'][string] | undefined {
  return Object.hasOwn(computed, name) ? computed[name] : undefined;
}

function boundIn({ call }: GraphNode): readonly string[] {
  return Object.values(call?.input ?? {}).flatMap(boundNames);
}
