import type { Json } from '../events/json.ts';
import type { Graph, GraphNode, GraphSlot } from '../graph/graph.ts';
import { confirmationIn, type Draft, tell } from './draft.ts';
import { mentionedSlots, saidValue, sideOf } from './dialogue/utterance.ts';
import { recompute } from './decisions.ts';
import { withMember, withoutMember } from './names.ts';
import { slotsOfCall } from './node-call.ts';
import { valueToAsk } from './proposed.ts';
import type { ValueReading } from '../events/provenance.ts';
import type { TypedValue } from '../events/typed-value.ts';
import { accepted, refused } from '../slots/slot-type.ts';
import { sameValue } from '../expression/same-value.ts';
import { typeOf } from '../slots/slot-types.ts';
import type { ProposedValue, SessionState, SlotValue } from './state.ts';

/** How a value was found; `isSaid` if rules have read it in the caller's words, also if they are not certain of it. */
interface FoundValue extends ValueReading {
  readonly isSaid?: true;
}

/**
 * Keeps a value of a slot, or reports why not. A change of what was known is a correction and needs its yes anew, and so
 * does a value that was found nowhere, whatever `confirm` says. A yes or no that nobody gave is asked for instead.
 */
export function fillSlot(draft: Draft, slot: GraphSlot, typed: TypedValue, found?: FoundValue): void {
  const { state } = draft;
  const given = found?.value === undefined ? typed : formOf(slot, found.value);
  const reading = withinRules(slot, given, draft.civil);
  if (!reading.ok) {
    tell(draft, { type: 'slot:rejected', data: { slot: slot.name, problem: reading.problem } });
    // A value that a model made up is refused without a word.
    if (mentionedSlots(state.words?.utterance).includes(slot.name)) draft.untaken.set(slot.name, reading.problem);
    return;
  }
  const again = readBackName(slot.name);
  const refusals = Object.hasOwn(state.refusals, again) ? state.refusals[again] : undefined;
  const before = valueOf(state, slot.name);
  // What the caller has just said no to is no fact because the model gives it again.
  const isDoubted = refusals !== undefined && slot.type !== 'boolean';
  const grounded = found?.grounded ?? (isDoubted ? false : null);
  const same = before !== undefined && JSON.stringify(before.value) === JSON.stringify(reading.value);
  if (same && !(before.grounded === false && grounded === true)) {
    draft.restated.add(slot.name);
    // A model repeats what it knows: the same value is an answer only to the question for it, or where it was said.
    if (grounded === true || state.words?.asked === slot.name) keepSlot(draft, slot.name);
    if (before.proposed !== undefined && grounded === true) dropProposed(draft, slot.name, before);
    return;
  }
  if (typeOf(slot).isYesOrNo === true && grounded === false) {
    tell(draft, { type: 'slot:rejected', data: { slot: slot.name, problem: 'not said' } });
    return;
  }
  const isCorrection = before !== undefined && !same;
  const source = found?.from ?? { kind: isCorrection ? 'correction' : 'said', turn: state.turn };
  const isSaid = grounded === false && found?.isSaid === true ? ({ isSaid: true } as const) : {};
  // A value that the caller has only chosen is read back before it replaces a value that they said. The read-back of a
  // value that they did not say is not an offer: a yes decides it.
  const isProposed = before?.proposed !== undefined && sameValue(before.proposed.value, reading.value);
  const isGuess = grounded === false || (found?.isOffered === true && (slot.readback !== null || isProposed));
  if (isCorrection && isGuess && isProtected(draft, slot.name, before)) {
    propose(draft, slot.name, before, { value: reading.value, source, grounded: false, ...isSaid });
    return;
  }
  const confirmed = slot.readback === null && grounded !== false;
  state.slots = withMember(state.slots, slot.name, { value: reading.value, confirmed, source, grounded, ...isSaid });
  if (isCorrection) recompute(draft, slot.name);
  state.troubles = 0;
  // What is read back anew may be refused anew, but not for ever.
  state.refusals = { ...doubtsIn(state), ...(refusals === undefined ? {} : { [again]: refusals }) };
  state.declined = state.declined.filter((name) => name !== slot.name);
  keepSlot(draft, slot.name);
  tell(draft, {
    type: 'slot:filled',
    data: { slot: slot.name, corrected: isCorrection, source: source.kind, grounded },
  });
}

