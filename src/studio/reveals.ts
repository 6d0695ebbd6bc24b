import { randomBytes } from 'node:crypto';
import type { Actor } from '../people/authority.ts';

/** Temporary keys that reveal the personal values of sessions. */
export interface Reveals {
  /** Checks whether a key is valid for this session. */
  holds(key: string, sessionId: string): boolean;
  /** Creates a key and records it. Throws a 403 if the actor may not. */
  grant(actor: Actor, sessionId: string, reason: string | null): Promise<string>;
}

/** How long a key is valid, in milliseconds. */
const holdsMs = 3_600_000;

/** Creates the keys in memory. `record` writes the audit record, or throws if the actor may not. */
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
