import { FlowError } from '../../model/errors.ts';
import type { InboxEntry, Reach } from '../../model/inbox.ts';
import type { Json } from '../../model/json.ts';
import type { StoredEntry } from '../../model/ports/inbox.ts';
import type { Store } from '../../model/ports/store.ts';
import type { CivilTime, Clock } from '../../model/ports/time.ts';
import { contactOf } from '../channels/contact.ts';
import { changeKept, type Folded, type KeepParts, type KeptKind } from '../keep-state.ts';
import { afterQuiet } from '../schedules/quiet-hours.ts';
import { type CampaignOptions, type MayContact, rulesOf } from './campaign.ts';
import {
  campaignSession,
  type CampaignState,
  countResult,
  foldPage,
  hasPlace,
  pageKey,
  passOver,
  resumeCampaign,
  roomFor,
  startRound,
  stopCampaign,
  takePlace,
} from './fold-campaign.ts';
import { calledReason } from '../calls/call-out.ts';
import type { CallResult } from '../calls/call-result.ts';
import { withTimeout } from '../with-timeout.ts';
import { readPage } from './read-page.ts';
import { recipientOf } from './recipient-of.ts';

/** Dependencies of campaigns: the campaigns of the configuration by id, and the default time zone. */
export interface CampaignParts extends KeepParts {
  readonly civil: CivilTime;
  readonly zone: string;
  readonly campaigns: Readonly<Record<string, CampaignOptions>>;
}

const prefix = campaignSession('');

/** Checks by its id whether a session is a campaign. */
export function isCampaignSession(sessionId: string): boolean {
  return sessionId.startsWith(prefix);
}

/** Returns the stored state of a campaign; null for any other state. */
export function campaignStateOf(state: Json): CampaignState | null {
  const isOne = typeof state === 'object' && state !== null && 'kind' in state && state['kind'] === 'campaign';
  return isOne ? (state as unknown as CampaignState) : null; // Only this file writes states of this kind.
}

/** Starts a round by hand. Throws `campaign-unknown`, and `campaign-running` if a round is not done. */
export async function startCampaign(parts: CampaignParts, id: string): Promise<CampaignState> {
  optionsOf(parts, id);
  let isRefused = false;
  const now = parts.clock.now();
  const state = await changeKept(parts, kindOf(id), 'start', (before) => {
    isRefused = before !== null && before.status !== 'done';
    return isRefused ? null : startRound(id, before, { tick: now, scheduleId: null }, now);
  });
  if (isRefused || state === null)
    throw new FlowError('campaign-running', `campaign "${id}" is ${state?.status ?? 'running'}. Stop or resume it.`);
  return state;
}

/**
 * Stops a campaign: no more pages are read and no more recipients contacted. Throws `campaign-unknown` if it was never
 * started.
 */
export async function haltCampaign(parts: KeepParts, id: string): Promise<CampaignState> {
  return started(id, await changeKept(parts, kindOf(id), 'stop', stopCampaign));
}

/** Resumes a stopped or failed campaign, including the recipients that were not contacted meanwhile. */
export async function continueCampaign(parts: KeepParts, id: string): Promise<CampaignState> {
  const { store, clock } = parts;
  const state = await changeKept(parts, kindOf(id), 'resume', (before) => resumeCampaign(before, clock.now()));
  const dead = await store.inbox.list({ state: 'dead', limit: Number.MAX_SAFE_INTEGER });
  const held = dead.flatMap(({ entry, reason }) =>
    entry.correlation.campaignId === id && reason === stoppedReason ? [entry] : [],
  );
  for (let from = 0; from < held.length; from += resumedAtOnce)
    await postAgain(parts, id, held.slice(from, from + resumedAtOnce));
  return started(id, state);
}

/** Recipients per commit; each commit is a sync of the disk. */
const resumedAtOnce = 500;

/** Reopens dead letters in one commit, unless the campaign was stopped in the meantime. */
async function postAgain(parts: KeepParts, id: string, posts: readonly InboxEntry[]): Promise<void> {
  const withdraws = posts.map(({ key }) => key);
  await changeKept(parts, kindOf(id), 'post-again', (now) =>
    now === null || now.status === 'stopped' ? null : { state: now, posts, withdraws },
  );
}

/**
 * Processes an entry of a campaign's session: starts a round or posts a page, in the transaction that consumes the
 * entry.
 */
