import { scheduleIds } from '../../model/own-sessions.ts';
import type { EntryCorrelation, InboxEntry } from '../../model/inbox.ts';
import { hashOf } from '../../flow/graph/hash.ts';
import type { CivilTime } from '../../model/ports/time.ts';
import { lastTicks, nextTick, runMoment } from './next-tick.ts';
import { afterQuiet, isQuiet } from './quiet-hours.ts';
import type { Schedule } from './schedule.ts';

/** The stored state of a schedule between two ticks. */
export interface ScheduleState {
  readonly kind: 'schedule';
  readonly version: 1;
  readonly schedule: Schedule;
  /**
   * The creator: the configuration, a person or a tool. Only schedules of the configuration are removed when they
   * disappear from it.
   */
  readonly origin: 'config' | 'added' | 'followup';
  /** `over`: there are no more ticks. */
  readonly status: 'active' | 'paused' | 'removed' | 'over';
  /** The next tick and the due time of its run; null if there is none. */
  readonly next: { readonly tick: number; readonly dueAt: number } | null;
  /** The last processed tick. */
  readonly lastTick: number | null;
  /** Number of posted runs, of runs by hand, and of skipped ticks. */
  readonly runs: number;
  readonly manualRuns: number;
  readonly passedOver: number;
  /** Counter of tick entries, part of their keys. */
  readonly serial: number;
}

/** A change of a schedule. */
export type ScheduleChange =
  | { readonly type: 'put'; readonly schedule: Schedule; readonly origin: ScheduleState['origin'] }
  /** The entry of a tick was taken. */
  | { readonly type: 'due'; readonly key: string }
  | { readonly type: 'pause' | 'resume' | 'remove' | 'run-now' };

/** The state after a change, with the entries of the same commit. */
export interface FoldedSchedule {
  readonly state: ScheduleState;
  readonly posts: readonly InboxEntry[];
  readonly withdraws: readonly string[];
}

/** A run that is later than this has missed its time; `skip` skips it. */
const lateMs = 60_000;
/** Maximum number of missed ticks that `all` runs, the latest ones, and the delay between them. */
const mostMissed = 100;
const betweenMissedMs = 1_000;

/** Returns the id of a schedule's session. */
export function scheduleSession(id: string): string {
  return `${scheduleIds}${id}`;
}

/**
 * Applies a change at `now` (epoch milliseconds) to a schedule. Pure. Each tick is processed once: the state has one
 * open entry key, and an entry with another key changes nothing.
 */
export function foldSchedule(
  before: ScheduleState | null,
  change: ScheduleChange,
  now: number,
  civil: CivilTime,
): FoldedSchedule | null {
  if (change.type === 'put') return put(before, change, now, civil);
  if (before === null) return null;
  switch (change.type) {
    case 'due':
      return change.key === tickKey(before) ? due(before, now, civil) : null;
    case 'pause':
      return before.status === 'active' ? without(before, 'paused') : null;
    case 'resume':
      return before.status === 'paused'
        ? planned({ ...before, status: 'active' }, nextTick(before.schedule, now), 0, civil)
        : null;
    case 'remove':
      return before.status === 'removed' ? null : without(before, 'removed');
    case 'run-now': {
      if (before.status === 'removed') return null;
      const state = { ...before, runs: before.runs + 1, manualRuns: before.manualRuns + 1 };
      return { state, posts: [runEntry(state, `manual/${state.manualRuns}`, now, 'manual')], withdraws: [] };
    }
  }
}

/** Returns the key of the open entry for the next tick; null if there is none. */
function tickKey({ schedule, next, serial }: ScheduleState): string | null {
  return next === null ? null : `schedule/${schedule.id}/tick/${serial}`;
}

function put(
  before: ScheduleState | null,
  { schedule: given, origin }: Extract<ScheduleChange, { type: 'put' }>,
  now: number,
  civil: CivilTime,
): FoldedSchedule | null {
  const schedule = before === null ? given : keepingCount(before.schedule, given);
  const isKept = before !== null && before.status !== 'removed';
  if (isKept && isSame(before.schedule, schedule)) return null;
  const state: ScheduleState = {
    ...(before ?? { lastTick: null, runs: 0, manualRuns: 0, passedOver: 0, serial: 0 }),
    ...{ kind: 'schedule', version: 1, schedule, origin, next: null },
    status: isKept && before.status === 'paused' ? 'paused' : 'active',
  };
  const open = before === null ? null : tickKey(before);
  const withdraws = open === null ? [] : [open];
  if (state.status === 'paused') return { state, posts: [], withdraws };
  // A processed tick does not repeat, even if the schedule changes.
  const after = Math.max(now, state.lastTick ?? now);
  return { ...planned(state, nextTick(schedule, after), 0, civil), withdraws };
}

