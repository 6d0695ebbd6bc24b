import { type Effect, effectKinds } from '../../model/effect.ts';
import { type Draft, isConfirmation, turnOf } from '../state/draft.ts';
import type { SessionState } from '../state/state.ts';

/** Checks whether speech is pending for a caller who was absent or has not heard it. Throws nothing. */
export function hasUnheard(state: SessionState): boolean {
  const { unattended: since, speaking } = state.people;
  if (since === null) return false;
  if (speaking !== null) return true;
  return Object.values(state.effects).some((one) => isPendingSpeech(one) && turnOf(one.key, state) >= since);
}

/** Marks speech as pending until the caller has heard it. */
export function markPending(draft: Draft): void {
  draft.state.people.unattended ??= draft.state.turn.number;
}

/** Records that the speech of a key was heard. Null: the caller speaks, so no speech is pending. */
export function noteHeard(draft: Draft, key: string | null): void {
  const { state } = draft;
  if (state.people.unattended === null) return;
  if (key === null || state.people.speaking === key) state.people.speaking = null;
  if (key === null || !hasUnheard(state)) state.people.unattended = null;
}

/** Checks whether an effect conveys content, unlike a filler. */
export function isPendingSpeech(effect: Effect): boolean {
  return isHeard(effect) && !(effect.kind === 'say' && effect.payload.reason === 'aside');
}

/** Checks whether the caller hears an effect. */
export function isHeard(effect: Effect): boolean {
  const { needsListener } = effectKinds[effect.kind];
  return needsListener === 'question' ? isConfirmation(effect) : needsListener;
}

/** Checks whether an effect is a line or a reply of the model. */
export function isSpeech(effect: Effect): boolean {
  return effectKinds[effect.kind].speaks;
}
