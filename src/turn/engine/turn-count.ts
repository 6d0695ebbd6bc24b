import type { Correlation } from '../../events/envelope.ts';
import type { FlowFact } from '../../events/event.ts';
import type { SessionState } from '../../kernel/state.ts';
import type { Hub } from '../../ports/hub.ts';

/** Counts steps and inferences of each turn, and publishes them once, when the turn is complete. */
export interface TurnCount {
  /** One step of the session; `requestId` is what its turn is told by. */
  follow(before: SessionState, state: SessionState, facts: readonly FlowFact[], requestId: string): void;
  /** The model was asked for a reply. */
  inferred(): void;
  /** Publishes the counts of the turn under way; a second call does nothing. */
  complete(): void;
}

export function createTurnCount(hub: Hub): TurnCount {
  let about: Partial<Correlation> | null = null;
  let inferences = 0;
  let transitions = 0;
  const complete = (): void => {
    if (about !== null) hub.emit('turn:completed', { inferences, transitions }, about);
    about = null;
  };
  return {
    follow(before, state, facts, requestId) {
      if (state.turn !== before.turn) {
        complete();
        inferences = 0;
        transitions = 0;
      }
      for (const { type } of facts) if (type === 'transition:taken') transitions += 1;
      const { sessionId, flow, node, turn } = state;
      if (state.turn !== before.turn || about !== null)
        about = { sessionId, requestId, flowId: flow.id, nodeId: node, turnId: `${sessionId}/${turn}` };
    },
    inferred: () => void (inferences += 1),
    complete,
  };
}
