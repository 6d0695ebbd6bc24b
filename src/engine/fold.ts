import type { Effect } from '../model/effect.ts';
import type { FlowFact } from '../model/events/event.ts';
import type { InboxEntry } from '../model/inbox.ts';
import type { Signal } from '../model/signals/signal.ts';
import type { Graph } from '../flow/graph/graph.ts';
import type { SessionState } from '../kernel/state/state.ts';

/** The session's state and the only function that changes it; shared by the parts of its engine. */
export interface Fold {
  /** The graph that folds signals, in the current language. */
  readonly graph: Graph;
  /** Sets the graph that folds later signals. */
  follow(graph: Graph): void;
  readonly state: SessionState;
  /** Returns the local date and time of the session for `at`, in epoch milliseconds. */
  civil(at: number): string;
  /**
   * Folds a signal into the session. `joins`: part of the next signal's transaction. `others`: effects unknown to the
   * kernel that are stored with it. `call`: the call to make if the caller is cut off before they hear the result.
   */
  dispatch(
    signal: Signal,
    inputKeys?: readonly string[],
    joins?: boolean,
    others?: readonly Effect[],
    call?: InboxEntry | null,
  ): readonly FlowFact[];
}
