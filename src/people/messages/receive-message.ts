import type { ActorRef } from '../../model/inbox.ts';
import { keyPart } from '../../model/key-part.ts';
import { assertFreeId } from '../../model/own-sessions.ts';
import type { Store } from '../../model/ports/store.ts';
import type { Clock } from '../../model/ports/time.ts';

/** A message of a caller from a text channel. */
export interface ReceivedMessage {
  /** The conversation, which may start with this message. */
  readonly sessionId: string;
  /** The message id of the provider. */
  readonly id: string;
  readonly text: string;
  /** The sender of the request; null if it is this process. */
  readonly actor: ActorRef | null;
}

/**
 * Posts a message of a caller as a turn of its conversation. A message that a provider delivers twice is taken once.
 * Throws `session-kind-wrong` for an id of a schedule or campaign.
 */
export async function receiveMessage(
  { store, clock }: { readonly store: Store; readonly clock: Clock },
  { sessionId, id, text, actor }: ReceivedMessage,
): Promise<{ readonly key: string; readonly status: 'posted' | 'duplicate' }> {
  assertFreeId(sessionId);
  const key = keyOfMessage({ sessionId, id });
  const signal = messageSignal({ sessionId, id, text });
  const entry = { key, sessionId, dueAt: clock.now(), signal, reach: 'message', correlation: {}, actor } as const;
  const [status = 'duplicate'] = await store.inbox.post([entry]);
  return { key, status };
}

/** Returns the key of a message's entry. */
export function keyOfMessage({ sessionId, id }: Pick<ReceivedMessage, 'sessionId' | 'id'>): string {
  return `message/${sessionId}/${keyPart(id)}`;
}

/** Returns the signal of a message. */
export function messageSignal({ sessionId, id, text }: Pick<ReceivedMessage, 'sessionId' | 'id' | 'text'>) {
  return { type: 'user:turn', eventId: keyOfMessage({ sessionId, id }), text, via: 'message' } as const;
}
