import type { GraphNode } from '../graph/graph.ts';
import { endAll } from './answer.ts';
import { type Draft, intend, tell } from './draft.ts';
import { rescue, sayFallback } from './trouble.ts';
import type { LineName } from '../ports/reader.ts';
import type { Move } from './ways-out.ts';

/** How often in a row the flow may be led out of trouble, before it is over. */
const mostTroubles = 3;

/** Why a conversation cannot go on where it is. */
export type Trouble = 'no-match' | 'no-input' | 'refused' | 'node-failed' | 'model-failed' | 'flow-stuck';

/**
 * The move out of a place where the conversation cannot go on: to the first of the named nodes, else to the flow's
 * `on_trouble`, neither of them the node that it is in. Null where there is none, or they did not help so often.
 */
export function wayOfTrouble(draft: Draft, named: readonly (string | null)[] = []): Move | null {
  const { graph, state } = draft;
  const to = [...named, graph.onTrouble].find((each) => each !== null && each !== state.node) ?? null;
  if (to === null || state.troubles >= mostTroubles) return null;
  state.troubles += 1;
  return { to, cause: 'trouble' };
}

/** Nothing leads on: the caller hears an apology, and the conversation ends for this reason. */
export function giveUp(draft: Draft, why: Trouble): void {
  const [text] = draft.graph.speech.lines[endLines[why]];
  intend(draft, { kind: 'say', payload: { text, reason: 'fallback' } });
  endAll(draft, why);
}

const endLines: Readonly<Record<Trouble, LineName>> = {
  'no-input': 'endUnheard',
  'no-match': 'endNotUnderstood',
  refused: 'endNotUnderstood',
  'node-failed': 'endFailed',
  'model-failed': 'endFailed',
  'flow-stuck': 'endFailed',
};

/** What the flow got stuck by, as those who watch are told. */
type StuckReason = 'too-many-transitions' | 'node-failed' | 'unknown-node' | 'nothing-to-return-to';

/**
 * Reports that the flow cannot go on by itself, and goes to `on_error` where it may, else where trouble leads. Without
 * either the fallback line is said, and after a while, or where a node failed, the conversation ends.
 */
export function stuck(
  draft: Draft,
  node: GraphNode | null,
  reason: StuckReason,
  mayLeave = true,
  code?: string,
): Move | null {
  tell(draft, { type: 'flow:stuck', data: { reason, ...(code === undefined ? {} : { code }) } });
  const move = mayLeave ? (rescue(draft, node) ?? wayOfTrouble(draft)) : null;
  if (move !== null) return move;
  const { state } = draft;
  // The caller's next words may lead on, but not for ever; a node that failed would only fail again.
  if (reason !== 'node-failed' && state.troubles < mostTroubles) {
    state.troubles += 1;
    sayFallback(draft, node);
  } else giveUp(draft, reason === 'node-failed' ? reason : 'flow-stuck');
  return null;
}