export async function takeCampaignEntry(parts: CampaignParts, entry: InboxEntry): Promise<CampaignState | null> {
  const { store, clock, civil } = parts;
  const { key, sessionId } = entry;
  const id = sessionId.slice(prefix.length);
  const options = optionsOf(parts, id);
  const before = await stateIn(store, sessionId);
  if (before === null || key !== pageKey(before)) return await begin(parts, entry);
  const rules = rulesOf(id, options, parts.zone);
  const over = await overSessions(parts, before, rules.reach);
  const room = roomFor(before, rules, over);
  const page =
    room < 1 ? { recipients: [], isLast: false, failure: null } : await readPage(options.segment, before, room, clock);
  // The campaign may have been stopped while the page was read.
  return await changeKept(
    parts,
    kindOf(id),
    'page',
    (now) => (now === null || pageKey(now) !== key ? null : foldPage(now, rules, page, over, clock.now(), civil)),
    key,
  );
}

/**
 * Decides right before the contact: `go`, or `held` if the recipient was postponed or skipped. Returns `go` for other
 * entries.
 */
export async function checkRecipient(parts: CampaignParts, stored: StoredEntry): Promise<'go' | 'held'> {
  const { store, clock, civil } = parts;
  const { entry } = stored;
  const recipient = recipientOf(entry);
  if (recipient === null) return 'go';
  const { campaign: id, input } = recipient;
  const state = await stateForAll(store, campaignSession(id));
  if (state?.status === 'stopped') {
    await store.inbox.defer(entry.key, { until: null, reason: stoppedReason });
    return 'held';
  }
  const contact = contactOf(input);
  const options = optionsOf(parts, id);
  const rules = rulesOf(id, options, parts.zone);
  const now = clock.now();
  // A contact that was due in the evening may be processed within quiet hours.
  const awake = afterQuiet(rules.quiet, now, contact?.zone ?? rules.zone, civil);
  if (awake > now) {
    await store.inbox.defer(entry.key, { until: awake, reason: 'quiet-hours', isTry: false });
    return 'held';
  }
  const isFull = (one: CampaignState, ended: ReadonlySet<string>): boolean =>
    !hasPlace(one, rules, entry.sessionId, ended) && roomFor(one, rules, ended) < 1;
  // Running sessions are checked only if all places seem taken.
  const seemsFull = state !== null && isFull(state, noSessions);
  const over = seemsFull ? await overForAll(parts, state, rules.reach) : noSessions;
  const waitForPlace = async (): Promise<'held'> => {
    const waitedMs = now - entry.dueAt;
    const againMs = Math.min(longestWaitMs, Math.max(placeCheckMs, waitedMs / 4));
    await store.inbox.defer(entry.key, { until: now + againMs, reason: 'campaign-full', isTry: false });
    return 'held';
  };
  if (seemsFull && isFull(state, over)) return await waitForPlace();
  const answer = await mayContact(options, { ...recipient, to: contact?.to ?? null }, clock);
  if (answer === 'yes') {
    if (state === null || hasPlace(state, rules, entry.sessionId, over)) return 'go';
    const taken = await changeKept(parts, kindOf(id), 'take-place', (before) =>
      takePlace(before, rules, entry.sessionId, over, clock.now()),
    );
    return taken === null || hasPlace(taken, rules, entry.sessionId, noSessions) ? 'go' : await waitForPlace();
  }
  if (answer === 'unknown')
    await store.inbox.defer(entry.key, {
      until: now + Math.min(longestWaitMs, 1_000 * 2 ** stored.attempts),
      reason: 'contact-unknown',
    });
  else await changeKept(parts, kindOf(id), 'pass-over', (before) => passOver(before, entry.key));
  return 'held';
}

/** Counts the result of a call to a recipient. Throws `session-taken`. */
export async function countCall(parts: KeepParts, id: string, result: CallResult['result']): Promise<void> {
  await changeKept(parts, kindOf(id), 'count-call', (before) => countResult(before, result));
}

/** Returns the stored campaigns, sorted by id. */
export async function listCampaigns({ store }: Pick<KeepParts, 'store'>): Promise<readonly CampaignState[]> {
  const sessions = await store.sessions.list({ limit: Number.MAX_SAFE_INTEGER, prefix });
  const ids = sessions.map(({ sessionId }) => sessionId);
  const states = await Promise.all(ids.toSorted().map(async (sessionId) => await stateIn(store, sessionId)));
  return states.filter((state) => state !== null);
}

const stoppedReason = 'campaign-stopped';
const longestWaitMs = 300_000;
/** Time limit of `mayContact`, and how long a call counts as running. */
const patienceMs = 5_000;
const longestCallMs = 2 * 3_600_000;
/** Maximum ringing time in milliseconds. */
const longestRingMs = 120_000;
/** First delay before a free place is checked again, in milliseconds; it grows with the waiting time. */
const placeCheckMs = 2_000;
const noSessions: ReadonlySet<string> = new Set();

