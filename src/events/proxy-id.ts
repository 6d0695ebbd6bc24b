import type { Waiting } from './effect.ts';

/** The id by which words are for a wait that they answer: the wait's own key where it has no other; null for any other wait. */
export function proxyIdOf({ key, payload }: Waiting): string | null {
  return payload.proxyId ?? (payload.wait === 'proxy_input' ? key : null);
}

/** The id of what a session waits for until a time comes: the wait's own key where it has no other; null for any other wait. */
export function scheduleIdOf({ key, payload }: Waiting): string | null {
  return payload.scheduleId ?? (payload.wait === 'scheduler' ? key : null);
}
