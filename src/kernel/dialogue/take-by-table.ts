import type { UserTurn } from '../../events/signal.ts';
import type { GraphNode } from '../../graph/graph.ts';
import { askCaller } from '../answer.ts';
import { type Draft, isUnheard } from '../draft.ts';
import { cancelWaits, openConfirmation } from '../waits.ts';
import { type Of, questionOnTop, type SubjectKind } from './question.ts';
import { type Column, columnOf, type Rule, type Told } from './rule.ts';
import { rules } from './rules.ts';

/** The rule for what the caller did, at the question that is on top. */
export function takeByTable(draft: Draft, node: GraphNode, turn: UserTurn): void {
  const wait = openConfirmation(draft);
  // A question of which nothing was heard is void: no yes answers it.
  if (wait !== undefined && isUnheard(wait)) cancelWaits(draft);
  if (openConfirmation(draft) === undefined && node.interrupt?.asksCaller === true) return askCaller(draft, node);
  const subject = questionOnTop(draft, node);
  // A generator that is at work goes on by itself.
  if (subject.kind === 'none' && draft.state.generator !== null) return;
  const column = columnOf(turn.utterance);
  // A request that could not be granted is given to the node.
  take(subject, column === 'request' ? 'words' : column, { draft, node, turn });
}

/** Calls the rule of a row. The row is that of the subject's own kind, which indexing forgets. */
function take<Kind extends SubjectKind>(
  subject: Of<Kind>,
  column: Exclude<Column, 'request'>,
  told: Omit<Told, 'subject'>,
): void {
  const row: Readonly<Record<Exclude<Column, 'request'>, Rule<Of<Kind>>>> = rules[subject.kind];
  row[column].take({ ...told, subject });
}
