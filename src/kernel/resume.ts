import type { Effect } from '../events/effect.ts';
import { answer } from './answer.ts';
import { beginTurn, type Draft, intend, openOfKind, settle } from './draft.ts';
import { nodeOf } from './offers.ts';
import { recapLine } from './trouble.ts';

/**
 * A new process goes on where the old one stopped. What was being spoken is not said again word for word; writes and
 * other effects that did not settle are asked for again under the same key; the open question is asked anew.
 */
export function resume(draft: Draft): void {
  const { graph, state } = draft;
  beginTurn(draft);
  for (const effect of Object.values(state.effects)) {
    if (isSpeech(effect)) settle(draft, effect, 'unknown');
  }
  if (state.status === 'active') intend(draft, { kind: 'say', payload: { text: recapLine, reason: 'recap' } });
  const unsettled = Object.values(state.effects).filter((effect) => !draft.effects.includes(effect));
  for (const effect of unsettled) if (effect.kind !== 'wait') draft.effects.push(effect);
  if (state.status !== 'active') return;
  const wait = openOfKind(state, 'wait');
  if (wait !== undefined) {
    intend(draft, { kind: 'say', payload: { text: wait.payload.say, reason: 'recap' } });
    return;
  }
  // A tool or a task under way decides what is said next.
  const working = openOfKind(state, 'tool') !== undefined || openOfKind(state, 'task') !== undefined;
  const node = nodeOf(graph, state, state.node);
  if (!working && node !== null) answer(draft, node, 'return');
}

function isSpeech(effect: Effect): boolean {
  return effect.kind === 'say' || effect.kind === 'reply';
}
