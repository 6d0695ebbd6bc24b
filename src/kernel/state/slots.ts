import type { Json } from '../../model/json.ts';
import type { Graph, GraphNode, GraphSlot } from '../../flow/graph/graph.ts';
import { confirmationIn, type Draft, emit } from './draft.ts';
import { hasAct, mentionedSlots, saidValue, saysValue, sideOf } from '../dialogue/utterance.ts';
import { recompute } from '../move/decisions.ts';
import { isDue, isMissing, isWanted } from '../move/due-slots.ts';
import { sourcesOf, withMember, withoutMember } from './names.ts';
import { slotsOfCall } from '../call/node-call.ts';
import { isAsked } from './proposed.ts';
import type { ValueReading } from '../../model/provenance.ts';
import type { TypedValue } from '../../model/typed-value.ts';
import { momentProblem } from '../../flow/slots/bounds.ts';
import { accepted, refused } from '../../flow/slots/slot-type.ts';
import { isSealedIn } from '../keys/sealed-slot.ts';
import { sameValue } from '../../flow/expression/same-value.ts';
import { typeOf } from '../../flow/slots/slot-types.ts';
import type { ProposedValue, SlotValue } from './knowledge.ts';
import type { SessionState } from './state.ts';

/** A value with its check. `isSaid`: rules read it in the caller's words, possibly without certainty. */
interface FoundValue extends ValueReading {
  readonly isSaid?: true;
}

/**
 * Fills a slot, or reports why not. A changed value is a correction and needs a new confirmation. So does an ungrounded
 * value, whatever `confirm` says. An ungrounded yes or no is not stored; the caller is asked. A value that the rules did
 * not find in the words is only proposed if the known value was said.
 */
export function fillSlot(draft: Draft, slot: GraphSlot, typed: TypedValue, found?: FoundValue): void {
  const { state } = draft;
  const given = found?.value === undefined ? typed : formOf(slot, found.value);
  const reading = withinRules(slot, given, draft.civil);
  if (!reading.ok) {
    emit(draft, { type: 'slot:rejected', data: { slot: slot.name, problem: reading.problem } });
    // A value that the model invented is rejected silently.
    if (mentionedSlots(state.turn.words?.utterance).includes(slot.name)) draft.untaken.set(slot.name, reading.problem);
    return;
  }
  const again = readBackName(slot.name);
  const refusals = Object.hasOwn(state.dialogue.refusals, again) ? state.dialogue.refusals[again] : undefined;
  const before = valueOf(state, slot.name);
  // A value that the caller has just rejected is not accepted because the model gives it again.
  const isDoubted = refusals !== undefined && typeOf(slot).isYesOrNo !== true;
  const grounded = found?.grounded ?? (isDoubted ? false : null);
  const same = before !== undefined && JSON.stringify(before.value) === JSON.stringify(reading.value);
  if (same && !(before.grounded === false && grounded === true)) {
    draft.restated.add(slot.name);
    // A model repeats known values: the same value answers only the slot's own question, or counts if the caller said
    // it.
    if (grounded === true || state.turn.words?.asked === slot.name) keepSlot(draft, slot.name);
    if (before.proposed !== undefined && grounded === true) dropProposed(draft, slot.name, before);
    return;
  }
  // A model cannot know the digits, so it does not replace them.
  if (isSealedIn(slot, before?.value) && grounded !== true) {
    draft.restated.add(slot.name);
    return;
  }
  if (typeOf(slot).isYesOrNo === true && grounded === false) {
    emit(draft, { type: 'slot:rejected', data: { slot: slot.name, problem: 'not said' } });
    return;
  }
  const isCorrection = before !== undefined && !same;
  const source = found?.from ?? { kind: isCorrection ? 'correction' : 'said', turn: state.turn.number };
  // Also if the words answered a question of the model about something else.
  const wasSaid = found?.isSaid === true || saysValue(state.turn.words?.utterance, slot.name, reading.value);
  const isSaid = grounded === false && wasSaid ? ({ isSaid: true } as const) : {};
  // A value that the caller only chose is read back before it replaces a value they said. The read-back of an
  // ungrounded value is not an offer: a yes decides it.
  const isProposed = before?.proposed !== undefined && sameValue(before.proposed.value, reading.value);
  // Undecidable: only the model found it in the words, or the words are unknown. Old logs have no readings.
  const isUnfound = found?.grounded === null || grounded === false;
  const isGuess = isUnfound || (found?.isOffered === true && (slot.readback !== null || isProposed));
  if (isCorrection && isGuess && isProtected(draft, slot.name, before)) {
    const isInvented = found?.grounded === false && !wasSaid ? ({ isInvented: true } as const) : {};
    const proposed = { value: reading.value, source, grounded: false, ...isSaid, ...isInvented } as const;
    propose(draft, slot.name, before, proposed, found?.grounded !== null);
    return;
  }
  const confirmed = slot.readback === null && grounded !== false;
  state.knowledge.slots = withMember(state.knowledge.slots, slot.name, {
    value: reading.value,
    confirmed,
    source,
    grounded,
    ...isSaid,
  });
  if (isCorrection) recompute(draft, slot.name);
  state.position.troubles = 0;
  // A new read-back can be refused again, but not indefinitely.
  state.dialogue.refusals = { ...doubtsIn(state), ...(refusals === undefined ? {} : { [again]: refusals }) };
  state.knowledge.declined = state.knowledge.declined.filter((name) => name !== slot.name);
  keepSlot(draft, slot.name);
  emit(draft, {
    type: 'slot:filled',
    data: { slot: slot.name, corrected: isCorrection, source: source.kind, grounded },
  });
}

