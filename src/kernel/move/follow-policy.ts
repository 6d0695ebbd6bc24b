import type { TurnPolicy } from '../../model/signals/signal.ts';
import { endAll } from '../answer.ts';
import { type Draft, intend, emit } from '../state/draft.ts';

/** Applies a policy decision about a turn. The flow's open question stays open. */
export function followPolicy(draft: Draft, policy: TurnPolicy): void {
  const { by, policyReason } = policy;
  const why = policyReason === undefined ? {} : { policyReason };
  const to = policy.action === 'hold' ? policy.to : undefined;
  const decided = to === undefined ? { action: policy.action, by } : { action: 'route' as const, by, to };
  emit(draft, { type: 'turn:decided', data: { ...decided, ...why } });
  if (policy.text !== undefined && policy.text !== '')
    intend(draft, { kind: 'say', payload: { text: policy.text, reason: 'notice' } });
  if (policy.action === 'end') endAll(draft, policy.reason);
}
