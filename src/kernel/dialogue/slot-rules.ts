import type { GraphNode, GraphSlot } from '../../flow/graph/graph.ts';
import { askAgain } from '../question/ladder.ts';
import { oneOfReason, plainReason } from '../question/ladder-help.ts';
import { type Draft, isUnheard } from '../state/draft.ts';
import { questionId } from '../state/names.ts';
import { declineSlot, isAskedAgain, nextNeed, valueOf } from '../state/slots.ts';
import { keepSaid } from '../state/values-in-words.ts';
import { runAgain } from '../move/travel.ts';
import { openConfirmation } from '../wait/waits.ts';
import type { Of } from './question.ts';
import type { Rule } from './rule.ts';
import { answersAlone, takeAlone } from './takes-alone.ts';
import { takeWords } from './to-node.ts';
import { actOf, certainValue, saidValue } from './utterance.ts';

/** The words are the requested value. */
export const takeValue: Rule<Of<'slot'>> = {
  does: 'If the words give exactly one certain value, the flow takes it without the model. Otherwise the words go to the model.',
  take({ draft, node, subject, turn }) {
    if (node.task !== null) takeAtTask(draft, node, subject.slot);
    else if (answersAlone(draft, node, subject.slot, turn)) takeAlone(draft, node);
    else takeWords(draft, node);
  },
};

/** The words are a part of the requested value, or may mean two values. */
export const askForRest: Rule<Of<'slot'>> = {
  does: 'For an incomplete telephone number the flow asks for the rest, without the model, and joins consecutive parts to one number. For "cinco no cuatro", which only a pause would decide, it names both values and asks again. Other words go to the model.',
  take({ draft, node, subject: { slot }, turn }) {
    const { problem = '', candidates = [] } = actOf(turn.utterance, 'problem') ?? {};
    if (slot.ask === null) return takeWords(draft, node);
    const reason = candidates.length > 0 ? oneOfReason(draft, slot, candidates) : plainReason(draft, slot, problem);
    askAgain(draft, node, 'aside', reason);
  },
};

/** Other words at a slot's question. */
export const giveToAsker: Rule<Of<'slot'>> = {
  does: 'The words go to the node: the model replies. A catalog node, which has no model, asks for a required value again.',
  take({ draft, node, subject: { slot } }) {
    if (node.task === null) takeWords(draft, node);
    else takeAtTask(draft, node, slot);
  },
};

/** Stores the value that a catalog node asked for, also beside other words, and runs the node. */
function takeAtTask(draft: Draft, node: GraphNode, slot: GraphSlot): void {
  const { words } = draft.state.turn;
  const said = saidValue(words?.utterance) ?? certainValue(words?.utterance, slot.name);
  keepSaid(draft, said);
  const isMissing = valueOf(draft.state, slot.name) === undefined && !slot.optional && slot.ask !== null;
  if (isMissing) askAgain(draft, node, 'no-match');
  else runAgain(draft, node);
}

/** The caller refuses to give the requested value. */
export const leaveOrInsist: Rule = {
  does: 'An optional slot is left out. A required slot is asked for again, or the model offers the other functions of the node.',
  take({ draft, node }) {
    if (openConfirmation(draft) !== undefined || !refusesWhatIsAsked(draft, node)) return takeWords(draft, node);
    // The refusal does not answer the next question.
    if (draft.state.turn.words !== null) draft.state.turn.words = { ...draft.state.turn.words, isUnheard: false };
    if (node.task === null) askAgain(draft, node, 'refused');
    else leaveOut(draft, node);
  },
};

/**
 * Checks whether the refusal is about the open question. If the node has functions for a caller who refuses, the model
 * decides.
 */
function refusesWhatIsAsked(draft: Draft, node: GraphNode): boolean {
  const { graph, state } = draft;
  if (node.task !== null) return askedAnew(draft) !== null;
  const need = nextNeed(graph, state, node);
  if (need === null || need.known !== null || need.slot.ask === null) return false;
  if (isUnheard(state, questionId(state, `slot:${need.slot.name}`))) return false;
  return need.slot.optional || node.functions.length === 0 || isAskedAgain(graph, state, node, need.slot.name);
}

/** Returns the optional slot that a catalog node asks for again, which is the only question of such a node. */
function askedAnew({ graph, state }: Draft) {
  const slot = graph.slots.get(state.turn.words?.asked ?? '');
  return slot?.optional === true ? slot : null;
}

function leaveOut(draft: Draft, node: GraphNode): void {
  const slot = askedAnew(draft);
  if (slot !== null) declineSlot(draft, slot);
  runAgain(draft, node);
}
