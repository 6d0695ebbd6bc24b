import type { ActorRef } from '../events/inbox.ts';
import { keyPart } from '../events/key-part.ts';
import { assertFreeId } from '../events/own-sessions.ts';
import type { Store } from '../ports/store.ts';
import type { Clock } from '../ports/time.ts';

/** What a caller has written by a text channel, as the channel's provider hands it on. */
export interface ReceivedMessage {
  /** The conversation; it may be one that begins with this message. */
  readonly sessionId: string;
  /** The message's own id at its provider. */
  readonly id: string;
  readonly text: string;
  /** Who hands it on; null where that is this process. */
  readonly actor: ActorRef | null;
}

/**
 * Posts a message of a caller as a turn of its conversation. What a provider delivers twice is taken once. Throws `session-unfit`
 * for an id of schedules and campaigns.
 */
export async function receiveMessage(
  { store, clock }: { readonly store: Store; readonly clock: Clock },
  { sessionId, id, text, actor }: ReceivedMessage,
): Promise<{ readonly key: string; readonly status: 'posted' | 'duplicate' }> {
  assertFreeId(sessionId);
  const key = keyOfMessage({ sessionId, id });
  const signal = messageSignal({ sessionId, id, text });
  const entry = { key, sessionId, dueAt: clock.now(), signal, reach: 'message', correlation: {}, actor } as const;
  const [status = 'duplicate'] = await store.post([entry]);
  return { key, status };
}

/** The key of a message's entry. */
export function keyOfMessage({ sessionId, id }: Pick<ReceivedMessage, 'sessionId' | 'id'>): string {
  return `message/${sessionId}/${keyPart(id)}`;
}

/** A message as its conversation hears it. */
export function messageSignal({ sessionId, id, text }: Pick<ReceivedMessage, 'sessionId' | 'id' | 'text'>) {
  return { type: 'user:turn', eventId: keyOfMessage({ sessionId, id }), text, via: 'message' } as const;
}
