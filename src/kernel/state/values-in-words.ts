import type { GraphFunction, GraphNode } from '../../flow/graph/graph.ts';
import { type Arrival, askNext } from '../answer.ts';
import type { Draft } from './draft.ts';
import { actOf, otherEnd, saidValue } from '../dialogue/utterance.ts';
import { questionId } from './names.ts';
import { fillSlot, valueOf } from './slots.ts';
import { travel } from '../move/travel.ts';
import { openConfirmation } from '../wait/waits.ts';
import { wayOut } from '../move/ways-out.ts';

/** Stores a value that the rules read with certainty, unless it was already taken. Returns whether the slots changed. */
export function keepSaid(draft: Draft, said = saidValue(draft.state.turn.words?.utterance)): boolean {
  const { graph, state } = draft;
  const slot = said === null ? undefined : graph.slots.get(said.slot);
  if (said === null || slot === undefined || state.turn.words === null) return false;
  const before = valueOf(state, slot.name);
  const wasAsked = state.knowledge.askAgain.includes(slot.name);
  const other = otherEnd(graph, state.turn.words.utterance, said);
  fillSlot(draft, slot, { ok: true, value: said.value }, { grounded: said.certain, isSaid: true });
  if (other !== null) fillSlot(draft, other.slot, { ok: true, value: other.value }, { grounded: true, isSaid: true });
  state.turn.words = { ...state.turn.words, utterance: null };
  return valueOf(state, slot.name) !== before || (wasAsked && !state.knowledge.askAgain.includes(slot.name));
}

/** Stores a correction of a slot other than the requested one, if the model has called nothing. Returns whether it did. */
export function takeCorrection(draft: Draft): boolean {
  const { words } = draft.state.turn;
  const slot = saidValue(words?.utterance)?.slot;
  const isKnown = slot !== undefined && valueOf(draft.state, slot) !== undefined;
  return isKnown && slot !== words?.asked && openConfirmation(draft) === undefined && keepSaid(draft);
}

/** Stores an answer to the open question that the model has not recorded. Returns false if the words do not answer it. */
export function takeSaid(draft: Draft, node: GraphNode, arrival: Arrival): boolean {
  const asked = draft.state.turn.words?.asked ?? null;
  const said = saidValue(draft.state.turn.words?.utterance);
  if (
    asked === null ||
    said?.slot !== asked ||
    repeatsAnother(draft, asked) ||
    // A question of the model may be about the uncertain value.
    (!said.certain && arrival === 'asked') ||
    openConfirmation(draft) !== undefined ||
    !node.collect.includes(asked) ||
    !keepSaid(draft, said)
  )
    return false;
  const way = wayOut(draft, node);
  if (way === null) askNext(draft, node, arrival);
  else travel(draft, way, arrival);
  return true;
}

/**
 * Checks whether the caller heard a question of the model instead of the slot's, and repeats the known value of another
 * slot. That does not answer the slot's question.
 */
function repeatsAnother({ graph, state }: Draft, asked: string): boolean {
  if (state.dialogue.asked === questionId(state, `slot:${asked}`)) return false;
  const value = saidValue(state.turn.words?.utterance)?.value;
  const type = graph.slots.get(asked)?.type;
  return Object.entries(state.knowledge.slots).some(
    ([name, known]) => name !== asked && known.value === value && graph.slots.get(name)?.type === type,
  );
}

/** Takes the node function that a plain yes or no selects. Returns false if there is none. */
export function callSaid(draft: Draft, node: GraphNode): boolean {
  const { state } = draft;
  const name = actOf(state.turn.words?.utterance, 'call')?.function;
  const offered = node.functions.find((one) => one.name === name);
  if (offered === undefined || !movesAlone(offered)) return false;
  state.turn.answered = offered.name;
  const { digression } = offered;
  travel(draft, { to: offered.target.to, cause: 'function', function: offered.name, digression }, 'answer');
  return true;
}

/** Checks whether a function only leads to one node, regardless of its arguments. */
export function movesAlone(
  offered: GraphFunction,
): offered is GraphFunction & { target: { kind: 'node'; to: string } } {
  const { body, callback, confirm, target, parameters } = offered;
  const required = parameters['required'];
  const asksForNothing = !Array.isArray(required) || required.length === 0;
  return body === 'edge' && callback === null && confirm === null && target?.kind === 'node' && asksForNothing;
}
