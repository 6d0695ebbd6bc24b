import { scheduleIds } from '../../events/own-sessions.ts';
import type { EntryCorrelation, InboxEntry } from '../../events/inbox.ts';
import { hashOf } from '../../graph/hash.ts';
import type { CivilTime } from '../../ports/time.ts';
import { lastTicks, nextTick, runMoment } from './next-tick.ts';
import { afterQuiet, isQuiet } from './quiet-hours.ts';
import type { Schedule } from './schedule.ts';

/** A schedule between two of its ticks, as its session keeps it. */
export interface ScheduleState {
  readonly kind: 'schedule';
  readonly version: 1;
  readonly schedule: Schedule;
  /** Who has made it: the configuration, a person, or a tool in a conversation. Only the first is undone by leaving it out. */
  readonly origin: 'config' | 'added' | 'followup';
  /** `over`: no tick comes any more. */
  readonly status: 'active' | 'paused' | 'removed' | 'over';
  /** The tick that comes next and when its run is due; null where none comes. */
  readonly next: { readonly tick: number; readonly dueAt: number } | null;
  /** The latest tick that was decided about. */
  readonly lastTick: number | null;
  /** How many runs were posted, by ticks and by hand, and how many ticks were passed over. */
  readonly runs: number;
  readonly manualRuns: number;
  readonly passedOver: number;
  /** Grows with each entry that was posted for a tick: part of its key. */
  readonly serial: number;
}

/** What happens to a schedule. */
export type ScheduleChange =
  | { readonly type: 'put'; readonly schedule: Schedule; readonly origin: ScheduleState['origin'] }
  /** The entry of a tick was taken. */
  | { readonly type: 'due'; readonly key: string }
  | { readonly type: 'pause' | 'resume' | 'remove' | 'run-now' };

/** The state after a change, and what is committed with it. */
export interface FoldedSchedule {
  readonly state: ScheduleState;
  readonly posts: readonly InboxEntry[];
  readonly withdraws: readonly string[];
}

/** A run that comes this late has missed its time: `skip` passes it over. */
const lateMs = 60_000;
/** How many missed ticks `all` makes up for, the latest ones, and how long after each other. */
const mostMissed = 100;
const betweenMissedMs = 1_000;

/** The id of the session that a schedule is. */
export function scheduleSession(id: string): string {
  return `${scheduleIds}${id}`;
}

/**
 * What becomes of a schedule by a change at `now`, in epoch milliseconds. Pure. Each tick is decided about once: the
 * state holds the key of the one entry that is posted for it, and any other key changes nothing.
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

/** The key of the entry that is open for the next tick; null where none is. */
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
  // A tick that was decided about does not come again, whatever the schedule says now.
  const after = Math.max(now, state.lastTick ?? now);
  return { ...planned(state, nextTick(schedule, after), 0, civil), withdraws };
}

/** A tick's run, and the tick after it. */
function due(before: ScheduleState, now: number, civil: CivilTime): FoldedSchedule | null {
  const { schedule, next } = before;
  if (next === null) return null;
  // Whoever was late may find that quiet hours have begun.
  const isNight = schedule.quiet !== null && isQuiet(schedule.quiet, now, schedule.zone, civil);
  if (isNight) return planned(before, next.tick, afterQuiet(schedule.quiet, now, schedule.zone, civil), civil);
  if (schedule.catchUp === 'all') return dueEach(before, next.tick, now, civil);
  // Ticks that have come meanwhile, in quiet hours or while nobody was there, are one run with this one.
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

/** Each missed tick has its run, one after the other; of very many only the latest. */
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

/** The state that waits for a tick, and the entry that brings it, not before `earliest`. */
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

/** The entry that a run is; `name` tells it from the other runs of the schedule. */
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

/** What counts by real time goes on counting from where it began. */
function keepingCount(before: Schedule, given: Schedule): Schedule {
  const [was, is] = [before.when, given.when];
  if (was.type !== 'every' || is.type !== 'every' || was.everyMs !== is.everyMs) return given;
  if (was.isAnchored || is.isAnchored) return given;
  return { ...given, when: { ...is, from: was.from } };
}

function isSame(one: Schedule, other: Schedule): boolean {
  return hashOf(one) === hashOf(other);
}
