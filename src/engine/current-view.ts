import { type View, viewOf } from '../kernel/state/view.ts';
import type { Clock } from '../model/ports/time.ts';
import type { Fold } from './fold.ts';

/** How long a cached view may keep showing the model the same date and time, in milliseconds. */
const viewAgesMs = 60_000;

/** Returns the session's current view, computed once per step because LiveKit reads it several times a turn. */
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