/** Checks whether a known value was said, or came from elsewhere than the model: another one must be agreed to. */
export function isGiven({ grounded, isSaid }: SlotValue): boolean {
  return grounded !== false || isSaid === true;
}

/** Checks whether the known value stays until the caller accepts another: it was said, and not just rejected. */
function isProtected({ state }: Draft, name: string, known: SlotValue): boolean {
  if (!isGiven(known)) return false;
  const { value } = known;
  const subject = confirmationIn(state)?.payload.subject;
  if (subject?.kind !== 'slot' || subject.slot !== name) return true;
  const utterance = state.turn.words?.utterance;
  // A no to a proposed value keeps the known one.
  if (!sameValue(subject.value, value)) return true;
  // A no rejects only a value that was heard. A no among words of doubt ("I would rather not say") rejects none.
  return state.dialogue.put?.heard !== 'heard' || sideOf(utterance) !== 'no' || hasAct(utterance, 'hedge');
}

/**
 * Stores a proposed value beside the known one, for a read-back. Not if the caller has rejected it and the words since,
 * as far as rules can decide (`isDecided`), do not say it.
 */
function propose(draft: Draft, name: string, known: SlotValue, proposed: ProposedValue, isDecided: boolean): void {
  const { state } = draft;
  if (JSON.stringify(known.proposed?.value) === JSON.stringify(proposed.value)) {
    draft.restated.add(name);
    // The words may mean it now.
    if (proposed.isInvented !== true)
      state.knowledge.slots = withMember(state.knowledge.slots, name, { ...known, proposed });
    return;
  }
  const isDenied = isDecided && JSON.stringify(known.denied) === JSON.stringify(proposed.value);
  if (isDenied && saidValue(state.turn.words?.utterance)?.slot !== name) {
    emit(draft, { type: 'slot:rejected', data: { slot: name, problem: 'not said' } });
    return;
  }
  state.position.troubles = 0;
  state.knowledge.slots = withMember(state.knowledge.slots, name, { ...known, proposed });
  emit(draft, { type: 'slot:proposed', data: { slot: name } });
}

function dropProposed(draft: Draft, name: string, { proposed: _proposed, ...known }: SlotValue): void {
  draft.state.knowledge.slots = withMember(draft.state.knowledge.slots, name, known);
}

/** Returns the name of a slot's read-back question. */
export function readBackName(slot: string): string {
  return `readback:${slot}`;
}

