import { lastQuestionOf } from '../../flow/expression/sentences.ts';
import type { GraphNode } from '../../flow/graph/graph.ts';
import type { Draft } from '../state/draft.ts';
import { openQuestionIn } from './open-question.ts';

/**
 * Checks whether the model repeats its previous question while the flow has another one. The flow's question then
 * follows, so the caller does not hear the same question repeatedly.
 */
export function isOwnAgain(draft: Draft, node: GraphNode, text: string): boolean {
  const { saidBefore } = draft.state.dialogue;
  const question = lastQuestionOf(text);
  if (question === '' || !saidBefore.text.includes(question)) return false;
  const open = openQuestionIn(draft, node);
  return !open.isLine && open.text !== '' && !putsAgain(text, open.text);
}

/** Checks whether the model repeated the flow's question. */
export function putsAgain(text: string, question: string): boolean {
  const short = lastQuestionOf(question);
  return text.includes(short === '' ? question : short);
}
