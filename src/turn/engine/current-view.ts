import { type View, viewOf } from '../../kernel/view.ts';
import type { Clock } from '../../ports/time.ts';
import type { Fold } from './fold.ts';

/** How long a view may go on telling the model what day it is, in milliseconds. */
const viewAgesMs = 60_000;

/** The view of a session as it stands, computed once for each step: LiveKit reads it several times a turn. */
export function createCurrentView(fold: Fold, clock: Clock): () => View {
  let shown: { readonly of: Pick<Fold, 'graph' | 'state'>; readonly at: number; readonly view: View } | null = null;
  return () => {
    const at = clock.now();
    const { graph, state } = fold;
    if (shown?.of.graph !== graph || shown.of.state !== state || at - shown.at > viewAgesMs)
      shown = { of: { graph, state }, at, view: viewOf(graph, state, fold.civil(at)) };
    return shown.view;
  };
}
