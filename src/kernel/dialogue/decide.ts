import type { Confirmation, ConfirmSubject } from '../../model/effect.ts';
import type { SettledCall } from '../../model/signals/signal.ts';
import { boundNames } from '../../flow/expression/binding.ts';
import type { GraphNode } from '../../flow/graph/graph.ts';
import type { Arrival } from '../answer.ts';
import { agree, refuse, refuseValue } from '../question/confirmation.ts';
import { type Draft, intend } from '../state/draft.ts';
import { noteRefusal } from '../question/ladder.ts';
import { speakHere } from '../state/names.ts';
import { decideByCaller } from '../wait/settle-wait.ts';
import { confirmSlot, readBackName, valueOf } from '../state/slots.ts';
import { closeWait } from '../wait/waits.ts';
import { goOn } from './to-node.ts';

/** Applies the caller's yes to an open question: runs the call, decides the node, or confirms the value. */
export function decideYes(
  draft: Draft,
  node: GraphNode,
  wait: Confirmation,
  arrival: Arrival,
  calls: readonly SettledCall[] = [],
): void {
  closeWait(draft, wait, 'yes');
  const { subject } = wait.payload;
  if (subject.kind === 'node') decideByCaller(draft, node, 'yes', arrival);
  else if (subject.kind === 'slot') confirmSlot(draft, subject.slot, subject.value);
  else agree(draft, subject.call, calls);
}

/** Applies the caller's no to an open question: drops the call, decides the node, or asks for the value again. */
export function decideNo(draft: Draft, node: GraphNode, wait: Confirmation, arrival: Arrival): void {
  closeWait(draft, wait, 'no');
  const { subject } = wait.payload;
  if (subject.kind === 'node') decideByCaller(draft, node, 'no', arrival);
  else if (subject.kind === 'slot') takeBack(draft, node, subject, arrival);
  else refuse(draft, node, subject.call, arrival === 'asked');
}

/** Clears a rejected value and asks for it again. */
function takeBack(
  draft: Draft,
  node: GraphNode,
  { slot: name, value }: ConfirmSubject & { kind: 'slot' },
  arrival: Arrival,
): void {
  refuseValue(draft, name, value);
  const slot = draft.graph.slots.get(name) ?? null;
  if (noteRefusal(draft, node, slot, readBackName(name))) return;
  if (arrival !== 'answer' || !askAnew(draft, node, name)) goOn(draft, node, arrival);
}

/**
 * Asks for a slot again, because a caller who rejects its value wants to give another. A node that collects a required
 * slot asks for it itself. A catalog node cannot run without a value that its input contains; it does not need others.
 */
function askAnew(draft: Draft, node: GraphNode, name: string): boolean {
  const slot = draft.graph.slots.get(name);
  if (slot === undefined || slot.ask === null || valueOf(draft.state, name) !== undefined) return false;
  if (!slot.optional && !isBoundIn(node, name)) return false;
  draft.state.dialogue.pendingAskKey = name;
  intend(draft, { kind: 'say', payload: { text: speakHere(draft, slot.ask), reason: 'ask' } });
  return true;
}

/** Checks whether the input of a catalog node contains a value by this name. */
function isBoundIn({ task }: GraphNode, name: string): boolean {
  return task !== null && boundNames(task.input).includes(name);
}
