import type { Waiting } from './effect.ts';

/** The id by which words are for a wait that they answer: the wait's own key where it has no other; null for any other wait. */
export function proxyIdOf({ key, payload }: Waiting): string | null {
  return payload.proxyId ?? (payload.wait === 'proxy_input' ? key : null);
}
