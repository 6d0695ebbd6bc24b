import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { InboxEntry } from '../../src/model/inbox.ts';
import { foldSchedule, type ScheduleChange, type ScheduleState } from '../../src/people/schedules/fold-schedule.ts';
import { lastTicks, nextTick } from '../../src/people/schedules/next-tick.ts';
import { isQuiet } from '../../src/people/schedules/quiet-hours.ts';
import { readSchedule, type ScheduleOptions } from '../../src/people/schedules/read-schedule.ts';
import type { Schedule } from '../../src/people/schedules/schedule.ts';
import { systemCivilTime as civil } from '../../src/system.ts';
import { tries } from '../tries.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const newYear = Date.UTC(2027, 11, 31, 12);

describe('ticks', () => {
  test('a time of day comes once on each day of a year, in zones with and without summer time, in a leap year', () => {
    for (const zone of ['Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', 'UTC']) {
      const schedule = read({ cron: '30 2 * * *', zone });
      const days: string[] = [];
      for (let at = nextTick(schedule, newYear); at !== null && days.length < 366; at = nextTick(schedule, at)) {
        const [day = '', time = ''] = civil(at, zone).split('T');
        days.push(day);
        // On the day when clocks skip this time, the tick comes at the first moment after it.
        expect(time === '02:30' || (time === '03:00' && civil(at - 1, zone).endsWith('T01:59')), `${zone} ${day}`).toBe(
          true,
        );
      }
      expect(days).toEqual(
        Array.from({ length: 366 }, (_, i) => new Date(Date.UTC(2028, 0, 1 + i)).toISOString().slice(0, 10)),
      );
    }
    expect(dates({ cron: '0 0 29 2 *', zone: 'Europe/Berlin' }, 2)).toEqual(['2028-02-29T00:00', '2032-02-29T00:00']);
  });

  test('an interval is real time, regardless of clock changes', () => {
    const schedule = read({ every: '1d', from: '2028-03-25T09:00', zone: 'Europe/Berlin' });
    const first = nextTick(schedule, Date.UTC(2028, 2, 25, 12)) ?? 0;
    expect(civil(first, 'Europe/Berlin')).toBe('2028-03-26T10:00');
  });

  test('searching backwards finds the same ticks as searching forwards', () => {
    const cron = fc.constantFrom('*/20 2 * * *', '30 1 * * *', '0 */5 * * 1-5', '15 3 L * *');
    const zone = fc.constantFrom('Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe');
    fc.assert(
      fc.property(
        cron,
        zone,
        fc.integer({ min: 0, max: 366 }),
        fc.integer({ min: 1, max: 20 }),
        (pattern, place, day, limit) => {
          const schedule = read({ cron: pattern, zone: place });
          const [after, until] = [newYear + day * dayMs, newYear + (day + 3) * dayMs];
          const found: number[] = [];
          for (let at = nextTick(schedule, after); at !== null && at <= until; at = nextTick(schedule, at))
            found.push(at);
          expect(lastTicks(schedule, after, until, limit)).toEqual(found.slice(-limit));
        },
      ),
      { numRuns: tries(60) },
    );
  });
});

