import type { Effect, EffectKey } from '../../model/effect.ts';
import type { Lease, OpenEffect, SessionSnapshot, StepCommit } from '../../model/ports/store.ts';
import type { EffectRow } from '../sql/commit-texts.ts';
import { toJsonText } from '../json-text.ts';
import { leaseSlackMs } from '../lease-slack.ts';

/** An effect that other processes may perform or resolve. */
export interface OpenRow extends EffectRow {
  notBefore: number;
  failed: { readonly times: number; readonly reason: string } | null;
}

/** The data of one session in a memory store. */
export interface Session {
  lease: Lease | null;
  /** Length of the lease in milliseconds. */
  leaseMs: number;
  /** The last token, which outlives the lease. */
  token: number;
  /** The highest token of sessions deleted before it; 0 if there were none. */
  readonly bornAfter: number;
  kept:
    | (Pick<SessionSnapshot, 'stateVersion' | 'graphHash'> & { readonly state: string; readonly updatedAt: number })
    | null;
  /** The signal of seq n is at index n - 1. */
  readonly log: string[];
  readonly effects: Map<EffectKey, string>;
  /** Effects that other processes may perform or resolve. */
  readonly open: Map<EffectKey, OpenRow>;
  readonly events: string[];
  /** The sequence of the log after the commit of each event. */
  readonly eventSeqs: number[];
  /** Later events, per commit. They are built only when read. */
  readonly unmadeEvents: StepCommit['events'][];
  /** The sequence of the log after each of these commits. */
  readonly unmadeSeqs: number[];
  readonly inputs: string[];
}

/** Limit of commits with unbuilt events: building is saved as long as possible, but unbuilt events take many objects. */
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

/** Checks whether a lease is valid. A lease that lasts longer than its length from now comes from a wrong clock. */
export function isOwned(session: Session | undefined, now: number): boolean {
  if (session === undefined || session.lease === null) return false;
  const { expiresAt } = session.lease;
  return expiresAt > now && expiresAt <= now + session.leaseMs + leaseSlackMs;
}

function eventTexts(make: StepCommit['events']): readonly string[] {
  return make().map((event) => toJsonText(event, 'an event'));
}

/** Stores the events of a commit that moved the log to `seq`. */
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

/** Returns the events of commits that moved the log to `fromSeq` or later, as texts. */
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
