import type { UserTurn } from '../../model/signals/signal.ts';
import type { GraphNode } from '../../flow/graph/graph.ts';
import { askCaller } from '../answer.ts';
import { type Draft, isUnheard } from '../state/draft.ts';
import { cancelWaits, openConfirmation } from '../wait/waits.ts';
import { type Of, questionOnTop, type SubjectKind } from './question.ts';
import { type Column, columnOf, type Rule, type RuleContext } from './rule.ts';
import { rules } from './rules.ts';

/** Applies the rule for the caller's act at the question on top. */
export function takeByTable(draft: Draft, node: GraphNode, turn: UserTurn): void {
  if (turn.answersTask !== true && asksAnew(draft, node)) return;
  const subject = questionOnTop(draft, node, turn);
  // A running generator needs no words to continue.
  if (subject.kind === 'none' && draft.state.position.generator !== null) return;
  const column = columnOf(turn.utterance);
  // A request that cannot be granted goes to the node.
  take(subject, column === 'request' ? 'words' : column, { draft, node, turn });
}

/** Cancels an open question of which nothing was heard. Returns whether the node asks its own question instead. */
function asksAnew(draft: Draft, node: GraphNode): boolean {
  const wait = openConfirmation(draft);
  if (wait !== undefined && isUnheard(draft.state, wait.key)) cancelWaits(draft);
  const isDue = openConfirmation(draft) === undefined && node.interrupt?.asksCaller === true;
  if (isDue) askCaller(draft, node);
  return isDue;
}

/** Applies the rule of a row. Indexing loses the relation between the row and the subject's kind. */
function take<Kind extends SubjectKind>(
  subject: Of<Kind>,
  column: Exclude<Column, 'request'>,
  told: Omit<RuleContext, 'subject'>,
): void {
  const row: Readonly<Record<Exclude<Column, 'request'>, Rule<Of<Kind>>>> = rules[subject.kind];
  row[column].take({ ...told, subject });
}