describe('a year of a schedule', () => {
  const options = fc.record({
    zone: fc.constantFrom('Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe'),
    when: fc.constantFrom(
      { cron: '30 2 * * *' },
      { cron: '0 7,12,22 * * *' },
      { every: '5h' },
      { cron: '0 */3 * * *' },
    ),
    jitter: fc.constantFrom(undefined, '7m', '4h'),
    quiet: fc.constantFrom(undefined, { from: '21:00', to: '08:00' }, { from: '02:00', to: '02:30' }),
    catchUp: fc.constantFrom('run_once' as const, 'skip' as const, 'all' as const),
  });
  /** Outages of the clerks: the first day, and the number of hours. */
  const outages = fc.array(fc.record({ day: fc.integer({ min: 0, max: 44 }), hours: fc.constantFrom(0.01, 5, 80) }), {
    maxLength: 4,
  });

  test('T1 T2: no tick is lost, doubled or early, quiet hours are respected, and missed ticks follow catchUp', () => {
    fc.assert(
      fc.property(options, outages, ({ when, jitter, ...rest }, away) => {
        const schedule = read({ ...when, ...rest, ...(jitter === undefined ? {} : { jitter }) });
        const begin = Date.UTC(2028, 1, 20);
        const until = begin + 45 * dayMs;
        const { runs, state } = lived(
          schedule,
          begin,
          until,
          away.map(({ day, hours }) => [begin + day * dayMs, hours * hourMs] as const),
        );
        const ticks = runs.map(({ tick }) => tick);
        const all = lastTicks(schedule, begin, state.lastTick ?? 0, 5_000);
        expect(ticks).toEqual([...new Set(ticks)].toSorted((one, other) => one - other));
        expect(ticks.every((tick) => all.includes(tick))).toBe(true);
        for (const { tick, at } of runs) {
          expect(at).toBeGreaterThanOrEqual(tick);
          if (schedule.quiet !== null) expect(isQuiet(schedule.quiet, at, schedule.zone, civil)).toBe(false);
        }
        if (schedule.catchUp === 'all') expect(ticks).toEqual(all);
        // Each tick is followed by a run at or after it, unless the schedule skips late ticks.
        else if (schedule.catchUp === 'run_once') expect(ticks.at(-1)).toBe(all.at(-1));
        else if (away.length === 0 && schedule.quiet === null) expect(ticks).toEqual(all);
      }),
      { numRuns: tries(20) },
    );
  });

  test('T2: after hours without a scheduler, missed ticks lead to one run, none, or one each over time', () => {
    const missed = (catchUp: 'run_once' | 'skip' | 'all'): readonly string[] => {
      const schedule = read({ cron: '0 * * * *', catchUp });
      const { runs } = lived(schedule, newYear, newYear + 7 * hourMs, [[newYear + 1.5 * hourMs, 5 * hourMs]]);
      return runs.map(
        ({ tick, at }) => `${civil(tick, 'UTC').slice(11)} at ${new Date(at).toISOString().slice(11, 19)}`,
      );
    };
    expect(missed('run_once').slice(0, 3)).toEqual(['13:00 at 13:00:00', '18:00 at 18:30:00', '19:00 at 19:00:00']);
    expect(missed('skip').slice(0, 2)).toEqual(['13:00 at 13:00:00', '19:00 at 19:00:00']);
    expect(missed('all').slice(0, 6)).toEqual([
      '13:00 at 13:00:00',
      '14:00 at 18:30:00',
      '15:00 at 18:30:01',
      '16:00 at 18:30:02',
      '17:00 at 18:30:03',
      '18:00 at 18:30:04',
    ]);
  });

  test('T1: a clock that is set an hour forward and back neither doubles nor loses a tick', () => {
    const schedule = read({ cron: '*/30 * * * *' });
    let state = put(null, schedule, newYear);
    const ticks: string[] = [];
    for (const at of [newYear + 1_800_000, newYear + 3_600_000 + 3_600_000, newYear + 3_660_000, newYear + 9_000_000]) {
      if (at < (state.next?.dueAt ?? 0)) continue;
      const { posts, state: after } = fold(state, { type: 'due', key: keyOf(state) }, at);
      state = after;
      ticks.push(
        ...posts.filter(isRun).map(({ correlation }) => civil(correlation.scheduledFor ?? 0, 'UTC').slice(11)),
      );
    }
    expect(ticks).toEqual(['12:30', '14:00', '14:30']);
  });
});

describe('a schedule that is changed', () => {
  test('posts nothing while paused, and resumes with the next tick', () => {
    const begun = put(null, read({ cron: '0 * * * *' }), newYear);
    const paused = fold(begun, { type: 'pause' }, newYear + 1);
    expect(paused).toMatchObject({ posts: [], withdraws: [keyOf(begun)] });
    // A clerk that had already taken the entry finds the run over.
    expect(foldSchedule(paused.state, { type: 'due', key: keyOf(begun) }, newYear + 3_600_000, civil)).toBeNull();
    const resumed = fold(paused.state, { type: 'resume' }, newYear + 5.5 * 3_600_000);
    expect(resumed.posts.map(({ dueAt }) => civil(dueAt, 'UTC'))).toEqual(['2027-12-31T18:00']);
  });

  test('is unchanged by an equal schedule, and a new time replaces the first', () => {
    const begun = put(null, read({ every: '2h' }), newYear);
    const later = { type: 'put', origin: 'config', schedule: read({ every: '2h' }, newYear + 1_000) } as const;
    expect(foldSchedule(begun, later, newYear + 1_000, civil)).toBeNull();
    const changed = fold(begun, { ...later, schedule: read({ every: '3h' }, newYear + 1_000) }, newYear + 1_000);
    expect(changed.withdraws).toEqual([keyOf(begun)]);
    expect(changed.posts.map(({ dueAt }) => dueAt)).toEqual([newYear + 1_000 + 3 * 3_600_000]);
  });

  test('keeps its ticks after a manual run', () => {
    const begun = put(null, read({ cron: '0 * * * *', flow: 'reminder', input: { name: 'Ada' } }), newYear);
    const { state, posts } = fold(begun, { type: 'run-now' }, newYear + 5);
    expect(posts).toMatchObject([
      {
        key: 'schedule/s/run/manual/1',
        sessionId: 'run/s/manual/1',
        signal: { type: 'session:started', flow: 'reminder', input: { name: 'Ada' } },
        correlation: { scheduleId: 's', triggerType: 'manual', scheduledFor: newYear + 5, runAttempt: 1 },
      },
    ]);
    expect(state.next).toEqual(begun.next);
  });
});