/** Whether what is known stays until the caller agrees to another value: it was said, and they have not just denied it. */
function isProtected({ state }: Draft, name: string, { value, grounded, isSaid }: SlotValue): boolean {
  if (grounded === false && isSaid !== true) return false;
  const subject = confirmationIn(state)?.payload.subject;
  if (subject?.kind !== 'slot' || subject.slot !== name) return true;
  const utterance = state.words?.utterance;
  // A no to a value that is only proposed leaves the known one.
  if (!sameValue(subject.value, value)) return true;
  // A no denies only a value that was heard.
  return state.put?.heard !== 'heard' || sideOf(utterance) !== 'no';
}

/** Keeps a value beside the known one, to be read back; not one that the caller has denied already and has not said since. */
function propose(draft: Draft, name: string, known: SlotValue, proposed: ProposedValue): void {
  const { state } = draft;
  if (JSON.stringify(known.proposed?.value) === JSON.stringify(proposed.value)) {
    draft.restated.add(name);
    return;
  }
  const isDenied = JSON.stringify(known.denied) === JSON.stringify(proposed.value);
  if (isDenied && saidValue(state.words?.utterance)?.slot !== name) {
    tell(draft, { type: 'slot:rejected', data: { slot: name, problem: 'not said' } });
    return;
  }
  state.troubles = 0;
  state.slots = withMember(state.slots, name, { ...known, proposed });
  tell(draft, { type: 'slot:proposed', data: { slot: name } });
}

function dropProposed(draft: Draft, name: string, { proposed: _proposed, ...known }: SlotValue): void {
  draft.state.slots = withMember(draft.state.slots, name, known);
}

/** The name of the question whether a slot's value is right. */
export function readBackName(slot: string): string {
  return `readback:${slot}`;
}

/** No refusal counts any more; that of a value stays known, without its count, until there is another. */
export function doubtsIn({ slots, refusals }: SessionState): SessionState['refusals'] {
  const of = readBackName('');
  const isOpen = (name: string): boolean => name.startsWith(of) && !Object.hasOwn(slots, name.slice(of.length));
  return Object.fromEntries(
    Object.keys(refusals)
      .filter(isOpen)
      .map((name) => [name, 0]),
  );
}

/**
 * The value that was read back is not right: what it was to replace stays known, else the slot is asked for again. A caller who
 * has corrected the known value in their own words has denied that as well.
 */
export function clearSlot(draft: Draft, name: string): void {
  const known = valueOf(draft.state, name);
  if (known?.proposed === undefined || known.proposed.isSaid === true) removeValue(draft, name);
  else denyProposed(draft, name);
}

/** The caller has said no to a proposed value: the known one stays. */
export function denyProposed(draft: Draft, name: string): void {
  const known = valueOf(draft.state, name);
  if (known?.proposed !== undefined) dropProposed(draft, name, { ...known, denied: known.proposed.value });
}

function removeValue(draft: Draft, name: string): void {
  draft.state.slots = withoutMember(draft.state.slots, name);
  tell(draft, { type: 'slot:cleared', data: { slot: name } });
}

/** Forgets all that is known of a slot: its value, its doubts, and that the caller has left it unsaid. */
export function forgetSlot(draft: Draft, name: string): void {
  const { state } = draft;
  state.declined = state.declined.filter((one) => one !== name);
  state.refusals = withoutMember(state.refusals, readBackName(name));
  state.askAgain = state.askAgain.filter((one) => one !== name);
  if (valueOf(state, name) !== undefined) removeValue(draft, name);
}

/** Whether a node asks for a slot again whose value is known, and the caller has not answered yet. */
export function isAskedAgain({ askAgain }: SessionState, { again }: GraphNode, name: string): boolean {
  return again.includes(name) && askAgain.includes(name);
}

/** The caller was asked for a slot again and keeps its value. */
export function keepSlot({ state }: Draft, name: string): void {
  state.askAgain = state.askAgain.filter((one) => one !== name);
}

/** Marks a slot as answered by yes, if it still has the value that was read back. */
export function confirmSlot(draft: Draft, name: string, value: Json): void {
  const known = valueOf(draft.state, name);
  if (known === undefined || valueToAsk(known) !== value) return;
  const { proposed, ...before } = known;
  const agreed = proposed ?? before;
  draft.state.slots = withMember(draft.state.slots, name, { ...agreed, confirmed: true, grounded: true });
  if (proposed !== undefined) {
    recompute(draft, name);
    tell(draft, {
      type: 'slot:filled',
      data: { slot: name, corrected: true, source: proposed.source.kind, grounded: true },
    });
  }
  tell(draft, { type: 'slot:confirmed', data: { slot: name } });
}

