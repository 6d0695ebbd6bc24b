import { FlowError } from '../model/errors.ts';
import type { EffectKey, SharedEffectKind } from '../model/effect.ts';
import type { OutsideSignal } from '../model/inbox.ts';
import type { OutboxDispatcher, OutboxIntent } from './durable-contracts.ts';
import type { OpenEffect, Store } from '../model/ports/store.ts';
import type { Clock } from '../model/ports/time.ts';
import { intentOfEffect } from './effect-views.ts';
import { type FlatStore, storeOf } from './flat-store.ts';
import { settleHostEffects } from './sql/settle-host-effects.ts';

/** Length of a claim in milliseconds. */
const claimMs = 30_000;

/** Limit of open intents per query. */
const allIntents = 100_000;

/**
 * Creates an outbox dispatcher as a view of the effects of one kind. An intent that is claimed and neither sent nor failed
 * is claimed again later under the same id: delivery is at least once, with the id as idempotency key. The outcome of an
 * intent is posted to its session, which settles the effect (at once over a host's own checkpoint): sent, with the metadata
 * as result, or finally failed if no retry time is given. If a session has an owner, only its messages are claimed. Calls
 * that a flow made are not claimed, because only the process that continues their session can take their results;
 * settling one throws `call-of-session`. An invalid `retryAt` throws `option-invalid`. Waits are answered by
 * `createWaitRegistry`; a dispatcher for them throws `option-invalid`. Its methods also throw the store's errors.
 *
 * @example
 * const store = await openStore('memory');
 * const outbox = createOutboxDispatcher(store, 'message', systemClock);
 */
export function createOutboxDispatcher(
  given: Store | FlatStore,
  kind: Exclude<SharedEffectKind, 'wait'>,
  clock: Clock,
): OutboxDispatcher {
  const store = storeOf(given);
  // JavaScript callers are not checked by the type.
  if ((kind as SharedEffectKind) === 'wait')
    throw new FlowError('option-invalid', 'waits are not sent. Answer them with createWaitRegistry.');
  /** The sessions of intents claimed here. */
  const sessions = new Map<EffectKey, string>();
  const sessionOf = async (intentId: EffectKey): Promise<string | undefined> => {
    const known = sessions.get(intentId);
    if (known !== undefined) return known;
    const open = await store.effects.listOpen({ kind, limit: allIntents });
    const found = open.find(({ effect }) => effect.key === intentId);
    if (found !== undefined && isCallOfFlow(found))
      throw new FlowError(
        'call-of-session',
        `"${intentId}" is a call of the flow in session "${found.sessionId}", whose owner performs it. Register its function there.`,
      );
    return found?.sessionId;
  };
  const settle = async (intentId: EffectKey, outcome: Outcome): Promise<void> => {
    const sessionId = await sessionOf(intentId);
    if (sessionId === undefined) return;
    const signal = { type: 'effect:settled', key: intentId, ...outcome } as const;
    const rest = { reach: 'wait', correlation: {}, actor: null } as const;
    await store.inbox.post([{ key: `${intentId}/settled`, sessionId, dueAt: clock.now(), signal, ...rest }]);
    // A crash before this makes the intent claimable again, and its second outcome is a duplicate.
    await store.effects.update([{ sessionId, key: intentId }], { until: null });
    await settleHostEffects(store, sessionId, `outbox/${intentId}`);
    sessions.delete(intentId);
  };
  const putOff = async (intentId: EffectKey, retryAt: Date, reason: string): Promise<void> => {
    // A store would treat an invalid time as never.
    if (!Number.isFinite(retryAt.getTime()))
      throw new FlowError(
        'option-invalid',
        `retryAt of "${intentId}" is not a valid time. Give a Date, or omit it to stop retrying.`,
      );
    const sessionId = await sessionOf(intentId);
    if (sessionId !== undefined)
      await store.effects.update([{ sessionId, key: intentId }], { until: retryAt.getTime(), reason });
  };
  return {
    async claim(limit) {
      const intents: OutboxIntent[] = [];
      while (intents.length < limit) {
        const claimed = await store.effects.claim({ kind, ttlMs: claimMs, limit: limit - intents.length });
        const calls = claimed.filter(isCallOfFlow);
        // Excludes these calls from later claims.
        await store.effects.update(
          calls.map(({ sessionId, effect: { key } }) => ({ sessionId, key })),
          { until: null },
        );
        const own = claimed.filter((one) => !isCallOfFlow(one));
        for (const { sessionId, effect } of own) sessions.set(effect.key, sessionId);
        intents.push(...own.map(intentOfEffect));
        if (calls.length === 0) break;
      }
      return intents;
    },
    markSent: (intentId, metadata) =>
      settle(intentId, { state: 'done', ...(metadata === undefined ? {} : { result: metadata }) }),
    markFailed: (intentId, reason, retryAt) =>
      retryAt === undefined ? settle(intentId, { state: 'failed', error: reason }) : putOff(intentId, retryAt, reason),
  };
}

/** Checks whether a flow made the call. An intent of a host has no `callId`. */
function isCallOfFlow({ effect }: OpenEffect): boolean {
  return effect.kind === 'tool' && 'callId' in effect.payload;
}

type Outcome = Pick<Extract<OutsideSignal, { type: 'effect:settled' }>, 'state' | 'result' | 'error'>;
