import type { ActorRef, InboxEntry, OutsideSignal } from '../model/inbox.ts';
import { keyPart } from '../model/key-part.ts';
import type { Store } from '../model/ports/store.ts';
import type { Clock } from '../model/ports/time.ts';

/** An act of a person from outside the conversation: words on behalf of the caller, or a takeover. */
export interface PersonalAct {
  readonly sessionId: string;
  /** Unique within the session; a repeated act is taken once. */
  readonly id: string;
  readonly actor: ActorRef;
  readonly action: 'proxy:say' | 'takeover:start' | 'takeover:say' | 'takeover:end';
  readonly signal: OutsideSignal;
  /** The wait that the words answer, if any. */
  readonly proxyId?: string | undefined;
}

/** Checks whether an act was posted before. It is then a duplicate, whatever happened to its session. */
export async function wasPosted(store: Store, act: Pick<PersonalAct, 'sessionId' | 'id' | 'action'>): Promise<boolean> {
  return await store.inbox.isConsumed(onceOf(keyOfAct(act)));
}

function keyOfAct({ sessionId, id, action }: Pick<PersonalAct, 'sessionId' | 'id' | 'action'>): string {
  return `${action}/${sessionId}/${keyPart(id)}`;
}

function onceOf(key: string): string {
  return `once/${key}`;
}

/** Posts an act with its audit record, which holds no words, and returns whether it is a duplicate. */
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
  // Consumed in the same transaction, so that a duplicate is recorded once.
  const [status = 'duplicate'] = await store.inbox.post([entry], [record], [onceOf(key)]);
  return { key, status };
}
