import type { GraphNode } from '../../flow/graph/graph.ts';
import { endAll } from '../answer.ts';
import { type Draft, intend, emit } from '../state/draft.ts';
import { rescue, sayFallback } from './trouble.ts';
import type { LineName } from '../../model/ports/reader.ts';
import type { Move } from './ways-out.ts';

/** Consecutive moves out of trouble before the flow gives up. */
const mostTroubles = 3;

/** Why a conversation cannot continue. */
export type Trouble = 'no-match' | 'no-input' | 'refused' | 'node-failed' | 'model-failed' | 'flow-stuck';

/**
 * Returns the move out of trouble: to the first named node, otherwise to `on_trouble`, but never to the current node.
 * Null if there is none, or after too many without progress.
 */
export function wayOfTrouble(draft: Draft, named: readonly (string | null)[] = []): Move | null {
  const { graph, state } = draft;
  const to = [...named, graph.onTrouble].find((each) => each !== null && each !== state.position.node) ?? null;
  if (to === null || state.position.troubles >= mostTroubles) return null;
  state.position.troubles += 1;
  return { to, cause: 'trouble' };
}

/** Gives up: the caller hears an apology, and the conversation ends for this reason. */
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

/** Why a flow is stuck, as observers see it. */
type StuckReason = 'too-many-transitions' | 'node-failed' | 'unknown-node' | 'nothing-to-return-to';

/**
 * Reports that the flow is stuck, and returns the move to `on_error` if allowed, otherwise the move out of trouble.
 * Without either, says the fallback line, and ends the conversation after repeated failures or if a node failed.
 */
export function stuck(
  draft: Draft,
  node: GraphNode | null,
  reason: StuckReason,
  mayLeave = true,
  code?: string,
): Move | null {
  emit(draft, { type: 'flow:stuck', data: { reason, ...(code === undefined ? {} : { code }) } });
  const move = mayLeave ? (rescue(draft, node) ?? wayOfTrouble(draft)) : null;
  if (move !== null) return move;
  const { state } = draft;
  // The caller's next words may help, but only a limited number of times. A failed node would fail again.
  if (reason !== 'node-failed' && state.position.troubles < mostTroubles) {
    state.position.troubles += 1;
    sayFallback(draft, node);
  } else giveUp(draft, reason === 'node-failed' ? reason : 'flow-stuck');
  return null;
}
