import { FlowError } from '../model/errors.ts';
import type { JsonObject } from '../model/json.ts';
import type { NewAuditRecord } from '../model/ports/inbox.ts';
import type { Store } from '../model/ports/store.ts';
import type { Clock } from '../model/ports/time.ts';

/** Limit of records per minute for unknown senders, because anyone can send such requests. */
const strangersPerMinute = 60;

/** Records denied actions. */
export interface AuditBook {
  /** Records an action that was denied to a known actor. */
  denied(record: Denial): Promise<void>;
  /**
   * Records a refused request of an unknown sender, such as a forged link. After 60 per minute they are only counted.
   */
  refused(record: Omit<Denial, 'actor'>): Promise<void>;
}

/** A denied action. `details` holds the reason and no speech. */
export type Denial = Pick<NewAuditRecord, 'actor' | 'action' | 'sessionId' | 'details'>;

/**
 * Records an allowed act and then performs it. A crash can leave a record without an act, but never an act without a
 * record. If the act fails, a second record holds the error code, and the error is thrown.
 */
export async function writtenDown<Result>(
  store: Pick<Store, 'inbox'>,
  record: Omit<NewAuditRecord, 'outcome'>,
  act: () => Promise<Result>,
): Promise<Result> {
  await store.inbox.post([], [{ ...record, outcome: 'allowed' }]);
  try {
    return await act();
  } catch (error) {
    const reason = error instanceof FlowError ? error.code : 'internal';
    // If the store itself failed, the original error is thrown.
    await store.inbox
      .post([], [{ ...record, outcome: 'denied', details: { ...record.details, reason } }])
      .catch(() => undefined);
    throw error;
  }
}

export function createAuditBook({ store, clock }: { readonly store: Store; readonly clock: Clock }): AuditBook {
  let [minute, written, uncounted] = [0, 0, 0];
  const write = async ({ actor, action, sessionId, details }: Denial): Promise<void> => {
    await store.inbox.post([], [{ actor, action, outcome: 'denied', sessionId, details }]);
  };
  return {
    denied: write,
    async refused({ action, sessionId, details }) {
      const now = Math.floor(clock.now() / 60_000);
      if (now !== minute) [minute, written] = [now, 0];
      if (written >= strangersPerMinute) {
        uncounted += 1;
        return;
      }
      written += 1;
      const before: JsonObject = uncounted === 0 ? {} : { unwritten: uncounted };
      uncounted = 0;
      await write({ actor: null, action, sessionId, details: { ...details, ...before } });
    },
  };
}
