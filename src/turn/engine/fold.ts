import type { Effect } from '../../events/effect.ts';
import type { FlowFact } from '../../events/event.ts';
import type { InboxEntry } from '../../events/inbox.ts';
import type { Signal } from '../../events/signal.ts';
import type { Graph } from '../../graph/graph.ts';
import type { SessionState } from '../../kernel/state.ts';

/** Where a session stands, and the one way in which it moves: what the parts of its engine share. */
export interface Fold {
  /** The flow that signals are folded by, in the language that is spoken. */
  readonly graph: Graph;
  /** Signals are folded by another flow from here on. */
  follow(graph: Graph): void;
  readonly state: SessionState;
  /** What a clock on the wall shows where the session is, `at` being epoch milliseconds. */
  civil(at: number): string;
  /**
   * Folds what happened into the session. `joins`: part of the transaction of the signal after it. `others`: effects that are
   * kept with it and that the kernel knows nothing of. `call`: calls the person back who is cut off before they have heard
   * what comes of it.
   */
  dispatch(
    signal: Signal,
    inputKeys?: readonly string[],
    joins?: boolean,
    others?: readonly Effect[],
    call?: InboxEntry | null,
  ): readonly FlowFact[];
}
