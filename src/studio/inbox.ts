import type { Store } from '../model/ports/store.ts';
import type { InboxEntryShown } from './protocol/session-shown.ts';

/** Maximum number of shown entries of a session. */
const mostEntries = 100;

/** Returns the open entries and dead letters of a session, without their content. */
export async function inboxOf(store: Pick<Store, 'inbox'>, sessionId: string): Promise<readonly InboxEntryShown[]> {
  const entries = await store.inbox.list({ sessionId, limit: mostEntries });
  return entries.map(({ entry, state, attempts, notBefore, reason }) => ({
    ...{ key: entry.key, signal: entry.signal.type, dueAt: Math.max(entry.dueAt, notBefore), state, attempts, reason },
    actor: entry.actor?.name ?? entry.actor?.id ?? null,
  }));
}
