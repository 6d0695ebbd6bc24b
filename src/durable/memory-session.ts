import type { Effect, EffectKey } from '../events/effect.ts';
import type { Lease, OpenEffect, SessionSnapshot, StepCommit } from '../ports/store.ts';
import type { EffectRow } from './commit-texts.ts';
import { toJsonText } from './json-text.ts';
import { leaseSlackMs } from './lease-slack.ts';

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
  /** The highest token of the sessions that were deleted before it; 0 if none was. */
  readonly bornAfter: number;
  kept:
    | (Pick<SessionSnapshot, 'stateVersion' | 'graphHash'> & { readonly state: string; readonly updatedAt: number })
    | null;
  /** The signal of seq n stands at n - 1. */
  readonly log: string[];
  readonly effects: Map<EffectKey, string>;
  /** Those that others may take or answer. */
  readonly open: Map<EffectKey, OpenRow>;
  readonly events: string[];
  /** Where the commit of each of them left the log. */
  readonly eventSeqs: number[];
  /** The events after those, commit by commit: nobody may ever ask for them. */
  readonly unmadeEvents: StepCommit['events'][];
  /** Where each of these commits left the log. */
  readonly unmadeSeqs: number[];
  readonly inputs: string[];
}

/** Of how many commits a session keeps events unmade: until then they cost least, but each is many objects, and a text is none. */
const mostUnmade = 100;

export function newSession(token: number): Session {
  return {
    lease: null,
    leaseMs: 0,
    token,
    bornAfter: token,
    kept: null,
    log: [],
    effects: new Map(),
    open: new Map(),
    events: [],
    eventSeqs: [],
    unmadeEvents: [],
    unmadeSeqs: [],
    inputs: [],
  };
}

/** Whether a lease holds: no clock may have made it last longer than its length from now. */
export function isOwned(session: Session | undefined, now: number): boolean {
  if (session === undefined || session.lease === null) return false;
  const { expiresAt } = session.lease;
  return expiresAt > now && expiresAt <= now + session.leaseMs + leaseSlackMs;
}

function eventTexts(make: StepCommit['events']): readonly string[] {
  return make().map((event) => toJsonText(event, 'an event'));
}

/** Keeps what makes the events of a commit that left the log at `seq`. */
export function keepEvents(
  { events, eventSeqs, unmadeEvents, unmadeSeqs }: Session,
  make: StepCommit['events'],
  seq: number,
): void {
  const [oldest] = unmadeEvents;
  if (oldest !== undefined && unmadeEvents.length >= mostUnmade) {
    const texts = eventTexts(oldest);
    const [at = 0] = unmadeSeqs;
    events.push(...texts);
    eventSeqs.push(...texts.map(() => at));
    unmadeEvents.shift();
    unmadeSeqs.shift();
  }
  unmadeEvents.push(make);
  unmadeSeqs.push(seq);
}

/** The events of the commits that left the log at `fromSeq` or later, as texts. */
export function eventTextsFrom(
  { events, eventSeqs, unmadeEvents, unmadeSeqs }: Session,
  fromSeq: number,
): readonly string[] {
  const made = eventSeqs.findIndex((seq) => seq >= fromSeq);
  const unmade = unmadeSeqs.findIndex((seq) => seq >= fromSeq);
  return [
    ...(made === -1 ? [] : events.slice(made)),
    ...(unmade === -1 ? [] : unmadeEvents.slice(unmade).flatMap(eventTexts)),
  ];
}

export function toOpenEffect({ sessionId, row }: { sessionId: string; row: OpenRow }): OpenEffect {
  const effect = JSON.parse(row.text) as Effect;
  return { sessionId, effect, ...(row.failed === null ? {} : { failed: row.failed }) };
}
