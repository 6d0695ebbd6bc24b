import type { EffectKey } from '../events/effect.ts';
import { askNext, reply } from './answer.ts';
import type { Draft } from './draft.ts';
import { nodeOf } from './offers.ts';

/**
 * What was cut off before its first word, under a key that is settled, was no answer. If it was of this turn and nothing
 * else is to come, the node asks or replies anew, so that the caller does not wait in silence.
 */
export function answerAnew(draft: Draft, key: EffectKey): void {
  const { graph, state } = draft;
  const node = nodeOf(graph, state, state.node);
  const isOfThisTurn = key.startsWith(`${state.sessionId}/${state.turn}/`);
  if (state.status !== 'active' || !isOfThisTurn || node === null || node.task !== null) return;
  // What a generator asked and nobody heard is its own to repeat.
  if (state.generator !== null) return;
  if (Object.values(state.effects).some(({ kind }) => kind !== 'action' && kind !== 'context')) return;
  // A node that was entered since may be one that waits in silence.
  if (!node.respondImmediately && state.transitions > 0) return;
  if (node.collect.length > 0) askNext(draft, node, 'return');
  else reply(draft, node, 'return');
}