/** Resets the refusal counts. Refused values of still empty slots are remembered with count 0. */
export function doubtsIn({
  knowledge: { slots },
  dialogue: { refusals },
}: SessionState): SessionState['dialogue']['refusals'] {
  const of = readBackName('');
  const isOpen = (name: string): boolean => name.startsWith(of) && !Object.hasOwn(slots, name.slice(of.length));
  return Object.fromEntries(
    Object.keys(refusals)
      .filter(isOpen)
      .map((name) => [name, 0]),
  );
}

/**
 * Clears a value that the caller rejected in a read-back. If it was proposed, the known value stays, unless the caller
 * had corrected it in their own words.
 */
export function clearSlot(draft: Draft, name: string, rejected: Json): void {
  const known = valueOf(draft.state, name);
  const isProposed = known?.proposed !== undefined && sameValue(known.proposed.value, rejected);
  if (!isProposed || known.proposed?.isSaid === true) removeValue(draft, name);
  else denyProposed(draft, name);
}

/** Rejects a proposed value and keeps the known one. */
export function denyProposed(draft: Draft, name: string): void {
  const known = valueOf(draft.state, name);
  if (known?.proposed !== undefined) dropProposed(draft, name, { ...known, denied: known.proposed.value });
}

function removeValue(draft: Draft, name: string): void {
  draft.state.knowledge.slots = withoutMember(draft.state.knowledge.slots, name);
  emit(draft, { type: 'slot:cleared', data: { slot: name } });
}

/** Clears a slot completely: its value, its refusals, and that it was declined. */
export function forgetSlot(draft: Draft, name: string): void {
  const { state } = draft;
  state.knowledge.declined = state.knowledge.declined.filter((one) => one !== name);
  state.dialogue.refusals = withoutMember(state.dialogue.refusals, readBackName(name));
  state.knowledge.askAgain = state.knowledge.askAgain.filter((one) => one !== name);
  if (valueOf(state, name) !== undefined) removeValue(draft, name);
}

/** Checks whether a node asks for a known slot again and the caller has not answered yet. */
export function isAskedAgain(graph: Graph, state: SessionState, { again }: GraphNode, name: string): boolean {
  return again.includes(name) && state.knowledge.askAgain.includes(name) && isDue(graph, state, graph.slots.get(name));
}

/** Keeps the value of a slot that the caller was asked for again. */
export function keepSlot({ state }: Draft, name: string): void {
  state.knowledge.askAgain = state.knowledge.askAgain.filter((one) => one !== name);
}

/** Confirms a slot if it still has the value that was read back. */
export function confirmSlot(draft: Draft, name: string, value: Json): void {
  const known = valueOf(draft.state, name);
  if (known === undefined || !isAsked(known, value)) return;
  const { proposed: other, ...before } = known;
  const proposed = other !== undefined && sameValue(other.value, value) ? asKnown(other) : undefined;
  const agreed = proposed ?? { ...before, ...(other === undefined ? {} : { denied: other.value }) };
  draft.state.knowledge.slots = withMember(draft.state.knowledge.slots, name, {
    ...agreed,
    confirmed: true,
    grounded: true,
  });
  if (proposed !== undefined) {
    keepSlot(draft, name);
    recompute(draft, name);
    emit(draft, {
      type: 'slot:filled',
      data: { slot: name, corrected: true, source: proposed.source.kind, grounded: true },
    });
  }
  emit(draft, { type: 'slot:confirmed', data: { slot: name } });
}

function asKnown({ isInvented: _isInvented, ...proposed }: ProposedValue): Omit<ProposedValue, 'isInvented'> {
  return proposed;
}

export function valueOf(state: SessionState, name: string): SlotValue | undefined {
  return Object.hasOwn(state.knowledge.slots, name) ? state.knowledge.slots[name] : undefined;
}

interface Need {
  readonly slot: GraphSlot;
  readonly known: SlotValue | null;
}

/**
 * Returns the next slot that a node needs, in its own order, then those of its call; null if nothing is missing. A value
 * that the caller proposed is read back first, a value that a model invented last.
 */
