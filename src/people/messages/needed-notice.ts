import { FlowError } from '../../model/errors.ts';
import type { Store } from '../../model/ports/store.ts';
import type { Clock } from '../../model/ports/time.ts';
import { isWaiting } from '../../kernel/state/draft.ts';
import type { OutgoingMessage, SendMessage } from './messenger.ts';
import { decidedKey } from '../resolve-wait.ts';
import { endOf, isOpen } from '../waits.ts';

interface Parts {
  readonly store: Pick<Store, 'effects' | 'inbox'>;
  readonly clock: Clock;
}

/**
 * Wraps a sender of notices so that it does not ask for decisions that are no longer needed. If the wait is over or
 * asks another recipient, the notice fails with the final error `wait-over`. If the wait has ended but its session has
 * not processed that yet, it fails with `message-early`, and the session cancels it.
 */
export function neededNotice(parts: Parts, send: SendMessage): SendMessage {
  return async (message) => {
    await assertNeeded(parts, message);
    return await send(message);
  };
}

async function assertNeeded({ store, clock }: Parts, { key, sessionId, to, data }: OutgoingMessage): Promise<void> {
  const effects = await store.effects.list(sessionId);
  const notice = effects.find((one) => one.key === key);
  if (notice !== undefined && !isOpen(notice)) throw early();
  const wait = effects.filter(isWaiting).find((one) => one.key === data['key']);
  // A host may send its own notices.
  if (wait === undefined) return;
  if (!isOpen(wait) || wait.payload.to !== to)
    throw new FlowError('wait-over', 'the wait is over; no decision is needed.');
  const isEnding = clock.now() >= endOf({ sessionId, effect: wait });
  if (isEnding || (await store.inbox.isConsumed(decidedKey(wait.key)))) throw early();
}

function early(): FlowError {
  return new FlowError('message-early', 'the session has not processed the end of the wait yet.');
}
