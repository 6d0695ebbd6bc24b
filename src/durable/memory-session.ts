import type { Effect, EffectKey } from '../events/effect.ts';
import type { Lease, OpenEffect, SessionSnapshot, StepCommit } from '../ports/store.ts';
import type { EffectRow } from './commit-texts.ts';
import { toJsonText } from './json-text.ts';

/** An effect that others may take or answer. */
export interface OpenRow extends EffectRow {
  notBefore: number;
  failed: { readonly times: number; readonly reason: string } | null;
}

/** What a memory store keeps of a session. */
export interface Session {
  lease: Lease | null;
  /** For how long the lease was taken, in milliseconds. */
  leaseMs: number;
  /** The last token given; it outlives the lease. */
  token: number;
  kept:
    | (Pick<SessionSnapshot, 'stateVersion' | 'graphHash'> & { readonly state: string; readonly updatedAt: number })
    | null;
  /** The signal of seq n stands at n - 1. */
  readonly log: string[];
  readonly effects: Map<EffectKey, string>;
  /** Those that others may take or answer. */
  readonly open: Map<EffectKey, OpenRow>;
  readonly events: string[];
  /** The events after those, commit by commit: nobody may ever ask for them. */
  readonly unmadeEvents: StepCommit['events'][];
  readonly inputs: string[];
}

/** Of how many commits a session keeps events unmade: until then they cost least, but each is many objects, and a text is none. */
export const mostUnmade = 100;

export function newSession(token: number): Session {
  return {
    lease: null,
    leaseMs: 0,
    token,
    kept: null,
    log: [],
    effects: new Map(),
    open: new Map(),
    events: [],
    unmadeEvents: [],
    inputs: [],
  };
}

/** Whether a lease holds: no clock may have made it last longer than its length from now. */
export function isOwned(session: Session | undefined, now: number): boolean {
  if (session === undefined || session.lease === null) return false;
  const { expiresAt } = session.lease;
  return expiresAt > now && expiresAt <= now + session.leaseMs;
}

export function eventTexts(make: StepCommit['events']): readonly string[] {
  return make().map((event) => toJsonText(event, 'an event'));
}

export function toOpenEffect({ sessionId, row }: { sessionId: string; row: OpenRow }): OpenEffect {
  const effect = JSON.parse(row.text) as Effect;
  return { sessionId, effect, ...(row.failed === null ? {} : { failed: row.failed }) };
}
