import { z } from 'zod';
import { FlowError } from '../../errors.ts';
import type { CivilTime } from '../../ports/time.ts';
import { durationMs, durationSchema } from '../duration.ts';
import { cronFault, isTimeZone, nextOfCron } from './cron.ts';
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
  .describe('What is done with what the agent says while nobody listens: kept, written, or kept for a call of yours.');

/** A schedule as it is written in `agent.config.ts`, by the command line or over HTTP. */
export const scheduleSchema = z.strictObject({
  at: moment.optional().describe('Once: a time on the wall of `zone`, or one with a zone of its own.'),
  every: durationSchema.optional().describe('Again and again, by real time: 15m, 2h, 1d. Cron is for times of day.'),
  from: moment.optional().describe('With `every`: the moment it is counted from; when it was added where absent.'),
  cron: z.string().min(1).optional().describe('Five fields by the clock on the wall of `zone`: 0 9 * * MON-FRI.'),
  zone: z.string().min(1).optional().describe('IANA time zone; `timeZone` of the configuration where absent.'),
  jitter: durationSchema.optional().describe('A run comes up to this much later, so that not all come at once.'),
  quiet: quietHoursSchema.optional().describe('Runs that fall into these hours wait for their end.'),
  catchUp: z
    .enum(['run_once', 'skip', 'all'])
    .optional()
    .describe('What becomes of runs that nobody was there for: run_once where absent.'),
  flow: z.string().min(1).optional().describe('Each run begins a session of this flow.'),
  input: z.record(z.string(), z.json()).optional().describe('With `flow`: its input.'),
  session: z.string().min(1).optional().describe('Each run is a turn of this kept session.'),
  say: z.string().min(1).optional().describe('With `session`: the words of the turn.'),
  campaign: z.string().min(1).optional().describe('Each run is a round of this campaign.'),
  reach: reachSchema.optional(),
});

/** A schedule as it is written. */
export type ScheduleOptions = z.infer<typeof scheduleSchema>;

/** What reading a schedule needs besides what is written. */
interface ScheduleReading {
  /** The zone of schedules that name none. */
  readonly zone: string;
  readonly civil: CivilTime;
  /** Epoch milliseconds: what `every` is counted from where nothing else is said. */
  readonly now: number;
}

/** Reads a schedule. Throws `schedule-invalid` with the place, the fact and the remedy of every fault. */
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

/** What is wrong with a schedule, a line each: the field, the fact and the remedy. */
export function scheduleFaults(given: ScheduleOptions, reading: ScheduleReading): readonly string[] {
  const { at, every, from, cron, zone = reading.zone } = given;
  const faults: string[] = [];
  const times = Object.entries({ at, every, cron }).flatMap(([name, value]) => (value === undefined ? [] : name));
  if (times.length !== 1)
    faults.push(`${times[0] ?? 'at'}: has ${times.join(' and ') || 'no time'}. Write one of at, every and cron.`);
  if (!isTimeZone(zone)) faults.push(`zone: "${zone}" is no time zone. Write an IANA name, such as Europe/Berlin.`);
  else faults.push(...timeFaults(given, zone, reading.civil));
  if (from !== undefined && every === undefined)
    faults.push('from: only every is counted from a moment. Leave it out.');
  return [...faults, ...runFaults(given)];
}

function timeFaults({ at, from, cron }: ScheduleOptions, zone: string, civil: CivilTime): string[] {
  const faults: string[] = [];
  for (const [field, text] of Object.entries({ at, from }))
    if (text !== undefined && momentOf(text, zone, civil) === null)
      faults.push(
        `${field}: ${text} is no moment in ${zone}: the date does not exist, or clocks are put forward past it. Write a later one.`,
      );
  if (cron === undefined) return faults;
  const fault = cronFault(cron);
  if (fault !== null)
    return [...faults, `cron: "${cron}" cannot be read (${fault}). Write five fields: 0 9 * * MON-FRI.`];
  // What comes at all comes within the 28 years after which the calendar repeats.
  if (nextOfCron(cron, zone, Date.UTC(2000, 0, 1)) === null)
    faults.push(`cron: "${cron}" never comes: no month has that day. Write L for the last day of a month.`);
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
  if (input !== undefined && flow === undefined) faults.push('input: only a flow takes one. Leave it out.');
  if ((say === undefined) !== (session === undefined)) faults.push('say: session and say go together. Write both.');
  if (campaign !== undefined && reach !== undefined) faults.push('reach: a campaign has its own. Write it there.');
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

/** A moment with a zone of its own, or a time on the wall of `zone`; null where there is none such. */
function momentOf(text: string, zone: string, civil: CivilTime): number | null {
  if (/(Z|[+-]\d\d:\d\d)$/.test(text)) {
    const at = Date.parse(text);
    return Number.isNaN(at) ? null : at;
  }
  return momentOfWall(text, zone, civil);
}
