import { defineCommand } from 'citty';
import { type OpenedConfig, zoneOf } from '../../config/config.ts';
import { FlowError } from '../../model/errors.ts';
import { isJsonObject, type Json, type JsonObject } from '../../model/json.ts';
import { digitsLost, lossyNumber } from '../../model/ports/lossy-numbers.ts';
import { schemaFaults } from '../../flow/document/problems/schema-faults.ts';
import type { ScheduleChange, ScheduleState } from '../../people/schedules/fold-schedule.ts';
import { planFaults } from '../../people/schedules/plan-shape.ts';
import { changeSchedule, listSchedules } from '../../people/schedules/keep-schedules.ts';
import { readSchedule, type ScheduleOptions, scheduleSchema } from '../../people/schedules/read-schedule.ts';
import type { Store } from '../../model/ports/store.ts';
import { keptSession } from '../../runner/conversation/kept-sessions.ts';
import { planParts } from '../../runner/plans.ts';
import { systemClock, systemIds } from '../../system.ts';
import { actAs, assertAllowed, operatorOf } from './operator.ts';
import { paint, print, printRow } from '../output.ts';
import { inStore, storeArgs } from './sessions.ts';
import { counted } from '../../model/ports/counted.ts';

const text = (description: string) => ({ type: 'string', description }) as const;

const acts = ['ls', 'add', 'pause', 'resume', 'run-now', 'remove'] as const;

export const scheduleCommand = defineCommand({
  args: {
    act: { type: 'positional', description: `The action: ${acts.join(', ')}. Default: ls.`, required: false },
    id: { type: 'positional', description: 'The id of the schedule.', required: false },
    ...storeArgs,
    at: text('With add: run once, such as 2026-12-01T09:00.'),
    every: text('With add: run at an interval, such as 15m.'),
    cron: text('With add: a cron expression of five fields, such as "0 9 * * MON-FRI".'),
    zone: text('With add: an IANA time zone. Default: the zone of the configuration.'),
    jitter: text('With add: the maximum random delay of a run.'),
    quiet: text('With add: hours without runs, such as 21:00-08:00.'),
    'catch-up': text('With add: run_once, skip or all. Default: run_once.'),
    flow: text('With add: each run starts a session of this flow.'),
    input: text('With add and --flow: the input as JSON.'),
    session: text('With add: each run is a turn of this session.'),
    say: text('With add and --session: the words of the turn.'),
    campaign: text('With add: each run is a round of this campaign.'),
    reach: text('With add: wait, message or call. Default: wait.'),
  },
  run: ({ args }) => {
    const { act = 'ls', id } = args;
    refuseUnused(act, id, args);
    return inStore(args, (store, config) => perform(act, id, args, store, config), accesses[act] ?? 'write');
  },
});

const accesses: Readonly<Record<string, 'read' | 'make'>> = { ls: 'read', add: 'make' };

/** Throws `option-invalid` or `option-empty` for options that an action does not take or lacks. */
function refuseUnused(act: string, id: string | undefined, args: Readonly<Record<string, unknown>>): void {
  if (!acts.some((one) => one === act))
    throw new FlowError('option-invalid', `schedule has no action "${act}". Use ${acts.join(', ')}.`);
  if (act !== 'ls' && (id ?? '').trim() === '')
    throw new FlowError('option-empty', `schedule ${act} needs the id of a schedule.`);
  if (act === 'ls' && id !== undefined)
    throw new FlowError('option-invalid', `schedule ls takes no id and lists all schedules. Remove "${id}".`);
  const unused = act === 'add' ? undefined : addOptions.find((name) => args[name] !== undefined);
  if (unused !== undefined)
    throw new FlowError(
      'option-invalid',
      `--${unused} works only with schedule add. Remove the schedule and add it again.`,
    );
}

const addOptions = [
  ...['at', 'every', 'cron', 'zone', 'jitter', 'quiet', 'catch-up'],
  ...['flow', 'input', 'session', 'say', 'campaign', 'reach'],
];

