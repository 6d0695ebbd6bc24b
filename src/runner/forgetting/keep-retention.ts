import { FlowError } from '../../model/errors.ts';
import type { Store } from '../../model/ports/store.ts';
import type { Clock, Ids } from '../../model/ports/time.ts';
import { eraseSession } from './erase-session.ts';
import { oldSessions } from './old-sessions.ts';

export interface RetentionParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  /** How long sessions are kept after their last step, in milliseconds; undefined keeps them. */
  readonly keptMs: number | undefined;
}

/** How often to look, and how soon again if there were more, in milliseconds. */
const lookEveryMs = 3_600_000;
const moreMs = 60_000;
/** How many sessions one look deletes. */
const atOnce = 50;

/** Creates the function that deletes sessions at the end of their retention, at most once an hour, with audit records. */
export function createRetention({ store, clock, ids, keptMs }: RetentionParts): () => Promise<void> {
  let nextLookAt = -Infinity;
  return async () => {
    if (keptMs === undefined || clock.now() < nextLookAt) return;
    nextLookAt = clock.now() + lookEveryMs;
    const { forgettable } = await oldSessions({ store, clock }, clock.now() - keptMs, atOnce);
    for (const sessionId of forgettable) {
      const deleted = await eraseSession(store, ids, sessionId).catch((error: unknown) => {
        // Its caller has come back meanwhile.
        if (error instanceof FlowError && error.code === 'session-taken') return null;
        throw error;
      });
      if (deleted === null) continue;
      const record = { actor: null, action: 'session:forget', outcome: 'allowed', sessionId: null } as const;
      await store.inbox.post([], [{ ...record, details: { by: 'retention' } }]);
    }
    if (forgettable.length >= atOnce) nextLookAt = clock.now() + moreMs;
  };
}
