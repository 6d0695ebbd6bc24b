import { lastQuestionOf } from '../expression/sentences.ts';
import type { GraphNode } from '../graph/graph.ts';
import type { Draft } from './draft.ts';
import { openQuestionIn } from './open-question.ts';
import { putsAgain } from './settle-question.ts';

/**
 * Whether a model has put a question of its own that it put in the turn before, though the flow has one to put: then that one
 * follows, so that the caller is not asked the same over and over.
 */
export function isOwnAgain(draft: Draft, node: GraphNode, text: string): boolean {
  const { saidBefore } = draft.state;
  const question = lastQuestionOf(text);
  if (question === '' || !saidBefore.text.includes(question)) return false;
  const open = openQuestionIn(draft, node);
  return !open.isLine && open.text !== '' && !putsAgain(text, open.text);
}
