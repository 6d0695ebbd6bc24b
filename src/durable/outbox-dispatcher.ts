import type { EffectKey, SharedEffectKind } from '../events/effect.ts';
import type { OutsideSignal } from '../events/inbox.ts';
import type { OutboxDispatcher, Store } from '../ports/store.ts';
import type { Clock } from '../ports/time.ts';
import { intentOfEffect } from './effect-views.ts';

/** How long a claimed intent is left to whoever claimed it, in milliseconds. */
const claimMs = 30_000;

/** More open intents than one store is asked about at once. */
const allIntents = 100_000;

/**
 * An outbox dispatcher as a view of the effects of one kind. What was claimed and neither sent nor failed is claimed
 * again after a while, under the same id: delivery is at least once, with the id as its idempotency key. What became of
 * an intent is posted to its session, which settles the effect: sent, with the metadata as result, or failed for good,
 * where no time to try again is given. Of sessions that somebody owns only messages are claimed. Throws nothing; its
 * methods throw what the store throws.
 *
 * @example
 * const store = await openStore('memory', { clock: systemClock });
 * const outbox = createOutboxDispatcher(store, 'message', systemClock);
 */
export function createOutboxDispatcher(store: Store, kind: SharedEffectKind, clock: Clock): OutboxDispatcher {
  /** The sessions of what was claimed here. */
  const sessions = new Map<EffectKey, string>();
  const sessionOf = async (intentId: EffectKey): Promise<string | undefined> => {
    const known = sessions.get(intentId);
    if (known !== undefined) return known;
    const open = await store.openEffects({ kind, limit: allIntents });
    return open.find(({ effect }) => effect.key === intentId)?.sessionId;
  };
  const settle = async (intentId: EffectKey, outcome: Outcome): Promise<void> => {
    const sessionId = await sessionOf(intentId);
    if (sessionId === undefined) return;
    const signal = { type: 'effect:settled', key: intentId, ...outcome } as const;
    const rest = { reach: 'wait', correlation: {}, actor: null } as const;
    await store.post([{ key: `${intentId}/settled`, sessionId, dueAt: clock.now(), signal, ...rest }]);
    // A crash before this has it claimed again, and the second outcome is a duplicate.
    await store.holdEffects([{ sessionId, key: intentId }], null);
    sessions.delete(intentId);
  };
  const putOff = async (intentId: EffectKey, retryAt: Date, reason: string): Promise<void> => {
    const sessionId = await sessionOf(intentId);
    if (sessionId !== undefined) await store.holdEffects([{ sessionId, key: intentId }], retryAt.getTime(), reason);
  };
  return {
    async claim(limit) {
      const claimed = await store.claimEffects({ kind, ttlMs: claimMs, limit });
      for (const { sessionId, effect } of claimed) sessions.set(effect.key, sessionId);
      return claimed.map(intentOfEffect);
    },
    markSent: (intentId, metadata) =>
      settle(intentId, { state: 'done', ...(metadata === undefined ? {} : { result: metadata }) }),
    markFailed: (intentId, reason, retryAt) =>
      retryAt === undefined ? settle(intentId, { state: 'failed', error: reason }) : putOff(intentId, retryAt, reason),
  };
}

type Outcome = Pick<Extract<OutsideSignal, { type: 'effect:settled' }>, 'state' | 'result' | 'error'>;