async function stateIn(store: Store, sessionId: string): Promise<CampaignState | null> {
  const kept = await store.sessions.get(sessionId);
  return kept === null ? null : campaignStateOf(kept.state);
}

/** The same, with one read shared by all concurrent callers. */
async function stateForAll(store: Store, sessionId: string): Promise<CampaignState | null> {
  return await oneLook(states, store, sessionId, () => stateIn(store, sessionId));
}

/** Returns the sessions that have ended, with one read shared by all concurrent callers. */
async function overForAll(parts: KeepParts, state: CampaignState, reach: Reach): Promise<ReadonlySet<string>> {
  return await oneLook(ends, parts.store, state.id, () => overSessions(parts, state, reach));
}

type Looks<Seen> = WeakMap<Store, Map<string, Promise<Seen>>>;
const states: Looks<CampaignState | null> = new WeakMap();
const ends: Looks<ReadonlySet<string>> = new WeakMap();

async function oneLook<Seen>(looks: Looks<Seen>, store: Store, name: string, look: () => Promise<Seen>): Promise<Seen> {
  const underWay = looks.get(store) ?? new Map<string, Promise<Seen>>();
  looks.set(store, underWay);
  const seen = underWay.get(name) ?? look().finally(() => underWay.delete(name));
  underWay.set(name, seen);
  return await seen;
}

/** Starts a round for a tick of a schedule. An entry of an old page starts nothing. */
async function begin(parts: CampaignParts, { key, sessionId, correlation }: InboxEntry): Promise<CampaignState | null> {
  const { scheduleId = null, scheduledFor } = correlation;
  const id = sessionId.slice(prefix.length);
  const isRound = scheduledFor !== undefined && !key.startsWith(`${sessionId}/page/`);
  const fold = (before: CampaignState | null): Folded<CampaignState> | null =>
    isRound ? startRound(id, before, { tick: scheduledFor, scheduleId }, parts.clock.now()) : null;
  return await changeKept(parts, kindOf(id), 'start', fold, key);
}

/** Returns the counted sessions that are no longer running. */
async function overSessions(
  { store, clock }: KeepParts,
  campaign: CampaignState | null,
  reach: Reach,
): Promise<ReadonlySet<string>> {
  const underWay = campaign?.underWay ?? [];
  const over = await Promise.all(
    underWay.map(async ({ sessionId, since }) => {
      const snapshot = await store.sessions.get(sessionId);
      if (snapshot === null) return (await isAwaited(store, sessionId, clock.now(), since)) ? null : sessionId;
      const { state } = snapshot;
      const hasEnded = typeof state === 'object' && state !== null && 'status' in state && state['status'] === 'ended';
      return hasEnded || reach !== 'call' || clock.now() - since > longestCallMs ? sessionId : null;
    }),
  );
  return new Set(over.filter((sessionId) => sessionId !== null));
}

/**
 * Checks whether a session without a snapshot is about to start or is ringing. False if the recipient was skipped, is a
 * dead letter, is postponed by quiet hours or is called again later.
 */
async function isAwaited(store: Store, sessionId: string, now: number, since: number): Promise<boolean> {
  const [first] = await store.inbox.list({ state: 'open', sessionId, limit: 1 });
  if (first === undefined) return false;
  return first.reason === calledReason ? now - since < longestRingMs : first.notBefore - now < longestRingMs;
}

/** Asks the application. An error, a timeout or an answer other than a boolean is `unknown`. */
async function mayContact(
  { mayContact: ask }: CampaignOptions,
  recipient: Parameters<MayContact>[0],
  clock: Clock,
): Promise<'yes' | 'no' | 'unknown'> {
  if (ask === undefined) return 'yes';
  try {
    const answer: unknown = await withTimeout(Promise.resolve(ask(recipient)), clock, patienceMs);
    return answer === true ? 'yes' : answer === false ? 'no' : 'unknown';
  } catch {
    return 'unknown';
  }
}

function kindOf(id: string): KeptKind<CampaignState> {
  return { sessionId: campaignSession(id), hash: 'campaign/1', read: campaignStateOf };
}

/** Returns the options of a campaign. Throws `campaign-unknown`. */
function optionsOf({ campaigns }: CampaignParts, id: string): CampaignOptions {
  const options = Object.hasOwn(campaigns, id) ? campaigns[id] : undefined;
  if (options !== undefined) return options;
  throw new FlowError(
    'campaign-unknown',
    `there is no campaign "${id}" (${Object.keys(campaigns).join(', ') || 'there are none'}). Add it to campaigns.`,
  );
}

function started(id: string, state: CampaignState | null): CampaignState {
  if (state !== null) return state;
  throw new FlowError(
    'campaign-unknown',
    `campaign "${id}" was never started. Start it with "roomflow campaign start".`,
  );
}
