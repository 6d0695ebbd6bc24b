import type { InboxEntry } from '../events/inbox.ts';
import type { Store } from '../ports/store.ts';
import type { Clock } from '../ports/time.ts';

/** How long after its posting a guard is due, in milliseconds: most work is over by then, and little is lost after a crash. */
const guardMs = 5_000;

/**
 * Takes an entry of a session under a guard: an entry that is posted before and withdrawn after the work, and that a
 * session which is open leaves alone. If this process dies in the middle, whoever takes the guard opens the session and
 * goes on with what was committed. Where the work throws after the entry was consumed, the guard stays for the same
 * reason. Throws what the work throws.
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
  if (!isGuard) await store.post([guard]);
  try {
    const result = await work();
    await store.withdraw(key);
    return result;
  } catch (error) {
    // What was not taken is tried again by its own entry.
    if (!isGuard && !(await store.wasConsumed(entry.key))) await store.withdraw(key);
    throw error;
  }
}

/** The guard of work that `key` names, posted at `now`. */
export function guardOf(
  { key, sessionId, reach }: Pick<InboxEntry, 'key' | 'sessionId' | 'reach'>,
  now: number,
): InboxEntry {
  const rest = { signal: { type: 'session:left' }, correlation: {}, actor: null } as const;
  return { key: `left/${key}`, sessionId, dueAt: now + guardMs, reach, ...rest };
}
