import { randomBytes } from 'node:crypto';
import type { Actor } from '../people/authority.ts';

/** Who may see what is personal in which session, for a while. */
export interface Reveals {
  /** Whether a key was given for this session, and has not run out. */
  holds(key: string, sessionId: string): boolean;
  /** Lets somebody see it who may, and writes that down. Throws a 403. */
  grant(actor: Actor, sessionId: string, reason: string | null): Promise<string>;
}

/** How long a key holds, in milliseconds. */
const holdsMs = 3_600_000;

/** Keys live as long as this process. `record` writes down who saw what, or throws where they may not. */
export function createReveals(
  now: () => number,
  record: (actor: Actor, sessionId: string, reason: string | null) => Promise<void>,
): Reveals {
  const granted = new Map<string, { readonly sessionId: string; readonly until: number }>();
  return {
    holds(key, sessionId) {
      const grant = granted.get(key);
      return grant !== undefined && grant.sessionId === sessionId && now() < grant.until;
    },
    async grant(actor, sessionId, reason) {
      await record(actor, sessionId, reason);
      for (const [key, { until }] of granted) if (until <= now()) granted.delete(key);
      const key = randomBytes(24).toString('base64url');
      granted.set(key, { sessionId, until: now() + holdsMs });
      return key;
    },
  };
}
