import type { ActorRef, InboxEntry, OutsideSignal } from '../events/inbox.ts';
import { keyPart } from '../events/key-part.ts';
import type { Store } from '../ports/store.ts';
import type { Clock } from '../ports/time.ts';

/** Something that a person does in a conversation from outside of it: words in the caller's stead, or a takeover. */
export interface PersonalAct {
  readonly sessionId: string;
  /** Tells it from every other of the session: what is posted twice is taken once. */
  readonly id: string;
  readonly actor: ActorRef;
  readonly action: 'proxy:say' | 'takeover:start' | 'takeover:say' | 'takeover:end';
  readonly signal: OutsideSignal;
  /** Of the wait that the words are for, where they are for one. */
  readonly proxyId?: string | undefined;
}

/** Whether an act was posted before: it is a duplicate then, whatever has become of its session. */
export async function wasPosted(store: Store, act: Pick<PersonalAct, 'sessionId' | 'id' | 'action'>): Promise<boolean> {
  return await store.wasConsumed(onceOf(keyOfAct(act)));
}

function keyOfAct({ sessionId, id, action }: Pick<PersonalAct, 'sessionId' | 'id' | 'action'>): string {
  return `${action}/${sessionId}/${keyPart(id)}`;
}

function onceOf(key: string): string {
  return `once/${key}`;
}

/** Posts it with its audit record, and tells whether it was known before. Of what was said nothing is written down. */
export async function postAct(
  { store, clock }: { readonly store: Store; readonly clock: Clock },
  { sessionId, id, actor, action, signal, proxyId }: PersonalAct,
): Promise<{ readonly key: string; readonly status: 'posted' | 'duplicate' }> {
  const key = keyOfAct({ sessionId, id, action });
  const entry: InboxEntry = {
    ...{ key, sessionId, signal, actor },
    dueAt: clock.now(),
    reach: 'wait',
    correlation: proxyId === undefined ? {} : { proxyId },
  };
  const record = { actor, action, outcome: 'allowed' as const, sessionId, details: { key } };
  // Consumed with it, so that what comes twice is written down once.
  const [status = 'duplicate'] = await store.post([entry], [record], [onceOf(key)]);
  return { key, status };
}
