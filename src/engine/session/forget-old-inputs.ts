import type { Store } from '../../model/ports/store.ts';
import type { Clock } from '../../model/ports/time.ts';

/** How long input keys are kept to detect duplicates. Carriers and queues redeliver for hours or days, not for a month. */
const inputsKeptMs = 30 * 24 * 3_600_000;

/** Minimum time between two clean-ups, in milliseconds. */
const againMs = 60_000;

const forgottenAt = new WeakMap<Store, number>();

/** Deletes old input keys when a session ends, at most once a minute. If the store fails, a later session retries. */
export async function forgetOldInputs(store: Store, clock: Clock): Promise<void> {
  const now = clock.now();
  if (Math.abs(now - (forgottenAt.get(store) ?? -Infinity)) < againMs) return;
  forgottenAt.set(store, now);
  await store.inbox.forgetConsumed(now - inputsKeptMs).catch(() => forgottenAt.delete(store));
}
