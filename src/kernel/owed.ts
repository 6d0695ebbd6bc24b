import type { Effect } from '../events/effect.ts';
import { isHeard } from './news.ts';
import { isPending } from './pending-calls.ts';
import type { SessionState } from './state.ts';

/**
 * The effects that a session has still to perform itself: all that are open except what others answer or do (waits, messages,
 * calls whose outcome comes later). A session may be let go of for good only if there are none. A parked session owes
 * nothing until a person has seen to it.
 */
export function owedIn({ status, effects }: Pick<SessionState, 'status' | 'effects'>): readonly Effect[] {
  return status === 'parked' ? [] : Object.values(effects).filter(isOwn);
}

/** Those of open effects that are performed where nobody listens: speech is left for the caller, and what comes after it. */
export function owedSilently(open: readonly Effect[]): readonly Effect[] {
  const isUnheard = open.some(isHeard);
  return open.filter((one) => isOwn(one) && !isHeard(one) && !(isUnheard && isLast(one)));
}

function isOwn(effect: Effect): boolean {
  return effect.kind !== 'wait' && effect.kind !== 'message' && !isPending(effect);
}

/** Whether an effect comes after all that is said before it. */
export function isLast(effect: Effect): boolean {
  return effect.kind === 'end' || (effect.kind === 'action' && effect.payload.when === 'post');
}
