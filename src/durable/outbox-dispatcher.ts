import { FlowError } from '../errors.ts';
import type { EffectKey, SharedEffectKind } from '../events/effect.ts';
import type { OutsideSignal } from '../events/inbox.ts';
import type { OpenEffect, OutboxDispatcher, OutboxIntent, Store } from '../ports/store.ts';
import type { Clock } from '../ports/time.ts';
import { intentOfEffect } from './effect-views.ts';
import { settleOwn } from './settle-own.ts';

/** How long a claimed intent is left to whoever claimed it, in milliseconds. */
const claimMs = 30_000;

/** More open intents than one store is asked about at once. */
const allIntents = 100_000;

/**
 * An outbox dispatcher as a view of the effects of one kind. What was claimed and neither sent nor failed is claimed
 * again after a while, under the same id: delivery is at least once, with the id as its idempotency key. What became of
 * an intent is posted to its session, which settles the effect (over a checkpoint of a host's own at once): sent, with the metadata as result, or failed for good,
 * where no time to try again is given. Of sessions that somebody owns only messages are claimed. The calls that a flow has
 * made are performed by whoever goes on with their session, which alone can take their results: they are not claimed, and
 * settling one throws `call-of-session`; a `retryAt` that is no time throws `option-invalid`. Waits are answered by
 * `createWaitRegistry`: there is no dispatcher of them (`option-invalid`). Its methods throw what the store throws.
 *
 * @example
 * const store = await openStore('memory', { clock: systemClock });
 * const outbox = createOutboxDispatcher(store, 'message', systemClock);
 */
export function createOutboxDispatcher(
  store: Store,
  kind: Exclude<SharedEffectKind, 'wait'>,
  clock: Clock,
): OutboxDispatcher {
  // Of JavaScript, which no type has held back.
  if ((kind as SharedEffectKind) === 'wait')
    throw new FlowError('option-invalid', 'waits are not sent. Answer them by createWaitRegistry.');
  /** The sessions of what was claimed here. */
  const sessions = new Map<EffectKey, string>();
  const sessionOf = async (intentId: EffectKey): Promise<string | undefined> => {
    const known = sessions.get(intentId);
    if (known !== undefined) return known;
    const open = await store.openEffects({ kind, limit: allIntents });
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
    await store.post([{ key: `${intentId}/settled`, sessionId, dueAt: clock.now(), signal, ...rest }]);
    // A crash before this has it claimed again, and the second outcome is a duplicate.
    await store.holdEffects([{ sessionId, key: intentId }], null);
    await settleOwn(store, sessionId, `outbox/${intentId}`);
    sessions.delete(intentId);
  };
  const putOff = async (intentId: EffectKey, retryAt: Date, reason: string): Promise<void> => {
    // A store would keep what is no time as never.
    if (!Number.isFinite(retryAt.getTime()))
      throw new FlowError(
        'option-invalid',
        `retryAt of "${intentId}" is no time. Give a Date, or none to try no more.`,
      );
    const sessionId = await sessionOf(intentId);
    if (sessionId !== undefined) await store.holdEffects([{ sessionId, key: intentId }], retryAt.getTime(), reason);
  };
  return {
    async claim(limit) {
      const intents: OutboxIntent[] = [];
      while (intents.length < limit) {
        const claimed = await store.claimEffects({ kind, ttlMs: claimMs, limit: limit - intents.length });
        const calls = claimed.filter(isCallOfFlow);
        // Nobody is to look at them again here.
        await store.holdEffects(
          calls.map(({ sessionId, effect: { key } }) => ({ sessionId, key })),
          null,
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

/** Whether a flow has made it: what a host has enqueued has no call of a model or node behind it. */
function isCallOfFlow({ effect }: OpenEffect): boolean {
  return effect.kind === 'tool' && 'callId' in effect.payload;
}

type Outcome = Pick<Extract<OutsideSignal, { type: 'effect:settled' }>, 'state' | 'result' | 'error'>;
