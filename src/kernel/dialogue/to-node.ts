import type { GraphNode } from '../../flow/graph/graph.ts';
import { type Arrival, askNext, reply } from '../answer.ts';
import { type Draft, openOfKind } from '../state/draft.ts';
import { callSaid, keepSaid } from '../state/values-in-words.ts';
import { runAgain, travel } from '../move/travel.ts';
import { retakenWay } from '../move/decisions.ts';
import { askNextConfirmation } from '../question/next-confirmation.ts';
import { cancelWaits } from '../wait/waits.ts';
import { wayOut } from '../move/ways-out.ts';

/** Gives the caller's words to the node: a node that only talks is left, any other lets the model reply. */
export function takeWords(draft: Draft, node: GraphNode): void {
  if (node.task !== null) {
    // Words during a running task are answered by the next node. A failed task is retried.
    if (openOfKind(draft.state, 'task') !== undefined) return;
    // The node may have asked for a value that a no cleared.
    if (draft.state.turn.words?.asked != null) keepSaid(draft);
    runAgain(draft, node);
    return;
  }
  const onlyTalks = node.functions.length === 0 && node.collect.length === 0 && node.keys.size === 0;
  const way = onlyTalks ? wayOut(draft, node) : null;
  if (way !== null) travel(draft, way, 'answer');
  else if (!callSaid(draft, node)) reply(draft, node, 'answer');
}

/** Continues once a value is known: over an edge that holds now, else with the next question. */
export function goOn(draft: Draft, node: GraphNode, arrival: Arrival = 'answer'): void {
  if (node.task !== null) return runAgain(draft, node);
  const back = retakenWay(draft);
  if (back !== null) {
    cancelWaits(draft);
    return travel(draft, back, arrival);
  }
  // A confirmation may have waited for this value.
  if (askNextConfirmation(draft)) return;
  const way = wayOut(draft, node);
  if (way === null) askNext(draft, node, arrival);
  else travel(draft, way, arrival);
}