/** What is known of a slot. */
export function valueOf(state: SessionState, name: string): SlotValue | undefined {
  return Object.hasOwn(state.slots, name) ? state.slots[name] : undefined;
}

/** The next thing a node wants to know, in its own order, then what its call needs; null when all of it is known. */
export function nextNeed(
  graph: Graph,
  state: SessionState,
  node: GraphNode,
): { readonly slot: GraphSlot; readonly known: SlotValue | null } | null {
  const proposed = proposedIn(graph, state);
  if (proposed !== null) return proposed;
  for (const name of node.collect) {
    const slot = graph.slots.get(name);
    if (slot === undefined) continue;
    if (isAskedAgain(state, node, name)) return { slot, known: null };
    const known = valueOf(state, name) ?? null;
    if (known === null ? isWanted(state, slot) : !known.confirmed) return { slot, known };
  }
  for (const { slot, isRequired } of slotsOfCall(graph, node)) {
    const known = valueOf(state, slot.name) ?? null;
    if (known === null ? isRequired : !known.confirmed) return { slot, known };
  }
  return ungroundedIn(graph, state, node);
}

/** A slot for which another value is proposed, with that value; null where there is none. */
function proposedIn(
  graph: Graph,
  { slots }: SessionState,
): { readonly slot: GraphSlot; readonly known: SlotValue } | null {
  for (const [name, { proposed }] of Object.entries(slots)) {
    const slot = graph.slots.get(name);
    if (slot !== undefined && proposed !== undefined) return { slot, known: { ...proposed, confirmed: false } };
  }
  return null;
}

/** A slot that a condition of the node reads and whose value was found nowhere; null where there is none. */
export function ungroundedIn(
  graph: Graph,
  state: SessionState,
  node: GraphNode,
): { readonly slot: GraphSlot; readonly known: SlotValue } | null {
  for (const { when } of node.edges)
    for (const { path } of when?.references ?? []) {
      const slot = graph.slots.get(String(path[0]));
      const known = slot === undefined ? undefined : valueOf(state, slot.name);
      if (slot === undefined || known === undefined) continue;
      if (known.proposed !== undefined) return { slot, known: { ...known.proposed, confirmed: false } };
      if (known.grounded === false) return { slot, known };
    }
  return null;
}

/** Whether a slot that is not known is asked for: what may stay unsaid is asked for once, where its author has a question. */
function isWanted({ declined }: SessionState, { name, optional, ask }: GraphSlot): boolean {
  return !optional || (ask !== null && !declined.includes(name));
}

/** The caller was asked for an optional slot and has left it unsaid: it is not asked for again. */
export function declineSlot(draft: Draft, { name }: GraphSlot): void {
  const { state } = draft;
  if (state.declined.includes(name)) return;
  state.declined = [...state.declined, name];
  tell(draft, { type: 'slot:declined', data: { slot: name } });
}

/** Whether a model left a value out by writing nothing into it. */
export function isNothing(value: Json): boolean {
  return value === null || value === '';
}

/** A value that nobody has read: it has the form of the slot's type already, or it is none. */
export function formOf(slot: GraphSlot, given: Json): TypedValue {
  return typeOf(slot).form(given, slot);
}

/** Holds a typed value against the rules of its slot. `now` is the civil time in which its "today" is meant. */
export function withinRules(slot: GraphSlot, typed: TypedValue, now: string): TypedValue {
  if (!typed.ok) return typed;
  const { value } = typed;
  if (typeof value === 'string') {
    const today = now.slice(0, 10);
    const before = slot.before === 'today' ? today : slot.before;
    const after = slot.after === 'today' ? today : slot.after;
    if (before !== null && value >= before) return refused(`must be before ${before}`);
    if (after !== null && value <= after) return refused(`must be after ${after}`);
    if (slot.pattern?.ok === true && !slot.pattern.test(value)) return refused('does not have the required form');
    if (value.trim() === '') return refused('empty');
  }
  if (typeof value === 'number') {
    if (slot.minimum !== null && value < slot.minimum) return refused(`must be at least ${slot.minimum}`);
    if (slot.maximum !== null && value > slot.maximum) return refused(`must be at most ${slot.maximum}`);
  }
  return accepted(value);
}
