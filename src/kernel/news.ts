import type { Effect } from '../events/effect.ts';
import { type Draft, isConfirmation, turnOf } from './draft.ts';
import type { SessionState } from './state.ts';

/** Whether something is left to be said to a caller who was not there when it came, or has not heard it. Throws nothing. */
export function hasUnheard(state: SessionState): boolean {
  const { unattended: since, speaking } = state;
  if (since === null) return false;
  if (speaking !== null) return true;
  return Object.values(state.effects).some((one) => isNews(one) && turnOf(one.key, state) >= since);
}

/** News has come for the caller: it is news until they have heard it. */
export function noteNews(draft: Draft): void {
  draft.state.unattended ??= draft.state.turn;
}

/** Something was heard of the speech under a key; with null the caller speaks, and waits for nothing that was told. */
export function noteHeard(draft: Draft, key: string | null): void {
  const { state } = draft;
  if (state.unattended === null) return;
  if (key === null || state.speaking === key) state.speaking = null;
  if (key === null || !hasUnheard(state)) state.unattended = null;
}

/** Whether it tells something, and does not only bridge a gap. */
export function isNews(effect: Effect): boolean {
  return isHeard(effect) && !(effect.kind === 'say' && effect.payload.reason === 'aside');
}

/** Whether somebody is to hear it. */
export function isHeard(effect: Effect): boolean {
  return isSpeech(effect) || (effect.kind === 'wait' && isConfirmation(effect));
}

/** Whether it is a line, or a reply of the model. */
export function isSpeech(effect: Effect): boolean {
  return effect.kind === 'say' || effect.kind === 'reply';
}
