import type { InboxEntry } from '../../model/inbox.ts';
import type { CivilTime } from '../../model/ports/time.ts';
import { campaignIds } from '../../model/own-sessions.ts';
import type { Folded } from '../keep-state.ts';
import { afterQuiet } from '../schedules/quiet-hours.ts';
import type { CallResult } from '../calls/call-result.ts';
import type { CampaignRules, Recipient } from './campaign.ts';

/** The start of a round, by a person or a tick of a schedule. Epoch milliseconds. */
export interface Round {
  readonly tick: number;
  readonly scheduleId: string | null;
}

/** The stored state of a campaign between two pages. */
export interface CampaignState {
  readonly kind: 'campaign';
  readonly version: 1;
  readonly id: string;
  /** `failed`: reading the segment failed repeatedly; `resume` continues. */
  readonly status: 'running' | 'stopped' | 'failed' | 'done';
  readonly round: Round;
  /** The round that starts after this one; null if none is waiting. */
  readonly nextRound: Round | null;
  /** The position of the next page; null for the first page. */
  readonly cursor: string | null;
  /** Recipients of this round that were posted, and recipients that were skipped. */
  readonly posted: number;
  readonly passedOver: number;
  /** Number of call results in this round by kind; absent if there are none. */
  readonly calls?: Readonly<Record<string, number>>;
  /** Epoch milliseconds: earliest time of the next recipient at the configured pace. */
  readonly freeAt: number;
  /** Queues at the ends of quiet hours: `from` is the end of the hours, `to` the next free time. Epoch milliseconds. */
  readonly held: readonly { readonly from: number; readonly to: number }[];
  /** Running sessions, if `atOnce` limits them. */
  readonly underWay: readonly UnderWay[];
  /** Consecutive failures to read the segment, and the last reason. */
  readonly attempts: number;
  readonly failure: string | null;
  /** Counter of page entries, part of their keys. */
  readonly serial: number;
}

/** A recipient's running session; `since` is its due time in epoch milliseconds. */
export interface UnderWay {
  readonly sessionId: string;
  readonly since: number;
}

/** Recipients read from a segment in order, whether they are the last ones, and the reason if reading failed. */
export interface Page {
  readonly recipients: readonly Recipient[];
  readonly isLast: boolean;
  readonly failure: string | null;
}

/** Failed reads before the campaign stops as `failed`, and the maximum delay between two reads. */
const mostAttempts = 12;
const longestWaitMs = 300_000;
/** The assumed length of a call. Divided by `atOnce`, it spaces recipients that wait for the end of quiet hours. */
const usualCallMs = 60_000;
/** Interval at which running sessions are checked while no place is free. */
const checkMs = 2_000;

/** Returns the id of a campaign's session. */
export function campaignSession(id: string): string {
  return `${campaignIds}${id}`;
}

/** Returns the key of the entry for the next page; null if the campaign is not running. */
export function pageKey({ id, status, serial }: CampaignState): string | null {
  return status === 'running' ? `campaign/${id}/page/${serial}` : null;
}

/**
 * Starts a round. If a round is running, the new one waits for its end; of several waiting rounds only the latest is
 * kept.
 */
export function startRound(
  id: string,
  before: CampaignState | null,
  round: Round,
  now: number,
): Folded<CampaignState> | null {
  if (before !== null && before.status !== 'done') {
    const isKnown = round.tick <= (before.nextRound ?? before.round).tick;
    return isKnown ? null : { state: { ...before, nextRound: round }, posts: [], withdraws: [] };
  }
  if (before !== null && round.tick <= before.round.tick) return null;
  const state: CampaignState = {
    ...{ kind: 'campaign', version: 1, id, status: 'running', round, nextRound: null, cursor: null },
    ...{ posted: 0, passedOver: 0, freeAt: now, held: [], underWay: [], attempts: 0, failure: null },
    serial: before?.serial ?? 0,
  };
  return awaiting(state, now);
}

