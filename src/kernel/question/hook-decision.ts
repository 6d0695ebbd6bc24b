import { type EffectKey, effectKinds } from '../../model/effect.ts';
import type { ResponseDecided, TurnPolicy } from '../../model/signals/signal.ts';
import { askNext, reply } from '../answer.ts';
import {
  changeEffect,
  type Draft,
  isConfirmation,
  keyStart,
  noteUnheard,
  openEffect,
  settle,
  emit,
} from '../state/draft.ts';
import { followPolicy } from '../move/follow-policy.ts';
import { askAgain } from './ladder.ts';
import { nodeOf } from '../move/offers.ts';
import { heardConfirmation, openConfirmation } from '../wait/waits.ts';

/**
 * Applies a hook's decision to cancel or replace speech. A question that is not spoken is not open: no yes and no other
 * words answer it.
 */
export function decideResponse(
  draft: Draft,
  { key, action, keepsQuestion, policy, policyReason }: ResponseDecided,
): void {
  if (policy !== undefined) return decideInference(draft, key, policy);
  const why = policyReason === undefined ? {} : { policyReason };
  emit(draft, { type: 'response:decided', data: { key, action, ...why } });
  if (keepsQuestion === true) return;
  const { state } = draft;
  const effect = openEffect(state, key);
  // A slot's question: the caller's next words are not read as its value.
  if (effect?.kind === 'say' && effect.payload.reason === 'ask') state.dialogue.pendingAskKey = null;
  if (effect !== undefined && isConfirmation(effect)) changeEffect(draft, { ...effect, state: 'started' });
  noteUnheard(draft, key);
}

/** Applies a hook's decision about an inference before the model was asked: the inference is dropped. */
function decideInference(draft: Draft, key: EffectKey, policy: TurnPolicy): void {
  const effect = openEffect(draft.state, key);
  if (effect?.kind !== 'reply') return;
  settle(draft, effect, 'cancelled');
  followPolicy(draft, policy);
}

/**
 * Answers again after speech that was cut off before its first word and whose effect is settled. If it belongs to this
 * turn and nothing else is coming, the node asks or replies again, so the caller does not wait in silence.
 */
export function answerAnew(draft: Draft, key: EffectKey): void {
  const { graph, state } = draft;
  const node = nodeOf(graph, state, state.position.node);
  const isOfThisTurn = key.startsWith(keyStart(state));
  // Words that were not heard may be said again.
  state.dialogue.talk = { visit: 0, text: '' };
  if (state.status !== 'active' || !isOfThisTurn || node === null || node.task !== null) return;
  // A generator repeats its own unheard questions.
  if (state.position.generator !== null) return;
  if (Object.values(state.effects).some(({ kind }) => effectKinds[kind].answers)) return;
  // The answer to an aside was not heard: the open question is repeated.
  if (openConfirmation(draft) !== undefined) {
    if (heardConfirmation(draft) !== undefined) askAgain(draft, node, 'aside');
    return;
  }
  // A node entered meanwhile may wait in silence.
  if (!node.respondImmediately && state.turn.transitions > 0) return;
  if (node.collect.length > 0) askNext(draft, node, 'return');
  else reply(draft, node, 'return');
}
