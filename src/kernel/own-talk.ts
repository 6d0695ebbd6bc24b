import type { BatchSettled } from '../model/signals/signal.ts';
import { sentencesOf } from '../flow/expression/sentences.ts';
import { recordFunctionName } from '../flow/document/function.ts';
import type { GraphNode } from '../flow/graph/graph.ts';
import { needsYes } from './call/after-batch.ts';
import { asksByLine } from './answer.ts';
import { isWaitingIn } from './wait/outside-waits.ts';
import { plainWords } from './dialogue/question-line.ts';
import type { Draft } from './state/draft.ts';
import { nextNeed } from './state/slots.ts';

/** The most characters of a model's words that are kept for one visit; the end of them is kept. */
const mostTalk = 1_000;

/**
 * Checks whether the model only repeats its sentences of this visit, at a node where the flow asks no question. Stores the
 * sentences that are new.
 */
export function repeatsItself(draft: Draft, node: GraphNode, batch: BatchSettled): boolean {
  if (bringsSomething(draft, batch)) {
    // The same words after a result say something new: "There you are. What else?"
    draft.state.dialogue.talk = { visit: draft.state.position.visit, text: '' };
    return false;
  }
  return isFreeTalk(draft, node, batch) && !saysAnythingNew(draft, batch.text);
}

/** Checks whether a function ran or a slot was filled. */
function bringsSomething({ facts }: Draft, { calls }: BatchSettled): boolean {
  return (
    calls.some(({ name }) => name !== recordFunctionName) ||
    facts.some(({ type }) => type === 'slot:filled' || type === 'slot:proposed')
  );
}

function isFreeTalk(draft: Draft, node: GraphNode, { reply, text, asks }: BatchSettled): boolean {
  if (reply === null || text === '' || node.end !== null || node.task !== null || node.call !== null) return false;
  if (node.functions.length + node.collect.length === 0 || isWaitingIn(draft, node)) return false;
  if (draft.state.dialogue.refused.length > 0) return false;
  const need = nextNeed(draft.graph, draft.state, node);
  if (need !== null && (need.known !== null || need.slot.ask !== null)) return false;
  // Other rules ask a question after words without one.
  return asks === true || (need === null && !asksByLine(node) && !needsYes(draft, node));
}

function saysAnythingNew({ state }: Draft, text: string): boolean {
  const before = state.dialogue.talk.visit === state.position.visit ? state.dialogue.talk.text : '';
  const known = ` ${plainWords(before)} `;
  const fresh = sentencesOf(text).filter((sentence) => !known.includes(` ${plainWords(sentence)} `));
  if (fresh.length > 0)
    state.dialogue.talk = { visit: state.position.visit, text: `${before} ${fresh.join(' ')}`.trim().slice(-mostTalk) };
  return fresh.length > 0;
}
