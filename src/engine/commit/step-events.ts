import type { Correlation } from '../../model/events/envelope.ts';
import type { Signal } from '../../model/signals/signal.ts';
import { openEffect } from '../../kernel/state/draft.ts';
import type { SessionState } from '../../kernel/state/state.ts';
import type { Hub } from '../../model/ports/hub.ts';
import type { SessionStep } from './session-step.ts';
import { belongsTo, createSharedIds } from './shared-ids.ts';

/**
 * Creates the function that publishes the facts of each step, with the node that was current at the time.
 * Facts with the same ids share one correlation object, because subscribers may keep hundreds of events.
 */
export function createStepEvents(hub: Hub): (step: SessionStep) => void {
  const shared = createSharedIds();
  const aboutOf = ({ signal, state, requestId }: SessionStep, nodeId: string, visit: number): Partial<Correlation> => {
    const { sessionId } = state;
    const { flow } = state.position;
    const turnId = shared.turnId(sessionId, state.turn.number);
    // Own ids come first: an object that begins with shared ids takes more memory.
    const own = signal.type === 'wait:registered' ? signal.about : undefined;
    return shared.like({
      sessionId,
      requestId,
      flowId: flow.id,
      nodeId,
      visit,
      turnId,
      ...belongsTo(state),
      ...own,
    });
  };

  return (step) => {
    const { graph, signal, before, state, facts, requestId } = step;
    const entered = facts.filter((fact) => fact.type === 'node:entered').length;
    let visit = state.position.visit - entered;
    let nodeId = before.position.node;
    let about: Partial<Correlation> | null = null;
    for (const fact of facts) {
      if (fact.type === 'node:entered') {
        visit += 1;
        about = null;
        if (fact.data.cause === 'start') nodeId = graph.initial;
      }
      about ??= aboutOf(step, visit === state.position.visit ? state.position.node : nodeId, visit);
      hub.emit(fact.type, fact.data, about);
      if (fact.type === 'transition:taken') {
        nodeId = fact.data.to;
        about = null;
      }
    }
    const from = failedContext(before, signal);
    if (from !== null)
      hub.emit('context:fallback', from, { sessionId: state.sessionId, requestId, flowId: state.position.flow.id });
  };
}

/** Returns the context change that failed; the model keeps the whole context. */
function failedContext(before: SessionState, signal: Signal): { from: string; reason: string } | null {
  if (signal.type !== 'effect:settled' || signal.state !== 'failed') return null;
  const effect = openEffect(before, signal.key);
  return effect?.kind === 'context' ? { from: effect.payload.strategy, reason: signal.error ?? 'failed' } : null;
}
