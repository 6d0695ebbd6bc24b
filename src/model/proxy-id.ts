import type { EffectKey } from './effect.ts';
import type { OutsideWait } from './outside-wait.ts';
import type { EntryCorrelation } from './inbox.ts';

/** The parts of a wait that determine its ids. */
interface WaitWithIds {
  readonly key: EffectKey;
  readonly payload: {
    readonly wait: OutsideWait['wait'];
    readonly proxyId?: string | undefined;
    readonly scheduleId?: string | undefined;
  };
}

/** Returns the id by which words address a wait for words, by default the wait's key; null for other waits. */
export function proxyIdOf({ key, payload }: WaitWithIds): string | null {
  return payload.proxyId ?? (payload.wait === 'proxy_input' ? key : null);
}

/** Returns the id of a wait for a time, by default the wait's key; null for other waits. */
export function scheduleIdOf({ key, payload }: WaitWithIds): string | null {
  return payload.scheduleId ?? (payload.wait === 'scheduler' ? key : null);
}

/** Returns both ids of a wait, as far as it has them. */
export function ownIdsOf(wait: WaitWithIds): Pick<EntryCorrelation, 'proxyId' | 'scheduleId'> {
  const proxyId = proxyIdOf(wait);
  const scheduleId = scheduleIdOf(wait);
  return { ...(proxyId === null ? {} : { proxyId }), ...(scheduleId === null ? {} : { scheduleId }) };
}
