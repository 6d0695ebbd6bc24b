import type { InboxStore } from '../ports/inbox.ts';
import type { InboxEntryShown } from './protocol/session-shown.ts';

/** More entries of one session are not shown. */
const mostEntries = 100;

/** What was posted to a session and is not taken yet, and what nobody could take: what it is and when, without what it holds. */
export async function inboxOf(
  store: Pick<InboxStore, 'listEntries'>,
  sessionId: string,
): Promise<readonly InboxEntryShown[]> {
  const entries = await store.listEntries({ sessionId, limit: mostEntries });
  return entries.map(({ entry, state, attempts, notBefore, reason }) => ({
    ...{ key: entry.key, signal: entry.signal.type, dueAt: Math.max(entry.dueAt, notBefore), state, attempts, reason },
    actor: entry.actor?.name ?? entry.actor?.id ?? null,
  }));
}
