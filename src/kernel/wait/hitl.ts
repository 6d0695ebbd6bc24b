import type { Effect, Waiting } from '../../model/effect.ts';
import type { CallWait, OutsideWait } from '../../model/outside-wait.ts';
import type { HitlState } from '../../model/events/event.ts';
import type { EntryCorrelation } from '../../model/inbox.ts';
import { confirmationIn, isWaiting, waitingIn } from '../state/draft.ts';
import { scheduleIdOf } from '../../model/proxy-id.ts';
import { pendingCalls } from '../call/pending-calls.ts';
import type { Origin } from '../state/people.ts';
import type { SessionState } from '../state/state.ts';

/** The wait of a session, as responses, events and `state` report it. The ids are those of the most important wait. */
export interface Hitl {
  readonly hitlState: HitlState;
  readonly escalationId?: string;
  readonly proxyId?: string;
  readonly scheduleId?: string;
}

/**
 * Derives which people a session waits for, from its open waits and its last ended one. Priority: a takeover, a
 * decision, a yes; open waits before ended ones. Throws nothing.
 *
 * @example
 * const { hitlState } = hitlOf(newSession('call-17'));
 */
export function hitlOf(state: SessionState): Hitl {
  if (isAlone(state)) return alone;
  const called = pendingCalls(state).flatMap(({ payload }) => payload.waitsFor ?? []);
  const open: readonly CallWait[] = [...waitingIn(state).map((wait) => askedBy(wait, state.people.origin)), ...called];
  const counts = open.find(({ wait }) => isForPerson.has(wait)) ?? open[0] ?? state.people.lastWait;
  const kinds = open.map(({ wait }) => wait);
  const hitlState = nameOf(state, kinds);
  const ids = { ...idsOf(state.turn.correlation), ...(counts === null ? {} : idsOf(counts)) };
  const { escalationId } = state.people.takeover ?? {};
  const isTaken = hitlState === 'live_takeover' && escalationId !== undefined;
  return { hitlState, ...ids, ...(isTaken ? { escalationId } : {}) };
}

/**
 * Derives the same for a run of a task flow, which has its waits only in its effects. `effects` are in the order of
 * creation. Throws nothing.
 *
 * @example
 * const { hitlState } = hitlOfEffects(await store.effects.list('run-1'));
 */
export function hitlOfEffects(effects: readonly Effect[]): Hitl {
  const waits = effects.filter(isWaiting);
  const open = waits.filter(({ state }) => state === 'intended' || state === 'started').map((wait) => askedBy(wait));
  const ended = waits.filter(({ state }) => state === 'done' || state === 'failed');
  const last = ended.findLast(({ payload }) => isForPerson.has(payload.wait));
  const counts =
    open.find(({ wait }) => isForPerson.has(wait)) ?? open[0] ?? (last === undefined ? null : askedBy(last));
  const outcome = last === undefined ? null : last.state === 'done' ? 'resolved' : 'timed_out';
  return { hitlState: pendingIn(open.map(({ wait }) => wait)) ?? outcome ?? 'none', ...idsOf(counts) };
}

const alone: Hitl = { hitlState: 'none' };
const noCorrelation: EntryCorrelation = {};

/** Checks whether the session waits for no person and has not done so lately: most sessions, and asked for each event. */
function isAlone({ people, turn, position, effects }: SessionState): boolean {
  const { takeover, lastWait } = people;
  if (takeover !== null || lastWait !== null || turn.correlation !== null || position.generator !== null) return false;
  for (const { kind } of Object.values(effects)) if (kind === 'wait' || kind === 'tool') return false;
  return true;
}

/** Returns a wait with its ids. A session that a schedule began belongs to that schedule. */
function askedBy(wait: Waiting, origin: Origin | null = null) {
  const { key, payload } = wait;
  const scheduleId = payload.scheduleId ?? origin?.scheduleId ?? scheduleIdOf(wait);
  return {
    ...payload,
    escalationId: payload.escalationId ?? key,
    ...(scheduleId === null ? {} : { scheduleId }),
  };
}

/**
 * Returns what the current turn belongs to besides its session: the origin of the session, the origin of the turn and
 * the most important wait. Later ones override earlier ones. Throws nothing.
 *
 * @example
 * const { scheduleId, triggerType } = correlationOf(newSession('run/mondays/1'));
 */
export function correlationOf(state: SessionState): EntryCorrelation {
  if (isAlone(state) && state.people.origin === null) return noCorrelation;
  const { hitlState: _, ...waitIds } = hitlOf(state);
  return { ...state.people.origin, ...state.turn.correlation, ...waitIds };
}

/** Returns the ids that a session keeps after its first turn; null if a caller began it. */
export function originOf({
  scheduleId,
  campaignId,
  segmentId,
  recipientUserExternalId,
}: EntryCorrelation = {}): Origin | null {
  const origin = {
    ...(scheduleId === undefined ? {} : { scheduleId }),
    ...(campaignId === undefined ? {} : { campaignId }),
    ...(segmentId === undefined ? {} : { segmentId }),
    ...(recipientUserExternalId === undefined ? {} : { recipientUserExternalId }),
  };
  return Object.keys(origin).length === 0 ? null : origin;
}

const isForPerson: ReadonlySet<OutsideWait['wait']> = new Set(['confirm', 'admin_resolution', 'proxy_input']);

function nameOf(state: SessionState, open: readonly OutsideWait['wait'][]): HitlState {
  if (state.people.takeover !== null && state.status !== 'ended') return 'live_takeover';
  const asksCaller = confirmationIn(state) !== undefined || asksForYes(state);
  const pending = pendingIn(open) ?? (asksCaller ? 'pending_confirm' : null);
  const { lastWait } = state.people;
  // A time or an event that has come does not count as a person's decision.
  return pending ?? (lastWait === null || !isForPerson.has(lastWait.wait) ? 'none' : lastWait.outcome);
}

/** Checks whether a generator asks the caller for a yes. */
function asksForYes({ position: { generator } }: SessionState): boolean {
  const asked = generator?.lastYield;
  return asked?.type === 'ask' && asked.isConsent === true;
}

/** Returns the pending state of waits for people; null if there is none. */
function pendingIn(open: readonly OutsideWait['wait'][]): HitlState | null {
  if (open.includes('admin_resolution') || open.includes('proxy_input')) return 'pending_admin_resolution';
  return open.includes('confirm') ? 'pending_confirm' : null;
}

/** Returns the ids of a wait. A wait for a time has no escalation. */
function idsOf(
  one: (EntryCorrelation & { readonly wait?: OutsideWait['wait'] }) | null,
): Pick<Hitl, 'escalationId' | 'proxyId' | 'scheduleId'> {
  const { wait, escalationId, scheduleId } = one ?? {};
  const proxyId = one?.proxyId ?? (wait === 'proxy_input' ? escalationId : undefined);
  const isAsked = wait === undefined || isForPerson.has(wait);
  return {
    ...(escalationId === undefined || !isAsked ? {} : { escalationId }),
    ...(proxyId === undefined ? {} : { proxyId }),
    ...(scheduleId === undefined ? {} : { scheduleId }),
  };
}
