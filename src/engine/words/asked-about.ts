import type { Wordings } from '../../flow/expression/wordings.ts';
import { lastQuestionOf } from '../../flow/expression/sentences.ts';
import type { Graph, GraphSlot } from '../../flow/graph/graph.ts';
import { nodeOf } from '../../kernel/move/offers.ts';
import { questionId } from '../../kernel/state/names.ts';
import { nextNeed } from '../../kernel/state/slots.ts';
import type { SessionState } from '../../kernel/state/state.ts';
import { typeOf } from '../../flow/slots/slot-types.ts';

/**
 * Returns what the caller's last heard question was about: `this` slot, something `other`, or `open` if
 * the words do not show it. `said`: the agent's words. A question of the flow is always about its slot. A
 * question of the model is matched by its words, then by what was asked before or is the only open need.
 */
export function askedAbout(
  graph: Graph,
  state: SessionState,
  slot: GraphSlot,
  said: string,
): 'this' | 'other' | 'open' {
  if (!state.dialogue.modelAsked) return 'this';
  const question = lastQuestionOf(said);
  const shared = graph.reader.sharedWords(question, aboutSlot(slot));
  const isOfAnother = [...graph.slots.values()].some(
    (other) => other !== slot && (graph.reader.sharedWords(question, aboutSlot(other)) ?? 0) > (shared ?? 0),
  );
  if (isOfAnother) return 'other';
  // A slot without a question of its author is asked for in the model's own words.
  if (slot.ask === null || (shared ?? 0) > 0) return 'this';
  if (shared !== null) return 'other';
  const isPut = state.dialogue.asked === questionId(state, `slot:${slot.name}`);
  return isPut || isOnlyNeed(graph, state, slot) ? 'this' : 'open';
}

/** Returns everything the author says about a slot: name, question, description and values. */
function aboutSlot(slot: GraphSlot): string {
  const { isMoment, isPersonal, readAs } = typeOf(slot);
  const kind = isMoment === true || isPersonal === true ? [readAs, ...(readAs === 'date' ? ['day'] : [])] : [];
  const values = [...slot.values].flatMap(([value, synonyms]) => [value, ...synonyms]);
  return [slot.name, ...textsOf(slot.ask), slot.description, ...values, ...kind].join(' ');
}

/** Returns the sources of a text's wordings. */
export function textsOf(spoken: Wordings | null): readonly string[] {
  return spoken === null ? [] : spoken.texts.map(({ source }) => source);
}

/** Checks whether the slot is the only value that the node still needs. */
function isOnlyNeed(graph: Graph, state: SessionState, slot: GraphSlot): boolean {
  const node = nodeOf(graph, state, state.position.node);
  if (node === null || nextNeed(graph, state, node)?.slot !== slot) return false;
  const { slots } = state.knowledge;
  const known = { ...slots, [slot.name]: { value: null, confirmed: true } };
  return nextNeed(graph, { ...state, knowledge: { ...state.knowledge, slots: known } }, node) === null;
}
