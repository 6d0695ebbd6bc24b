import type { ActKind, Utterance } from '../../model/dialogue.ts';
import type { UserTurn } from '../../model/signals/signal.ts';
import type { GraphNode } from '../../flow/graph/graph.ts';
import type { Draft } from '../state/draft.ts';
import type { QuestionSubject } from './question.ts';

/** A caller's turn as a rule receives it, with the question and the node. */
export interface RuleContext<Subject extends QuestionSubject = QuestionSubject> {
  readonly draft: Draft;
  readonly node: GraphNode;
  readonly subject: Subject;
  readonly turn: UserTurn;
}

/** The reaction to one kind of act at one kind of question. */
export interface Rule<Subject extends QuestionSubject = QuestionSubject> {
  /** One sentence for the reference page. */
  readonly does: string;
  take(told: RuleContext<Subject>): void;
}

/** The column of an utterance in the table: its decisive act, or `words` if the rules found none. */
export type Column = ActKind | 'words';

/**
 * The order in which acts decide an utterance with several. A question, a condition and a contradiction come before a
 * yes, so none of them is consent. A correction comes before a yes or no beside it.
 */
export const precedence: readonly ActKind[] = [
  'enter',
  'press',
  'noise',
  'request',
  'choose',
  'decline',
  'ask',
  'hedge',
  'problem',
  'call',
  'correct',
  'inform',
  'restate',
  'answer',
  'echo',
  'stall',
];

export function columnOf(utterance: Utterance | undefined): Column {
  let first = precedence.length;
  for (const { act } of utterance?.acts ?? []) {
    const at = precedence.indexOf(act);
    if (at >= 0 && at < first) first = at;
  }
  return precedence[first] ?? 'words';
}
