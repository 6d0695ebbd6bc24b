import type { Wordings } from '../../expression/wordings.ts';
import { lastQuestionOf } from '../../expression/sentences.ts';
import type { Graph, GraphSlot } from '../../graph/graph.ts';
import { nodeOf } from '../../kernel/offers.ts';
import { questionId } from '../../kernel/names.ts';
import { nextNeed } from '../../kernel/slots.ts';
import type { SessionState } from '../../kernel/state.ts';
import { typeOf } from '../../slots/slot-types.ts';

/**
 * What the question was about that the caller has heard last, as far as a slot goes: `this` slot, something `other`, or
 * neither in words (`open`). `said`: what the agent said. The flow's own question is always about its slot; one of the
 * model's by its words, and if these tell nothing, by what was put before or is all that the node still needs.
 */
export function askedAbout(
  graph: Graph,
  state: SessionState,
  slot: GraphSlot,
  said: string,
): 'this' | 'other' | 'open' {
  if (!state.modelAsked) return 'this';
  const question = lastQuestionOf(said);
  const shared = graph.reader.sharedWords(question, aboutSlot(slot));
  const isOfAnother = [...graph.slots.values()].some(
    (other) => other !== slot && (graph.reader.sharedWords(question, aboutSlot(other)) ?? 0) > (shared ?? 0),
  );
  if (isOfAnother) return 'other';
  // If the author has no question for the slot, the model is to ask for it in words of its own.
  if (slot.ask === null || (shared ?? 0) > 0) return 'this';
  if (shared !== null) return 'other';
  const isPut = state.asked === questionId(state, `slot:${slot.name}`);
  return isPut || isOnlyNeed(graph, state, slot) ? 'this' : 'open';
}

/** What an author says of a slot: its name, its question, its description and what it can be. */
function aboutSlot(slot: GraphSlot): string {
  const { isMoment, isPersonal, readAs } = typeOf(slot);
  const kind = isMoment === true || isPersonal === true ? [readAs, ...(readAs === 'date' ? ['day'] : [])] : [];
  const values = [...slot.values].flatMap(([value, synonyms]) => [value, ...synonyms]);
  return [slot.name, ...textsOf(slot.ask), slot.description, ...values, ...kind].join(' ');
}

/** The sources of a text's wordings. */
export function textsOf(spoken: Wordings | null): readonly string[] {
  return spoken === null ? [] : spoken.texts.map(({ source }) => source);
}

/** Whether a node needs to know nothing else any more. */
function isOnlyNeed(graph: Graph, state: SessionState, slot: GraphSlot): boolean {
  const node = nodeOf(graph, state, state.node);
  if (node === null || nextNeed(graph, state, node)?.slot !== slot) return false;
  const { slots } = state;
  const known = { ...slots, [slot.name]: { value: null, confirmed: true } };
  return nextNeed(graph, { ...state, slots: known }, node) === null;
}
