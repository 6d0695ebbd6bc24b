import type { Confirmation, ToolPayload } from '../../model/effect.ts';
import type { Json } from '../../model/json.ts';
import { bindingReferences } from '../../flow/expression/binding.ts';
import type { GraphSlot } from '../../flow/graph/graph.ts';
import { correctedReads } from '../move/decisions.ts';
import type { Draft } from '../state/draft.ts';
import { sayValue, sourcesOf } from '../state/names.ts';
import { namesInConfirm, nodeOf } from '../move/offers.ts';
import { isUnread, valueToAsk } from '../state/proposed.ts';
import { confirmSlot, denyProposed, valueOf } from '../state/slots.ts';

/**
 * Returns a slot that must be read back before the caller consents to a call: the call depends on it and the question
 * does not say its value. Null if there is none.
 */
export function unreadBefore(
  draft: Draft,
  call: ToolPayload,
  question: string,
): { readonly slot: GraphSlot; readonly value: Json } | null {
  for (const name of slotsBehind(draft, call)) {
    const slot = draft.graph.slots.get(name);
    const known = valueOf(draft.state, name);
    if (slot === undefined || known === undefined || !isUnread(known)) continue;
    const value = valueToAsk(known);
    if (!says(draft, question, slot, value)) return { slot, value };
  }
  return null;
}

/**
 * Applies the answer to a question to the unread values that the question says: a yes confirms them. A no keeps the
 * previous values, unless the caller said the new ones.
 */
export function settleSaid(draft: Draft, { payload }: Confirmation, response: 'yes' | 'no'): void {
  const { subject, say } = payload;
  if (subject.kind === 'slot') return;
  const names = subject.kind === 'call' ? slotsBehind(draft, subject.call) : Object.keys(draft.state.knowledge.slots);
  for (const name of names) {
    const slot = draft.graph.slots.get(name);
    const known = valueOf(draft.state, name);
    if (slot === undefined || known === undefined || !isUnread(known)) continue;
    const value = valueToAsk(known);
    if (!says(draft, say, slot, value)) continue;
    if (response === 'yes') confirmSlot(draft, name, value);
    // A value in the caller's own words is read back by itself: the no may be to the rest of the question.
    else if (known.proposed?.isSaid !== true) denyProposed(draft, name);
  }
}

/**
 * Returns the names that a call depends on: its arguments, their bindings, and the names in its question and its node's
 * conditions.
 */
export function slotsBehind({ graph, state }: Pick<Draft, 'graph' | 'state'>, call: ToolPayload): readonly string[] {
  const node = nodeOf(graph, state, call.node);
  const bound = node?.call?.function === call.name ? Object.values(node.call.input) : [];
  const read = [
    ...bound.flatMap((binding) => bindingReferences(binding)),
    ...(node?.edges ?? []).flatMap(({ when }) => when?.references ?? []),
  ];
  return [
    ...new Set(
      sourcesOf(graph, [
        ...Object.keys(call.arguments),
        ...read.map(({ path: [first] }) => String(first)),
        ...correctedReads(state),
        ...correctedSince({ graph, state }),
        ...(namesInConfirm(graph, state, call) ?? []),
      ]),
    ),
  ];
}

/** Returns corrected slots with a pending read-back. The call's code may read any of them. */
function correctedSince({ graph, state }: Pick<Draft, 'graph' | 'state'>): readonly string[] {
  return Object.entries(state.knowledge.slots).flatMap(([name, known]) => {
    const isCorrected = known.source?.kind === 'correction' || known.proposed !== undefined;
    return isCorrected && isUnread(known) && graph.slots.get(name)?.readback != null ? [name] : [];
  });
}

/** Checks whether a text says a value, as whole words or numbers. */
function says(draft: Draft, text: string, slot: GraphSlot, value: Json): boolean {
  const said = sayValue(draft, slot, value);
  if (said.trim() === '') return false;
  const parts = text.toLowerCase().split(said.toLowerCase());
  return parts.some((part, index) => {
    const after = parts[index + 1];
    return after !== undefined && !/[\p{L}\p{N}]$/u.test(part) && !/^[\p{L}\p{N}]/u.test(after);
  });
}
