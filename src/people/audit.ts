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
