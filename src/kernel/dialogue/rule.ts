import type { ActKind, Utterance } from '../../events/dialogue.ts';
import type { UserTurn } from '../../events/signal.ts';
import type { GraphNode } from '../../graph/graph.ts';
import type { Draft } from '../draft.ts';
import type { QuestionSubject } from './question.ts';

/** Words of the caller as they reach a rule: said to one question, in one node. */
export interface Told<Subject extends QuestionSubject = QuestionSubject> {
  readonly draft: Draft;
  readonly node: GraphNode;
  readonly subject: Subject;
  readonly turn: UserTurn;
}

/** What the flow does with one kind of act at one kind of question. */
export interface Rule<Subject extends QuestionSubject = QuestionSubject> {
  /** One sentence for the reference page. */
  readonly does: string;
  take(told: Told<Subject>): void;
}

/** The column of an utterance: its decisive act, or `words` if rules read none. */
export type Column = ActKind | 'words';

/**
 * Which act decides where an utterance holds several, the first of these. A question, a condition and a contradiction come
 * before a yes, so that none of them is consent; a correction comes before the yes or no beside it.
 */
export const precedence: readonly ActKind[] = [
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
  return precedence.find((kind) => utterance?.acts.some(({ act }) => act === kind)) ?? 'words';
}
