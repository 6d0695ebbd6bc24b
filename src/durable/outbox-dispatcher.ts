import type { SharedEffectKind } from '../events/effect.ts';
import type { OutboxDispatcher, Store } from '../ports/store.ts';
import type { Clock } from '../ports/time.ts';
import { intentOfEffect } from './effect-views.ts';

/** How long a claimed intent is left to whoever claimed it, in milliseconds. */
const claimMs = 30_000;

/**
 * An outbox dispatcher as a view of the effects of one kind. What was claimed and neither sent nor failed is claimed
 * again after a while, under the same id: delivery is at least once, with the id as its idempotency key. Throws
 * nothing; its methods throw what the store throws.
 *
 * @example
 * const store = await openStore('memory', { clock: systemClock });
 * const outbox = createOutboxDispatcher(store, 'action', systemClock);
 */
export function createOutboxDispatcher(store: Store, kind: SharedEffectKind, clock: Clock): OutboxDispatcher {
  return {
    async claim(limit) {
      const claimed = await store.claimEffects({ kind, ttlMs: claimMs, limit });
      return claimed.map(intentOfEffect);
    },
    markSent: (intentId) => store.holdEffect(intentId, null),
    markFailed: (intentId, _reason, retryAt) => store.holdEffect(intentId, retryAt?.getTime() ?? clock.now() + claimMs),
  };
}
