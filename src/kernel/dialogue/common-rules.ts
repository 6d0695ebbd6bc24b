import { askAgain } from '../question/ladder.ts';
import { sayWaitingLine } from '../wait/outside-waits.ts';
import type { Draft } from '../state/draft.ts';
import { reply } from '../answer.ts';
import { callSaid, keepSaid } from '../state/values-in-words.ts';
import { decideNo } from './decide.ts';
import { refusesInWords } from './utterance.ts';
import { correct } from '../question/confirmation.ts';
import { retakenWay } from '../move/decisions.ts';
import { openQuestionIn } from '../question/open-question.ts';
import { openConfirmation } from '../wait/waits.ts';
import { goOn, takeWords } from './to-node.ts';
import type { Of } from './question.ts';
import type { Rule } from './rule.ts';
import type { GraphNode } from '../../flow/graph/graph.ts';

/** The words are for the node. */
export const giveToNode: Rule = {
  does: 'The words go to the node: the model replies, a node that only talks continues, or a catalog node runs again.',
  take: ({ draft, node }) => takeWords(draft, node),
};

/** Sounds answer no question. */
export const askAgainAfterNoise: Rule = {
  does: 'Counts as a miss: the question is asked again in other words.',
  take({ draft, node }) {
    if (openConfirmation(draft) !== undefined || asksAnything(draft, node)) askAgain(draft, node, 'no-match');
    else takeWords(draft, node);
  },
};

/** Sounds answer no yes-or-no question. */
export const putAgainAfterNoise: Rule = {
  does: 'Counts as a miss: the whole question is repeated.',
  take: ({ draft, node }) => askAgain(draft, node, 'no-match'),
};

/** The model asked the last question; the flow's earlier question stays open. */
export const answerModel: Rule<Of<'model'>> = {
  does: 'The words answer the model’s question, and the model replies. A yes does not answer a question of the flow.',
  take(told) {
    const { draft, node } = told;
    if (draft.state.position.generator !== null) reply(draft, node, 'answer');
    else if (openConfirmation(draft) === undefined) takeWords(draft, node);
    else giveToModel.take(told);
  },
};

/** Other words during an open confirmation, which stays open. */
export const giveToModel: Rule = {
  does: 'The model replies, then the whole question is repeated. At a node without a model, a no with other words refuses.',
  take({ draft, node }) {
    if (node.task === null) reply(draft, node, 'answer');
    else takeByRules(draft, node);
  },
};

export const keepWaiting: Rule<Of<'elsewhere'>> = {
  does: 'The agent says that it still waits.',
  take: ({ draft, node }) => sayWaitingLine(draft, node),
};

export const answerWhileWaiting: Rule<Of<'elsewhere'>> = {
  does: 'The flow calls a function that the words mean, otherwise the model replies. The wait continues.',
  take({ draft, node }) {
    if (!callSaid(draft, node)) reply(draft, node, 'answer');
  },
};

/** Handles words at a catalog node without a model: a no refuses, a correction is stored, other words are a miss. */
function takeByRules(draft: Draft, node: GraphNode): void {
  const wait = openConfirmation(draft);
  const { slots } = draft.state.knowledge;
  const { confirmations } = draft.state.dialogue;
  const { words } = draft.state.turn;
  if (wait === undefined) return askAgain(draft, node, 'no-match');
  const isNo = refusesInWords(words?.utterance);
  if (keepSaid(draft)) {
    if (correct(draft, wait, slots, confirmations.length) || retakenWay(draft) !== null) goOn(draft, node);
    else askAgain(draft, node, 'aside');
  } else if (isNo) decideNo(draft, node, wait, 'answer');
  else askAgain(draft, node, 'no-match');
}

/** Checks whether the node waits for an answer to a spoken question. */
function asksAnything(draft: Draft, node: GraphNode): boolean {
  const waits = node.task === null && node.functions.length + node.collect.length + node.keys.size > 0;
  return waits && openQuestionIn(draft, node).text !== '';
}
