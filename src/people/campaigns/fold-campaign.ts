import type { InboxEntry } from '../../events/inbox.ts';
import type { CivilTime } from '../../ports/time.ts';
import { campaignIds } from '../../events/own-sessions.ts';
import type { Folded } from '../keep-state.ts';
import { afterQuiet } from '../schedules/quiet-hours.ts';
import type { CallResult } from '../calls/call-result.ts';
import type { CampaignRules, Recipient } from './campaign.ts';

/** What begins a round of a campaign: a person, or a tick of a schedule. Epoch milliseconds. */
export interface Round {
  readonly tick: number;
  readonly scheduleId: string | null;
}

/** A campaign between two pages, as its session keeps it. */
export interface CampaignState {
  readonly kind: 'campaign';
  readonly version: 1;
  readonly id: string;
  /** `failed`: its segment could not be read for long; it goes on when it is resumed. */
  readonly status: 'running' | 'stopped' | 'failed' | 'done';
  readonly round: Round;
  /** The round that begins when this one is done, if one has come meanwhile. */
  readonly nextRound: Round | null;
  /** Where the next page begins; null for the first. */
  readonly cursor: string | null;
  /** Recipients of this round whose turns were posted, and those passed over when their turn came. */
  readonly posted: number;
  readonly passedOver: number;
  /** What has become of the calls of this round, by how many; absent where none was made or its network tells nothing. */
  readonly calls?: Readonly<Record<string, number>>;
  /** When the next recipient may be reached, by the pace. */
  readonly freeAt: number;
  /** What quiet hours hold back: from when on, and until when by the pace, each an epoch in milliseconds. */
  readonly held: readonly { readonly from: number; readonly to: number }[];
  /** Sessions that are under way, where the pace counts them. */
  readonly underWay: readonly UnderWay[];
  /** How often in a row the segment could not be read, and why the last time. */
  readonly attempts: number;
  readonly failure: string | null;
  /** Grows with each entry that was posted for a page: part of its key. */
  readonly serial: number;
}

/** A recipient's session that has not ended, and when it was due, in epoch milliseconds. */
export interface UnderWay {
  readonly sessionId: string;
  readonly since: number;
}

/** What was read of a segment: recipients in their order, whether they were the last, and why reading broke off. */
export interface Page {
  readonly recipients: readonly Recipient[];
  readonly isLast: boolean;
  readonly failure: string | null;
}

/** How often a segment is read in vain before the campaign waits for a person, and how long it waits between. */
const mostAttempts = 12;
const longestWaitMs = 300_000;
/** How far those are apart who wait for the same morning, times how many are reached at once: about the length of a call. */
const usualCallMs = 60_000;
/** How often it is looked whether somebody who was under way is not any more. */
const checkMs = 2_000;

/** The id of the session that a campaign is. */
export function campaignSession(id: string): string {
  return `${campaignIds}${id}`;
}

/** The key of the entry that the campaign's next page waits for; null where it waits for none. */
export function pageKey({ id, status, serial }: CampaignState): string | null {
  return status === 'running' ? `campaign/${id}/page/${serial}` : null;
}

/** Begins a round; while one runs, the new one waits for its end, and of several the latest. */
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
 * No more pages are read; recipients whose turns are posted are not reached before it is resumed. A round whose pages are all
 * read may have such recipients as well, whom the night or the pace holds back.
 */
export function stopCampaign(before: CampaignState | null): Folded<CampaignState> | null {
  if (before === null || before.status === 'stopped') return null;
  const open = pageKey(before);
  return { state: { ...before, status: 'stopped' }, posts: [], withdraws: open === null ? [] : [open] };
}

/** Goes on where it was stopped, or where its segment could not be read. */
export function resumeCampaign(before: CampaignState | null, now: number): Folded<CampaignState> | null {
  if (before?.status !== 'stopped' && before?.status !== 'failed') return null;
  return awaiting({ ...before, status: 'running', attempts: 0, failure: null, freeAt: now, held: [] }, now);
}

/** How many recipients the next page may have, `over` being the sessions that are not under way any more. */
export function roomFor(state: CampaignState, rules: CampaignRules, over: ReadonlySet<string>): number {
  if (rules.atOnce === null) return rules.pageSize;
  return Math.min(rules.pageSize, rules.atOnce - stillUnderWay(state, over).length);
}

/** Whether a recipient whose turn comes is under way by the pace: who was held back, or is called again, is not at first. */
export function hasPlace(
  state: CampaignState,
  rules: CampaignRules,
  sessionId: string,
  over: ReadonlySet<string>,
): boolean {
  return rules.atOnce === null || stillUnderWay(state, over).some((one) => one.sessionId === sessionId);
}

/** A recipient without a place takes one. Null where they have it, or none is free. */
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
 * Posts the recipients of a page, each due by the pace and out of quiet hours, and the page after it. Pure. A page that
 * could not be read is read again later, from the last recipient on that was.
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
      // Those who wait for the same morning are reached one after the other as well.
      dueAt = held.get(awake) ?? awake;
      held.set(awake, dueAt + heldGapMs);
    }
    const entry = recipientEntry(before, rules, recipient, Math.ceil(dueAt));
    // Who is held back takes no place of those who can be reached.
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

/** A recipient is passed over when their turn comes: `key` is that of the turn. */
export function passOver(before: CampaignState | null, key: string): Folded<CampaignState> | null {
  if (before === null) return null;
  return { state: { ...before, passedOver: before.passedOver + 1 }, posts: [], withdraws: [key] };
}

/** Counts what has become of a call. Null where the campaign was never started. */
export function countResult(before: CampaignState | null, result: CallResult['result']): Folded<CampaignState> | null {
  if (before === null) return null;
  const calls = { ...before.calls, [result]: (before.calls?.[result] ?? 0) + 1 };
  return { state: { ...before, calls }, posts: [], withdraws: [] };
}

/** What comes after a page. */
function following(state: CampaignState, page: Page, now: number): Folded<CampaignState> {
  if (page.failure !== null) {
    // What was read before it broke off was progress.
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

/** The turn of one recipient, keyed by campaign, schedule, recipient and tick: whoever is read twice is reached once. */
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
