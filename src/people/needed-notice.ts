import { FlowError } from '../errors.ts';
import type { Store } from '../ports/store.ts';
import type { Clock } from '../ports/time.ts';
import { isWaiting } from '../kernel/draft.ts';
import type { OutgoingMessage, SendMessage } from './messenger.ts';
import { decidedKey } from './resolve-wait.ts';
import { endOf, isOpen } from './waits.ts';

interface Parts {
  readonly store: Pick<Store, 'loadEffects' | 'wasConsumed'>;
  readonly clock: Clock;
}

/**
 * A sender of notices that asks nobody for what needs no answer any more. Where the wait is over, or asks somebody else,
 * the notice fails as `wait-over`, which is final. Where its end is known and the session has yet to take it, the notice
 * fails as `message-early`: the session gives it up with the wait.
 */
export function neededNotice(parts: Parts, send: SendMessage): SendMessage {
  return async (message) => {
    await assertNeeded(parts, message);
    return await send(message);
  };
}

async function assertNeeded({ store, clock }: Parts, { key, sessionId, to, data }: OutgoingMessage): Promise<void> {
  const effects = await store.loadEffects(sessionId);
  const notice = effects.find((one) => one.key === key);
  if (notice !== undefined && !isOpen(notice)) throw early();
  const wait = effects.filter(isWaiting).find((one) => one.key === data['key']);
  // A host may send notices of its own.
  if (wait === undefined) return;
  if (!isOpen(wait) || wait.payload.to !== to)
    throw new FlowError('wait-over', 'the wait is over: there is nothing left to decide.');
  const isEnding = clock.now() >= endOf({ sessionId, effect: wait });
  if (isEnding || (await store.wasConsumed(decidedKey(wait.key)))) throw early();
}

function early(): FlowError {
  return new FlowError('message-early', 'the session has yet to take that the wait is over.');
}
