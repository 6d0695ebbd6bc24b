import type { Correlation } from '../../events/envelope.ts';
import type { FlowFact } from '../../events/event.ts';
import type { SessionState } from '../../kernel/state.ts';
import type { Hub } from '../../ports/hub.ts';

/** Counts what each turn of a session takes, and tells it once: when nothing more of it is to come. */
export interface TurnCount {
  /** One step of the session; `requestId` is what its turn is told by. */
  follow(before: SessionState, state: SessionState, facts: readonly FlowFact[], requestId: string): void;
  /** The model was asked for a reply. */
  inferred(): void;
  /** Nothing more of the turn under way is to come; a second time tells nothing. */
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
