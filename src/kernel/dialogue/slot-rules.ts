import type { GraphNode } from '../../flow/graph/graph.ts';
import { askAgain } from '../question/ladder.ts';
import { plainReason } from '../question/ladder-help.ts';
import type { Draft } from '../state/draft.ts';
import { declineSlot, isAskedAgain, nextNeed } from '../state/slots.ts';
import { runAgain } from '../move/travel.ts';
import { openConfirmation } from '../wait/waits.ts';
import type { Of } from './question.ts';
import type { Rule } from './rule.ts';
import { answersAlone, takeAlone } from './takes-alone.ts';
import { takeWords } from './to-node.ts';
import { actOf } from './utterance.ts';

/** The words are the requested value. */
export const takeValue: Rule<Of<'slot'>> = {
  does: 'If the words give exactly one certain value, the flow takes it without the model. Otherwise the words go to the model.',
  take({ draft, node, subject, turn }) {
    if (node.task !== null || !answersAlone(draft, node, subject.slot, turn)) return takeWords(draft, node);
    takeAlone(draft, node);
  },
};

/** The words are a part of the requested value. */
export const askForRest: Rule<Of<'slot'>> = {
  does: 'For an incomplete telephone number the flow asks for the rest, without the model, and joins consecutive parts to one number. Other words go to the model.',
  take({ draft, node, subject: { slot }, turn }) {
    const { problem = '' } = actOf(turn.utterance, 'problem') ?? {};
    if (node.task !== null || slot.ask === null) return takeWords(draft, node);
    askAgain(draft, node, 'aside', plainReason(draft, slot, problem));
  },
};

/** The caller refuses to give the requested value. */
export const leaveOrInsist: Rule = {
  does: 'An optional slot is left out. A required slot is asked for again, or the model offers the other functions of the node.',
  take({ draft, node }) {
    if (openConfirmation(draft) !== undefined || !refusesWhatIsAsked(draft, node)) return takeWords(draft, node);
    // The refusal does not answer the next question.
    if (draft.state.words !== null) draft.state.words = { ...draft.state.words, isUnheard: false };
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
  return need.slot.optional || node.functions.length === 0 || isAskedAgain(state, node, need.slot.name);
}

/** Returns the optional slot that a catalog node asks for again, which is the only question of such a node. */
function askedAnew({ graph, state }: Draft) {
  const slot = graph.slots.get(state.words?.asked ?? '');
  return slot?.optional === true ? slot : null;
}

function leaveOut(draft: Draft, node: GraphNode): void {
  const slot = askedAnew(draft);
  if (slot !== null) declineSlot(draft, slot);
  runAgain(draft, node);
}