describe('a schedule that cannot be', () => {
  test.each([
    [{ at: '2028-03-26T02:30', zone: 'Europe/Berlin' }, 'at: 2028-03-26T02:30 does not exist in Europe/Berlin'],
    [{ cron: '0 0 31 2 *' }, 'cron: "0 0 31 2 *" never occurs'],
    [{ cron: '0 9 * * * *' }, 'Write five fields'],
    [{ cron: '61 * * * *' }, 'Invalid value for minute: 61'],
    [{ cron: '0 9 * * *', zone: 'Mars/Base' }, 'zone: "Mars/Base" is not a time zone'],
    [{ at: '2028-01-01T09:00', every: '1h' }, 'at: has at and every. Write one of'],
    [{ cron: '0 9 * * *', session: 'S' }, 'flow: runs flow and session'],
  ] satisfies [ScheduleOptions, string][])('%j', (given, fault) => {
    expect(() => read(given)).toThrow(fault);
    expect(() => read(given)).toThrow('schedule-invalid: schedule "s".');
  });

  test('a time that clocks show twice means the first', () => {
    const schedule = read({ at: '2028-10-29T02:30', zone: 'Europe/Berlin' });
    expect(schedule.when).toEqual({ type: 'at', at: Date.UTC(2028, 9, 29, 0, 30) });
  });
});

function read(given: ScheduleOptions, now = newYear): Schedule {
  return readSchedule('s', { flow: 'reminder', ...given }, { zone: 'UTC', civil, now });
}

function dates(given: ScheduleOptions, count: number): readonly string[] {
  const schedule = read(given);
  const found: string[] = [];
  for (let at = nextTick(schedule, newYear); at !== null && found.length < count; at = nextTick(schedule, at))
    found.push(civil(at, schedule.zone));
  return found;
}

function fold(state: ScheduleState | null, change: ScheduleChange, now: number) {
  const folded = foldSchedule(state, change, now, civil);
  if (folded === null) throw new Error(`${change.type} changed nothing`);
  return folded;
}

function put(state: ScheduleState | null, schedule: Schedule, now: number): ScheduleState {
  return fold(state, { type: 'put', schedule, origin: 'config' }, now).state;
}

function keyOf({ schedule, serial }: ScheduleState): string {
  return `schedule/${schedule.id}/tick/${serial}`;
}

function isRun({ signal }: InboxEntry): boolean {
  return signal.type !== 'schedule:due';
}

/** The runs of a schedule during outages of the clerks. Each outage has a start and a length in milliseconds. */
function lived(schedule: Schedule, begin: number, until: number, outages: readonly (readonly [number, number])[]) {
  let state = put(null, schedule, begin);
  const runs: { tick: number; at: number }[] = [];
  let now = begin;
  while (state.next !== null && state.next.dueAt <= until) {
    now = Math.max(now, state.next.dueAt);
    for (const [from, lengthMs] of outages) if (from <= now && now < from + lengthMs) now = from + lengthMs;
    const { state: after, posts } = fold(state, { type: 'due', key: keyOf(state) }, now);
    state = after;
    runs.push(...posts.filter(isRun).map(({ correlation }) => ({ tick: correlation.scheduledFor ?? 0, at: now })));
  }
  return { runs, state };
}