/**
 * Stops reading pages. Recipients already posted are not contacted until the campaign is resumed. This also applies to
 * a campaign that has read all pages and still has waiting recipients.
 */
export function stopCampaign(before: CampaignState | null): Folded<CampaignState> | null {
  if (before === null || before.status === 'stopped') return null;
  const open = pageKey(before);
  return { state: { ...before, status: 'stopped' }, posts: [], withdraws: open === null ? [] : [open] };
}

/** Resumes a stopped or failed campaign. */
export function resumeCampaign(before: CampaignState | null, now: number): Folded<CampaignState> | null {
  if (before?.status !== 'stopped' && before?.status !== 'failed') return null;
  return awaiting({ ...before, status: 'running', attempts: 0, failure: null, freeAt: now, held: [] }, now);
}

/** Returns how many recipients the next page may have. `over` holds the sessions that are no longer running. */
export function roomFor(state: CampaignState, rules: CampaignRules, over: ReadonlySet<string>): number {
  if (rules.atOnce === null) return rules.pageSize;
  return Math.min(rules.pageSize, rules.atOnce - stillUnderWay(state, over).length);
}

/** Checks whether a due recipient already has a place. Postponed and repeated contacts do not have one at first. */
export function hasPlace(
  state: CampaignState,
  rules: CampaignRules,
  sessionId: string,
  over: ReadonlySet<string>,
): boolean {
  return rules.atOnce === null || stillUnderWay(state, over).some((one) => one.sessionId === sessionId);
}

/** Gives a recipient a place; null if it already has one or none is free. */
export function takePlace(
  before: CampaignState | null,
  rules: CampaignRules,
  sessionId: string,
  over: ReadonlySet<string>,
  now: number,
): Folded<CampaignState> | null {
  if (before === null || hasPlace(before, rules, sessionId, over) || roomFor(before, rules, over) < 1) return null;
  const underWay = [...stillUnderWay(before, over), { sessionId, since: now }];
  return { state: { ...before, underWay }, posts: [], withdraws: [] };
}

function stillUnderWay({ underWay }: CampaignState, over: ReadonlySet<string>): readonly UnderWay[] {
  return underWay.filter(({ sessionId }) => !over.has(sessionId));
}

/**
 * Posts the recipients of a page at the configured pace and outside quiet hours, and the entry of the next page. Pure.
 * After a failed read the next page continues behind the last recipient.
 */
export function foldPage(
  before: CampaignState,
  rules: CampaignRules,
  page: Page,
  over: ReadonlySet<string>,
  now: number,
  civil: CivilTime,
): Folded<CampaignState> {
  let { freeAt } = before;
  const held = new Map(before.held.filter(({ to }) => to > now).map(({ from, to }) => [from, to]));
  const gapMs = rules.perSecond === null ? 0 : 1_000 / rules.perSecond;
  const heldGapMs = Math.max(gapMs, rules.atOnce === null ? 0 : usualCallMs / rules.atOnce);
  const begun: UnderWay[] = [];
  const posts = page.recipients.map((recipient) => {
    let dueAt = Math.max(now, freeAt);
    for (const [from, to] of held) if (from <= dueAt && dueAt < to) dueAt = to;
    const awake = afterQuiet(rules.quiet, dueAt, recipient.zone ?? rules.zone, civil);
    const isHeld = awake !== dueAt;
    if (!isHeld) freeAt = dueAt + gapMs;
    else {
      // Recipients that wait for the end of the same quiet hours are spaced too.
      dueAt = held.get(awake) ?? awake;
      held.set(awake, dueAt + heldGapMs);
    }
    const entry = recipientEntry(before, rules, recipient, Math.ceil(dueAt));
    // A postponed recipient does not take a place yet.
    if (!isHeld && rules.atOnce !== null) begun.push({ sessionId: entry.sessionId, since: entry.dueAt });
    return entry;
  });
  const state: CampaignState = {
    ...before,
    cursor: page.recipients.at(-1)?.cursor ?? before.cursor,
    posted: before.posted + posts.length,
    freeAt,
    held: [...held].map(([from, to]) => ({ from, to })),
    underWay: [...stillUnderWay(before, over), ...begun],
  };
  const next = following(state, page, now);
  return { ...next, posts: [...posts, ...next.posts] };
}

