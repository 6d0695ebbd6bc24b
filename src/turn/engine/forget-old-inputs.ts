import type { Store } from '../../ports/store.ts';
import type { Clock } from '../../ports/time.ts';

/** How long an input is known that comes again: carriers and queues repeat for hours or days, not for a month. */
const inputsKeptMs = 30 * 24 * 3_600_000;

/** How long after old inputs were forgotten they are looked for again, in milliseconds. */
const againMs = 60_000;

const forgottenAt = new WeakMap<Store, number>();

/** Forgets old inputs where a session ends, once in a while; where the store fails, one that ends later does it. */
export async function forgetOldInputs(store: Store, clock: Clock): Promise<void> {
  const now = clock.now();
  if (Math.abs(now - (forgottenAt.get(store) ?? -Infinity)) < againMs) return;
  forgottenAt.set(store, now);
  await store.forgetInputs(now - inputsKeptMs).catch(() => forgottenAt.delete(store));
}
