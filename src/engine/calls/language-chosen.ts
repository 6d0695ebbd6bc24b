import type { SettledCall } from '../../model/signals/signal.ts';
import type { Graph } from '../../flow/graph/graph.ts';
import { functionIn, nodeOf } from '../../kernel/move/offers.ts';
import type { SessionState } from '../../kernel/state/state.ts';

/** Returns the language that the last of these calls chose; null if none did. */
export function languageChosen(graph: Graph, state: SessionState, calls: readonly SettledCall[]): string | null {
  const chosen = calls.findLast((call) => {
    const node = call.state === 'done' ? nodeOf(graph, state, call.node) : null;
    return node !== null && functionIn(graph, node, call.name)?.body === 'language';
  });
  const language = chosen?.arguments['language'];
  return typeof language === 'string' ? language : null;
}