/** Posts the run of a tick and plans the next tick. */
function due(before: ScheduleState, now: number, civil: CivilTime): FoldedSchedule | null {
  const { schedule, next } = before;
  if (next === null) return null;
  // A late entry may fall into quiet hours.
  const isNight = schedule.quiet !== null && isQuiet(schedule.quiet, now, schedule.zone, civil);
  if (isNight) return planned(before, next.tick, afterQuiet(schedule.quiet, now, schedule.zone, civil), civil);
  if (schedule.catchUp === 'all') return dueEach(before, next.tick, now, civil);
  // Ticks that were missed in quiet hours or while no process ran are merged into one run.
  const [last = next.tick] = lastTicks(schedule, next.tick, now, 1);
  const dueAt = last === next.tick ? next.dueAt : runMoment(schedule, last, civil);
  const isRun = schedule.catchUp === 'run_once' || now - dueAt <= lateMs;
  const state = {
    ...before,
    lastTick: last,
    runs: before.runs + (isRun ? 1 : 0),
    passedOver: before.passedOver + (isRun ? 0 : 1),
  };
  const after = planned(state, nextTick(schedule, last), 0, civil);
  return isRun ? { ...after, posts: [tickRun(state, last), ...after.posts] } : after;
}

/** Runs each missed tick, one after the other, but at most the latest `mostMissed`. */
function dueEach(before: ScheduleState, tick: number, now: number, civil: CivilTime): FoldedSchedule {
  const { schedule } = before;
  const missed = lastTicks(schedule, tick, now, mostMissed + 1);
  const isTooMany = missed.length > mostMissed;
  const run = isTooMany ? (missed[1] ?? tick) : tick;
  const state = {
    ...before,
    lastTick: run,
    runs: before.runs + 1,
    passedOver: before.passedOver + (isTooMany ? 1 : 0),
  };
  const following = nextTick(schedule, run);
  const earliest = following !== null && following <= now ? now + betweenMissedMs : 0;
  const after = planned(state, following, earliest, civil);
  return { ...after, posts: [tickRun(state, run), ...after.posts] };
}

/** Returns the state that waits for a tick, and its entry, due at `earliest` or later. */
function planned(state: ScheduleState, tick: number | null, earliest: number, civil: CivilTime): FoldedSchedule {
  if (tick === null) return { state: { ...state, status: 'over', next: null }, posts: [], withdraws: [] };
  const dueAt = Math.max(runMoment(state.schedule, tick, civil), earliest);
  const waiting: ScheduleState = { ...state, next: { tick, dueAt }, serial: state.serial + 1 };
  const entry: InboxEntry = {
    key: tickKey(waiting) ?? '',
    sessionId: scheduleSession(state.schedule.id),
    dueAt,
    signal: { type: 'schedule:due' },
    reach: 'wait',
    correlation: { scheduleId: state.schedule.id, scheduledFor: tick },
    actor: null,
  };
  return { state: waiting, posts: [entry], withdraws: [] };
}

function without(before: ScheduleState, status: 'paused' | 'removed'): FoldedSchedule {
  const open = tickKey(before);
  return { state: { ...before, status, next: null }, posts: [], withdraws: open === null ? [] : [open] };
}

function tickRun(state: ScheduleState, tick: number): InboxEntry {
  const trigger = state.origin === 'followup' ? 'followup' : state.schedule.when.type;
  return runEntry(state, new Date(tick).toISOString(), tick, trigger);
}

/** Returns the entry of a run; `name` is unique within the schedule. */
function runEntry(
  { schedule: { id, run } }: ScheduleState,
  name: string,
  scheduledFor: number,
  triggerType: NonNullable<EntryCorrelation['triggerType']>,
): InboxEntry {
  const key = `schedule/${id}/run/${name}`;
  const correlation = { scheduleId: id, triggerType, scheduledFor, runAttempt: 1 };
  const entry = { key, dueAt: scheduledFor, correlation, actor: null };
  switch (run.type) {
    case 'flow':
      return {
        ...entry,
        sessionId: `run/${id}/${name}`,
        signal: { type: 'session:started', flow: run.flow, input: run.input },
        reach: run.reach,
      };
    case 'turn':
      return {
        ...entry,
        sessionId: run.sessionId,
        signal: { type: 'user:turn', eventId: key, text: run.text, via: 'scheduled' },
        reach: run.reach,
      };
    case 'campaign':
      return { ...entry, sessionId: `campaign/${run.campaignId}`, signal: { type: 'campaign:due' }, reach: 'wait' };
  }
}

/** An interval without an anchor keeps its original start. */
function keepingCount(before: Schedule, given: Schedule): Schedule {
  const [was, is] = [before.when, given.when];
  if (was.type !== 'every' || is.type !== 'every' || was.everyMs !== is.everyMs) return given;
  if (was.isAnchored || is.isAnchored) return given;
  return { ...given, when: { ...is, from: was.from } };
}

function isSame(one: Schedule, other: Schedule): boolean {
  return hashOf(one) === hashOf(other);
}
