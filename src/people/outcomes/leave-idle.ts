import { waitingIn } from '../../kernel/state/draft.ts';
import { readState } from '../../kernel/state/upgrade.ts';
import type { StoredEntry } from '../../model/ports/inbox.ts';
import type { SessionSnapshot, Store } from '../../model/ports/store.ts';
import type { Clock } from '../../model/ports/time.ts';

export interface IdleParts {
  readonly store: Store;
  readonly clock: Clock;
  /** Whether a turn that the agent scheduled is still due. */
  readonly isScheduled: (sessionId: string) => Promise<boolean>;
}

/** More entries than one session has. */
const looked = 100;

/**
 * Decides about a session that may have been left in the middle. Returns true if it must end now. Otherwise the entry is
 * due later, or withdrawn if the session is over. A session that waits for a person, an event or another entry stays.
 */
export async function isAbandoned(
  { store, clock, isScheduled }: IdleParts,
  { entry }: StoredEntry,
  afterMs: number,
  kept: SessionSnapshot | null,
): Promise<boolean> {
  const state = kept === null ? null : readState(kept.state);
  if (state === null || state.status === 'ended') {
    await store.inbox.withdraw(entry.key);
    return false;
  }
  const [summary] = await store.sessions.list({ limit: 1, id: entry.sessionId });
  const idleUntil = (summary?.updatedAt ?? clock.now()) + afterMs;
  const others = await store.inbox.list({ state: 'open', sessionId: entry.sessionId, limit: looked });
  const isAwaited =
    state.status === 'parked' ||
    waitingIn(state).length > 0 ||
    others.some((one) => one.entry.key !== entry.key) ||
    (await isScheduled(entry.sessionId));
  if (idleUntil <= clock.now() && !isAwaited) return true;
  await store.inbox.defer(entry.key, {
    until: Math.max(idleUntil, clock.now() + (isAwaited ? afterMs : 0)),
    reason: 'in-use',
    isTry: false,
  });
  return false;
}
