import type { InboxEntry } from '../model/inbox.ts';
import type { Store } from '../model/ports/store.ts';
import type { Clock } from '../model/ports/time.ts';

/** How long after its posting a guard is due, in milliseconds: most work has ended, and little time is lost after a crash. */
const guardMs = 5_000;

/**
 * Takes an entry of a session under a guard, an entry that is posted before and withdrawn after the work; an open
 * session ignores it. If this process dies, the process that takes the guard opens the session and continues from the
 * last commit. The guard also stays if the work throws after the entry was consumed. Throws what the work throws.
 */
export async function guarded<Result>(
  { store, clock }: { readonly store: Store; readonly clock: Clock },
  entry: InboxEntry,
  reach: 'wait' | 'message',
  work: () => Promise<Result>,
): Promise<Result> {
  const isGuard = entry.signal.type === 'session:left';
  const guard = guardOf({ key: entry.key, sessionId: entry.sessionId, reach }, clock.now());
  const key = isGuard ? entry.key : guard.key;
  if (!isGuard) await store.inbox.post([guard]);
  try {
    const result = await work();
    await store.inbox.withdraw(key);
    return result;
  } catch (error) {
    // If the entry was not consumed, it is retried by itself.
    if (!isGuard && !(await store.inbox.isConsumed(entry.key))) await store.inbox.withdraw(key);
    throw error;
  }
}

/** Creates the guard for the work of `key`, posted at `now`. */
export function guardOf(
  { key, sessionId, reach }: Pick<InboxEntry, 'key' | 'sessionId' | 'reach'>,
  now: number,
): InboxEntry {
  const rest = { signal: { type: 'session:left' }, correlation: {}, actor: null } as const;
  return { key: `left/${key}`, sessionId, dueAt: now + guardMs, reach, ...rest };
}
