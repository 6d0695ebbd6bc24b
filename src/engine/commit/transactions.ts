import { type Effect, effectKinds } from '../../model/effect.ts';
import type { FlowFact } from '../../model/events/event.ts';
import type { Signal } from '../../model/signals/signal.ts';
import { openEffect } from '../../kernel/state/draft.ts';
import type { SessionState } from '../../kernel/state/state.ts';

/**
 * Checks whether a step is a transaction: one per inbound signal, per batch with changes,
 * and per write before it runs. Other steps are committed with the next transaction.
 */
export function isTransaction(
  signal: Signal,
  next: { effects: readonly Effect[]; facts: readonly FlowFact[] },
): boolean {
  switch (signal.type) {
    case 'speech:settled':
      return next.effects.length > 0;
    case 'silence:elapsed':
      // Asides for a waiting caller are not history.
      return (
        !next.effects.every((effect) => effect.kind === 'say' && effect.payload.reason === 'aside') &&
        isHeeded(next.facts)
      );
    case 'effect:settled':
    case 'batch:settled':
      return next.effects.length > 0 || next.facts.some((fact) => !isOnlySettled(fact));
    case 'session:started':
    case 'session:resumed':
    case 'user:turn':
    case 'flow:handed-off':
      // The generator's result follows at once and is part of the same transaction.
      return next.effects.at(-1)?.kind !== 'advance' && isHeeded(next.facts);
    case 'session:ended':
    case 'wait:resolved':
    case 'wait:expired':
    case 'wait:registered':
    case 'run:ended':
    case 'takeover:started':
    case 'takeover:said':
    case 'takeover:heard':
    case 'takeover:ended':
    case 'tool:called':
    case 'reply:routed':
    case 'reply:failed':
    case 'response:decided':
    case 'language:changed':
    case 'node:requested':
    case 'limit:reached':
    case 'flow:swapped':
    case 'flow:called':
    case 'flow:returned':
    case 'generator:yielded':
    case 'generator:failed':
    case 'generator:refused':
    case 'generator:diverged':
    case 'attempt:done':
    case 'attempt:failed':
    case 'tasks:ended':
      return isHeeded(next.facts);
    case 'tasks:reopened':
    case 'tasks:started':
    case 'task:asked':
    case 'task:answered':
    case 'plan:changed':
      // A write is committed by the step that intends it.
      return false;
  }
}

function isHeeded(facts: readonly FlowFact[]): boolean {
  return facts.every((fact) => fact.type !== 'signal:ignored' && fact.type !== 'turn:duplicate');
}

/** Returns the effects that a step settled, as the store keeps them. */
export function settledEffects(before: SessionState, facts: readonly FlowFact[], signal: Signal): readonly Effect[] {
  return facts.flatMap((fact) => {
    const effect = fact.type === 'effect:settled' ? openEffect(before, fact.data.key) : undefined;
    if (effect === undefined || fact.type !== 'effect:settled') return [];
    return [{ ...effect, state: fact.data.state, ...resultOf(effect, signal) }];
  });
}

/** Returns the result that the store keeps with the effect. */
function resultOf({ key, kind }: Effect, signal: Signal): Pick<Effect, 'result'> {
  if (signal.type === 'wait:resolved' && signal.key === key) return { result: signal.resolution };
  if (!effectKinds[kind].keepsOutcome || signal.type !== 'effect:settled' || signal.key !== key) return {};
  const result = signal.state === 'done' ? signal.result : signal.error;
  return result === undefined ? {} : { result };
}

function isOnlySettled({ type }: FlowFact): boolean {
  return type === 'effect:settled' || type === 'flow:ended';
}
