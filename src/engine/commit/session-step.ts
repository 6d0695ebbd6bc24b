import type { FlowFact } from '../../model/events/event.ts';
import type { Signal } from '../../model/signals/signal.ts';
import type { Graph } from '../../flow/graph/graph.ts';
import type { SessionState } from '../../kernel/state/state.ts';

/** One step of a session. Its trace, its events and all other observers derive from this record. */
export interface SessionStep {
  /** The graph after the step. */
  readonly graph: Graph;
  readonly signal: Signal;
  /** When the step began, in epoch milliseconds. */
  readonly began: number;
  readonly before: SessionState;
  readonly state: SessionState;
  readonly facts: readonly FlowFact[];
  /** Identifies the turn in events. */
  readonly requestId: string;
}