export function nextNeed(graph: Graph, state: SessionState, node: GraphNode): Need | null {
  return (
    proposedIn(graph, state, false) ??
    ownNeed(graph, state, node) ??
    proposedIn(graph, state, true) ??
    ungroundedIn(graph, state, node)
  );
}

/** Returns what a node itself needs. A catalog node needs the value that it asked for again. */
function ownNeed(graph: Graph, state: SessionState, node: GraphNode): Need | null {
  const again = node.task === null ? undefined : graph.slots.get(state.turn.words?.asked ?? '');
  if (again !== undefined && valueOf(state, again.name) === undefined && isWanted(state, again))
    return { slot: again, known: null };
  for (const name of node.collect) {
    const slot = graph.slots.get(name);
    if (slot === undefined) continue;
    if (isAskedAgain(graph, state, node, name)) return { slot, known: null };
    const known = valueOf(state, name) ?? null;
    if (known === null ? isMissing(graph, state, slot) : !known.confirmed) return { slot, known };
  }
  for (const { slot, isRequired } of slotsOfCall(graph, node)) {
    const known = valueOf(state, slot.name) ?? null;
    if (known === null ? isRequired : !known.confirmed) return { slot, known };
  }
  return null;
}

/** Returns a slot with a proposed value, which a model invented or not; null if there is none. */
function proposedIn(graph: Graph, { knowledge: { slots } }: SessionState, isInvented: boolean): Need | null {
  for (const [name, { proposed }] of Object.entries(slots)) {
    const slot = graph.slots.get(name);
    if (slot === undefined || proposed === undefined || (proposed.isInvented === true) !== isInvented) continue;
    return { slot, known: { ...proposed, confirmed: false } };
  }
  return null;
}

/** Returns a slot with an ungrounded value that a condition of the node reads; null if there is none. */
export function ungroundedIn(
  graph: Graph,
  state: SessionState,
  node: GraphNode,
): (Need & { readonly known: SlotValue }) | null {
  for (const { when } of node.edges)
    for (const name of sourcesOf(
      graph,
      (when?.references ?? []).map(({ path: [first] }) => String(first)),
    )) {
      const slot = graph.slots.get(name);
      const known = slot === undefined ? undefined : valueOf(state, slot.name);
      if (slot === undefined || known === undefined) continue;
      if (known.proposed !== undefined) return { slot, known: { ...known.proposed, confirmed: false } };
      if (known.grounded === false) return { slot, known };
    }
  return null;
}

/** Marks an optional slot as declined: it is not asked for again. */
export function declineSlot(draft: Draft, { name }: GraphSlot): void {
  const { state } = draft;
  if (state.knowledge.declined.includes(name)) return;
  state.knowledge.declined = [...state.knowledge.declined, name];
  emit(draft, { type: 'slot:declined', data: { slot: name } });
}

/** Checks whether a model left a value out. */
export function isNothing(value: Json): boolean {
  return value === null || value === '';
}

/** Checks an unread value: it must already have the form of the slot's type. */
export function formOf(slot: GraphSlot, given: Json): TypedValue {
  return typeOf(slot).form(given, slot);
}

/** Checks a typed value against the rules of its slot. `now` is the local time that defines "today". */
export function withinRules(slot: GraphSlot, typed: TypedValue, now: string): TypedValue {
  // Digits are checked before they are sealed.
  if (!typed.ok || isSealedIn(slot, typed.value)) return typed;
  const { value } = typed;
  if (typeof value === 'string') {
    const problem = momentProblem(slot, value, now.slice(0, 10));
    if (problem !== null) return refused(problem);
    if (slot.pattern?.ok === true && !slot.pattern.test(value)) return refused('does not have the required form');
    if (value.trim() === '') return refused('empty');
  }
  if (typeof value === 'number') {
    if (slot.minimum !== null && value < slot.minimum) return refused(`must be at least ${slot.minimum}`);
    if (slot.maximum !== null && value > slot.maximum) return refused(`must be at most ${slot.maximum}`);
  }
  return accepted(value);
}