/** Skips a due recipient; `key` is its entry. */
export function passOver(before: CampaignState | null, key: string): Folded<CampaignState> | null {
  if (before === null) return null;
  return { state: { ...before, passedOver: before.passedOver + 1 }, posts: [], withdraws: [key] };
}

/** Counts the result of a call; null if the campaign was never started. */
export function countResult(before: CampaignState | null, result: CallResult['result']): Folded<CampaignState> | null {
  if (before === null) return null;
  const calls = { ...before.calls, [result]: (before.calls?.[result] ?? 0) + 1 };
  return { state: { ...before, calls }, posts: [], withdraws: [] };
}

/** Plans the entry after a page, or ends the round. */
function following(state: CampaignState, page: Page, now: number): Folded<CampaignState> {
  if (page.failure !== null) {
    // Recipients that were read before the failure count as progress.
    const attempts = page.recipients.length > 0 ? 1 : state.attempts + 1;
    const failed = { ...state, attempts, failure: page.failure };
    if (attempts >= mostAttempts) return { state: { ...failed, status: 'failed' }, posts: [], withdraws: [] };
    return awaiting(failed, now + Math.min(longestWaitMs, 1_000 * 2 ** (attempts - 1)));
  }
  const fine = { ...state, attempts: 0, failure: null };
  if (!page.isLast) return awaiting(fine, page.recipients.length === 0 ? now + checkMs : Math.max(now, fine.freeAt));
  const done: CampaignState = { ...fine, status: 'done' };
  if (done.nextRound === null) return { state: done, posts: [], withdraws: [] };
  return startRound(done.id, done, done.nextRound, now) ?? { state: done, posts: [], withdraws: [] };
}

function awaiting(state: CampaignState, dueAt: number): Folded<CampaignState> {
  const waiting = { ...state, serial: state.serial + 1 };
  const entry: InboxEntry = {
    key: pageKey(waiting) ?? '',
    sessionId: campaignSession(state.id),
    dueAt: Math.ceil(dueAt),
    signal: { type: 'campaign:due' },
    reach: 'wait',
    correlation: { campaignId: state.id, scheduledFor: state.round.tick, ...ofSchedule(state.round) },
    actor: null,
  };
  return { state: waiting, posts: [entry], withdraws: [] };
}

/**
 * Returns the entry of one recipient. Its key holds the campaign, schedule, recipient and tick, so that a recipient who
 * is read twice is contacted once.
 */
function recipientEntry(
  { id, round }: CampaignState,
  rules: CampaignRules,
  recipient: Recipient,
  dueAt: number,
): InboxEntry {
  const name = `${id}/${round.scheduleId ?? '-'}/${recipient.id}/${round.tick}`;
  const contact = { channel: rules.channel, to: recipient.to ?? null, zone: recipient.zone ?? rules.zone };
  return {
    key: `campaign/${name}`,
    sessionId: `recipient/${name}`,
    dueAt,
    signal: { type: 'session:started', flow: rules.flow, input: { ...rules.input, ...recipient.input, contact } },
    reach: rules.reach,
    correlation: {
      ...{ campaignId: id, segmentId: rules.segmentId, recipientUserExternalId: recipient.id },
      ...{ triggerType: 'campaign', scheduledFor: round.tick, runAttempt: 1 },
      ...ofSchedule(round),
    },
    actor: null,
  };
}

function ofSchedule({ scheduleId }: Round): { scheduleId?: string } {
  return scheduleId === null ? {} : { scheduleId };
}
