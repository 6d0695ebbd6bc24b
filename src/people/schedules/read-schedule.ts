import { z } from 'zod';
import { FlowError } from '../../model/errors.ts';
import type { CivilTime } from '../../model/ports/time.ts';
import { durationMs, durationSchema } from '../duration.ts';
import { cronFault, nextOfCron } from './cron.ts';
import { isTimeZone } from './time-zone.ts';
import { quietHoursSchema } from './quiet-hours.ts';
import type { Schedule, ScheduledRun, ScheduleTime } from './schedule.ts';
import { momentOfWall } from './wall-time.ts';

const moment = z
  .string()
  .regex(
    /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?(Z|[+-]\d\d:\d\d)|Z|[+-]\d\d:\d\d)?$/,
    'must be 2026-12-01T09:00, or with a zone 2026-12-01T09:00Z',
  );

export const reachSchema = z
  .enum(['wait', 'message', 'call'])
  .describe(
    'Delivery of the agent’s words without a listener: wait stores them, message sends a text, call starts a call.',
  );

/** A schedule in `agent.config.ts`, on the command line or over HTTP. */
export const scheduleSchema = z.strictObject({
  at: moment.optional().describe('Run once at this time, local to `zone` unless it has an offset.'),
  every: durationSchema.optional().describe('Run at this interval: 15m, 2h, 1d. Use cron for times of day.'),
  from: moment
    .optional()
    .describe('With `every`: the start of the interval. Default: the time when the schedule is added.'),
  cron: z.string().min(1).optional().describe('Five cron fields in local time of `zone`: 0 9 * * MON-FRI.'),
  zone: z.string().min(1).optional().describe('IANA time zone. Default: `timeZone` of the configuration.'),
  jitter: durationSchema.optional().describe('Maximum random delay of a run, to spread the load.'),
  quiet: quietHoursSchema.optional().describe('Runs in these hours wait until their end.'),
  catchUp: z
    .enum(['run_once', 'skip', 'all'])
    .optional()
    .describe('Handling of runs that were missed while no process ran. Default: run_once.'),
  flow: z.string().min(1).optional().describe('Each run starts a session of this flow.'),
  input: z.record(z.string(), z.json()).optional().describe('With `flow`: the input of the flow.'),
  session: z.string().min(1).optional().describe('Each run is a turn of this stored session.'),
  say: z.string().min(1).optional().describe('With `session`: the words of the turn.'),
  campaign: z.string().min(1).optional().describe('Each run is a round of this campaign.'),
  reach: reachSchema.optional(),
});

/** The options of a schedule as written by a user. */
export type ScheduleOptions = z.infer<typeof scheduleSchema>;

/** Context for reading a schedule. */
interface ScheduleReading {
  /** The default time zone. */
  readonly zone: string;
  readonly civil: CivilTime;
  /** Epoch milliseconds: the start of `every` without `from`. */
  readonly now: number;
}

/** Reads a schedule. Throws `schedule-invalid` with the place, the fact and the remedy of each fault. */
export function readSchedule(id: string, given: ScheduleOptions, reading: ScheduleReading): Schedule {
  const faults = scheduleFaults(given, reading);
  if (faults.length > 0)
    throw new FlowError('schedule-invalid', faults.map((fault) => `schedule "${id}".${fault}`).join('\n  '));
  const zone = given.zone ?? reading.zone;
  return {
    id,
    when: timeOf(given, zone, reading),
    zone,
    jitterMs: given.jitter === undefined ? 0 : durationMs(given.jitter),
    quiet: given.quiet ?? null,
    catchUp: given.catchUp ?? 'run_once',
    run: runOf(given),
  };
}

/** Returns the faults of a schedule, one line each: field, fact and remedy. */
export function scheduleFaults(given: ScheduleOptions, reading: ScheduleReading): readonly string[] {
  const { at, every, from, cron, zone = reading.zone } = given;
  const faults: string[] = [];
  const times = Object.entries({ at, every, cron }).flatMap(([name, value]) => (value === undefined ? [] : name));
  if (times.length !== 1)
    faults.push(`${times[0] ?? 'at'}: has ${times.join(' and ') || 'no time'}. Write one of at, every and cron.`);
  if (!isTimeZone(zone)) faults.push(`zone: "${zone}" is not a time zone. Write an IANA name, such as Europe/Berlin.`);
  else faults.push(...timeFaults(given, zone, reading.civil));
  if (from !== undefined && every === undefined) faults.push('from: works only with every. Remove it.');
  return [...faults, ...runFaults(given)];
}

function timeFaults({ at, from, cron }: ScheduleOptions, zone: string, civil: CivilTime): string[] {
  const faults: string[] = [];
  for (const [field, text] of Object.entries({ at, from }))
    if (text !== undefined && momentOf(text, zone, civil) === null)
      faults.push(
        `${field}: ${text} does not exist in ${zone}: the date is not valid, or the clock skips this time. Write a later time.`,
      );
  if (cron === undefined) return faults;
  const fault = cronFault(cron);
  if (fault !== null)
    return [...faults, `cron: "${cron}" cannot be read (${fault}). Write five fields: 0 9 * * MON-FRI.`];
  // The calendar repeats after 28 years, so a pattern without a time until then has none.
  if (nextOfCron(cron, zone, Date.UTC(2000, 0, 1)) === null)
    faults.push(`cron: "${cron}" never occurs: no month has that day. Write L for the last day of a month.`);
  return faults;
}

function runFaults({ flow, input, session, say, campaign, reach }: ScheduleOptions): string[] {
  const faults: string[] = [];
  const runs = Object.entries({ flow, session, campaign }).flatMap(([name, value]) =>
    value === undefined ? [] : name,
  );
  if (runs.length !== 1)
    faults.push(
      `${runs[0] ?? 'flow'}: runs ${runs.join(' and ') || 'nothing'}. Write one of flow, session and campaign.`,
    );
  if (input !== undefined && flow === undefined) faults.push('input: works only with flow. Remove it.');
  if ((say === undefined) !== (session === undefined)) faults.push('say: session and say need each other. Write both.');
  if (campaign !== undefined && reach !== undefined)
    faults.push('reach: a campaign defines it itself. Write it there.');
  return faults;
}

function timeOf(
  { at, every, from, cron }: ScheduleOptions,
  zone: string,
  { civil, now }: ScheduleReading,
): ScheduleTime {
  if (at !== undefined) return { type: 'at', at: momentOf(at, zone, civil) ?? 0 };
  if (cron !== undefined) return { type: 'cron', cron };
  const start = from === undefined ? null : momentOf(from, zone, civil);
  return { type: 'every', everyMs: durationMs(every ?? '1d'), from: start ?? now, isAnchored: start !== null };
}

function runOf({ flow, input = {}, session, say, campaign, reach = 'wait' }: ScheduleOptions): ScheduledRun {
  if (campaign !== undefined) return { type: 'campaign', campaignId: campaign };
  if (session !== undefined) return { type: 'turn', sessionId: session, text: say ?? '', reach };
  return { type: 'flow', flow: flow ?? '', input, reach };
}

/** Parses a time with an offset, or a local time of `zone`; null if it does not exist. */
function momentOf(text: string, zone: string, civil: CivilTime): number | null {
  if (/(Z|[+-]\d\d:\d\d)$/.test(text)) {
    const at = Date.parse(text);
    return Number.isNaN(at) ? null : at;
  }
  return momentOfWall(text, zone, civil);
}
