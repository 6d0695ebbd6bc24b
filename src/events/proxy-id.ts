import type { EffectKey, OutsideWait } from './effect.ts';
import type { EntryCorrelation } from './inbox.ts';

/** A wait, as far as its ids go. */
interface WaitWithIds {
  readonly key: EffectKey;
  readonly payload: {
    readonly wait: OutsideWait['wait'];
    readonly proxyId?: string | undefined;
    readonly scheduleId?: string | undefined;
  };
}

/** The id by which words are for a wait that they answer: the wait's own key where it has no other; null for any other wait. */
export function proxyIdOf({ key, payload }: WaitWithIds): string | null {
  return payload.proxyId ?? (payload.wait === 'proxy_input' ? key : null);
}

/** The id of what a session waits for until a time comes: the wait's own key where it has no other; null for any other wait. */
export function scheduleIdOf({ key, payload }: WaitWithIds): string | null {
  return payload.scheduleId ?? (payload.wait === 'scheduler' ? key : null);
}

/** Both ids of a wait, those that it has. */
export function ownIdsOf(wait: WaitWithIds): Pick<EntryCorrelation, 'proxyId' | 'scheduleId'> {
  const proxyId = proxyIdOf(wait);
  const scheduleId = scheduleIdOf(wait);
  return { ...(proxyId === null ? {} : { proxyId }), ...(scheduleId === null ? {} : { scheduleId }) };
}
