import { type Effect, effectKinds } from '../../model/effect.ts';
import { isHeard } from './pending-speech.ts';
import { isPending } from '../call/pending-calls.ts';
import type { SessionState } from '../state/state.ts';

/**
 * Returns the open effects that the session must perform itself: all except waits, messages and calls whose outcome
 * comes later. A session can be released for good only if there are none. A parked session owes nothing until a person
 * intervenes.
 */
export function unperformedEffects({ status, effects }: Pick<SessionState, 'status' | 'effects'>): readonly Effect[] {
  return status === 'parked' ? [] : Object.values(effects).filter(isOwn);
}

/**
 * Returns the open effects that are performed without a listener. Speech, and effects that must follow it, stay for the
 * caller.
 */
export function owedSilently(open: readonly Effect[]): readonly Effect[] {
  const isUnheard = open.some(isHeard);
  return open.filter((one) => isOwn(one) && !isHeard(one) && !(isUnheard && isLast(one)));
}

function isOwn(effect: Effect): boolean {
  return effectKinds[effect.kind].performedBy === 'session' && !isPending(effect);
}

/** Checks whether an effect must follow all earlier speech. */
export function isLast(effect: Effect): boolean {
  return (
    effect.kind === 'end' ||
    effect.kind === 'transfer' ||
    ((effect.kind === 'action' || effect.kind === 'keys') && effect.payload.when === 'post')
  );
}
