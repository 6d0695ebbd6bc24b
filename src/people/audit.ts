import { FlowError } from '../errors.ts';
import type { JsonObject } from '../events/json.ts';
import type { NewAuditRecord } from '../ports/inbox.ts';
import type { Store } from '../ports/store.ts';
import type { Clock } from '../ports/time.ts';

/** What is written down of strangers, whose requests anybody can make as many of as they like. */
const strangersPerMinute = 60;

/** Writes down what was denied. */
export interface AuditBook {
  /** What somebody who is known was not let do. */
  denied(record: Denial): Promise<void>;
  /** What was refused to whom nobody knows: a forged link, a foreign host. Past 60 in a minute they are only counted. */
  refused(record: Omit<Denial, 'actor'>): Promise<void>;
}

/** What was denied; `details` hold the reason, and no speech. */
export type Denial = Pick<NewAuditRecord, 'actor' | 'action' | 'sessionId' | 'details'>;

/**
 * Does what somebody was let do, and writes it down before: a crash may leave a record of what was not done, and never an act
 * of which no record tells. What fails is written down with the code of its failure besides, and thrown on.
 */
export async function writtenDown<Result>(
  store: Pick<Store, 'post'>,
  record: Omit<NewAuditRecord, 'outcome'>,
  act: () => Promise<Result>,
): Promise<Result> {
  await store.post([], [{ ...record, outcome: 'allowed' }]);
  try {
    return await act();
  } catch (error) {
    const reason = error instanceof FlowError ? error.code : 'internal';
    // Where the store is what has failed, that is told.
    await store
      .post([], [{ ...record, outcome: 'denied', details: { ...record.details, reason } }])
      .catch(() => undefined);
    throw error;
  }
}

export function createAuditBook({ store, clock }: { readonly store: Store; readonly clock: Clock }): AuditBook {
  let [minute, written, uncounted] = [0, 0, 0];
  const write = async ({ actor, action, sessionId, details }: Denial): Promise<void> => {
    await store.post([], [{ actor, action, outcome: 'denied', sessionId, details }]);
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
