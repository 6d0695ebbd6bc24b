import type { EffectKey, EffectKind } from '../events/effect.ts';
import type { ResponseDecided, TurnPolicy } from '../events/signal.ts';
import { askNext, reply } from './answer.ts';
import { changeEffect, type Draft, isConfirmation, keyStart, openEffect, settle, tell } from './draft.ts';
import { followPolicy } from './follow-policy.ts';
import { changeFrame } from './generator-frame.ts';
import { askAgain } from './ladder.ts';
import { nodeOf } from './offers.ts';
import { heardConfirmation, openConfirmation } from './waits.ts';

/**
 * A hook has taken back what was to be said, or has something else said. A question that nobody hears is not open: no yes
 * answers it, and no words are taken for its answer.
 */
export function decideResponse(
  draft: Draft,
  { key, action, keepsQuestion, policy, policyReason }: ResponseDecided,
): void {
  if (policy !== undefined) return decideInference(draft, key, policy);
  const why = policyReason === undefined ? {} : { policyReason };
  tell(draft, { type: 'response:decided', data: { key, action, ...why } });
  if (keepsQuestion === true) return;
  const { state } = draft;
  const effect = openEffect(state, key);
  const isQuestion = effect !== undefined && isConfirmation(effect);
  const asks = isQuestion || (effect?.kind === 'say' && effect.payload.reason === 'ask');
  const wait = openConfirmation(draft);
  // The question of a slot: what the caller says next is for whoever hears it, and no value by rule.
  if (effect?.kind === 'say' && effect.payload.reason === 'ask') state.pendingAskKey = null;
  if (state.put?.key === key) state.put = null;
  if (asks && wait !== undefined) changeEffect(draft, { ...wait, state: 'cancelled' });
  if (state.generator?.question?.key === key) changeFrame(draft, { question: { key, unheard: true } });
}

/** A hook has decided about an inference before the model was asked: it is not made. */
function decideInference(draft: Draft, key: EffectKey, policy: TurnPolicy): void {
  const effect = openEffect(draft.state, key);
  if (effect?.kind !== 'reply') return;
  settle(draft, effect, 'cancelled');
  followPolicy(draft, policy);
}

/** Effects that answer the caller nothing, now or later. */
const isBeside: ReadonlySet<EffectKind> = new Set(['action', 'context', 'wait', 'message']);

/**
 * What was cut off before its first word, under a key that is settled, was no answer. If it was of this turn and nothing
 * else is to come, the node asks or replies anew, so that the caller does not wait in silence.
 */
export function answerAnew(draft: Draft, key: EffectKey): void {
  const { graph, state } = draft;
  const node = nodeOf(graph, state, state.node);
  const isOfThisTurn = key.startsWith(keyStart(state));
  if (state.status !== 'active' || !isOfThisTurn || node === null || node.task !== null) return;
  // What a generator asked and nobody heard is its own to repeat.
  if (state.generator !== null) return;
  if (Object.values(state.effects).some(({ kind }) => !isBeside.has(kind))) return;
  // Of the answer to something else nothing was heard: the question that is still open is put again.
  if (openConfirmation(draft) !== undefined) {
    if (heardConfirmation(draft) !== undefined) askAgain(draft, node, 'aside');
    return;
  }
  // A node that was entered since may be one that waits in silence.
  if (!node.respondImmediately && state.transitions > 0) return;
  if (node.collect.length > 0) askNext(draft, node, 'return');
  else reply(draft, node, 'return');
}