async function perform(
  act: string,
  id: string | undefined,
  args: Readonly<Record<string, unknown>>,
  store: Store,
  given: OpenedConfig | null,
): Promise<void> {
  const config = given ?? {};
  const parts = planParts(config, { store, clock: systemClock, ids: systemIds });
  const operator = operatorOf(given);
  if (act === 'ls') {
    await assertAllowed(operator, 'schedule:list', {});
    const schedules = await listSchedules(parts);
    for (const state of schedules) printRow(lineOf(state));
    if (schedules.length === 0) print(paint('dim', 'The store has no schedules.'));
    return;
  }
  const known = acts.find((one) => one === act);
  if (known === undefined || known === 'ls' || id === undefined) return; // Already reported above.
  const change = async (made: ScheduleChange, assertPossible = async (): Promise<void> => undefined): Promise<void> => {
    const acting = {
      action: 'schedule:change',
      resource: { name: id },
      details: { schedule: id, act: known },
    } as const;
    const act = async (): Promise<ScheduleState> => {
      await assertPossible();
      return await changeSchedule(parts, id, made);
    };
    printRow(lineOf(await actAs(operator, store, acting, act)));
  };
  if (known !== 'add') return await change({ type: known });
  const now = systemClock.now();
  const options = optionsIn(args);
  const reading = { zone: zoneOf(config), civil: parts.civil };
  const schedule = readSchedule(id, options, { ...reading, now });
  // Without a configuration the flows are not known here.
  const faults =
    given === null
      ? []
      : planFaults(
          { schedules: { [id]: options }, ...campaignsOf(given) },
          new Set(Object.keys(given.flows ?? {})),
          reading,
        );
  const [fault] = faults.filter((one) => one.startsWith(`schedules.${id}.`));
  if (fault !== undefined)
    throw new FlowError('schedule-invalid', fault.replace(`schedules.${id}`, `schedule "${id}"`));
  if (schedule.when.type === 'at' && schedule.when.at <= now)
    throw new FlowError('schedule-invalid', `schedule "${id}".at: the time is in the past. Give a later time.`);
  const { session } = options;
  await change({ type: 'put', schedule, origin: 'added' }, async () => {
    if (session !== undefined) await keptSession(store, session);
  });
}

/** The campaigns that a schedule may name. */
function campaignsOf({ campaigns }: OpenedConfig): Pick<OpenedConfig, 'campaigns'> {
  return campaigns === undefined ? {} : { campaigns };
}

/** Returns the options of a schedule in the form of the configuration. Throws `option-invalid`. */
function optionsIn(args: Readonly<Record<string, unknown>>): ScheduleOptions {
  const names = ['at', 'every', 'cron', 'zone', 'jitter', 'flow', 'session', 'say', 'campaign', 'reach'];
  const options: Record<string, unknown> = Object.fromEntries(
    names.flatMap((name) => (args[name] === undefined ? [] : [[name, args[name]]])),
  );
  if (typeof args['input'] === 'string') options['input'] = jsonOf(args['input']);
  if (typeof args['catch-up'] === 'string') options['catchUp'] = args['catch-up'];
  if (typeof args['quiet'] === 'string') {
    const [from, to, ...more] = args['quiet'].split('-');
    if (to === undefined || more.length > 0)
      throw new FlowError('option-invalid', '--quiet must be two times of day, such as 21:00-08:00.');
    options['quiet'] = { from, to };
  }
  const { data, error } = scheduleSchema.safeParse(options);
  if (data !== undefined) return data;
  const [fault = 'the options are not valid for a schedule.'] = schemaFaults(scheduleSchema, error.issues, options);
  throw new FlowError('option-invalid', `--${fault.replace(/^catchUp/, 'catch-up').replace(/^quiet\.\w+/, 'quiet')}`);
}

function jsonOf(input: string): JsonObject {
  let value: Json = null;
  try {
    value = JSON.parse(input) as Json;
  } catch {
    // Reported below.
  }
  if (!isJsonObject(value))
    throw new FlowError('option-invalid', '--input must be a JSON object, such as {"name":"Ada"}.');
  if (lossyNumber(input) !== null) throw new FlowError('option-invalid', `--input ${digitsLost}`);
  return value;
}

function lineOf({ schedule, status, next, runs, passedOver }: ScheduleState): string {
  const { when, zone } = schedule;
  const time =
    when.type === 'cron'
      ? `${when.cron} ${zone}`
      : when.type === 'at'
        ? new Date(when.at).toISOString()
        : `every ${when.everyMs / 1_000} s`;
  const due = next === null ? '' : `  next ${new Date(next.dueAt).toISOString()}`;
  const missed = passedOver === 0 ? '' : `, ${passedOver} passed over`;
  return `${schedule.id}  ${status}  ${time}${due}  ${counted(runs, 'run')}${missed}`;
}
