import { z } from 'zod';
import type { CivilTime } from '../../model/ports/time.ts';
import { campaignSchema } from '../campaigns/campaign.ts';
import { channelSchema } from '../channels/text-channel.ts';
import { reachSchema, scheduleFaults, scheduleSchema } from './read-schedule.ts';

const id = z.string().regex(/^[\w.-]{1,100}$/, 'must be letters, digits, dots, dashes and underscores');

/** The fields of `agent.config.ts` for work without a caller. */
export const planShape = {
  schedules: z
    .record(id, scheduleSchema)
    .optional()
    .describe('Schedules by id. Each starts sessions, turns of a stored session, or rounds of a campaign.'),
  campaigns: z
    .record(id, campaignSchema)
    .optional()
    .describe('Campaigns by id. Each starts a flow with many recipients.'),
  channels: z.record(id, channelSchema).optional().describe('Text channels by name: sms: { send }.'),
  followUps: z
    .strictObject({ reach: reachSchema.optional() })
    .optional()
    .describe('Gives the agent the tool schedule_followup, which schedules a turn of the same session.'),
};

const planSchema = z.object(planShape);

/** The schedules, campaigns and text channels of a configuration. */
export type Plans = z.infer<typeof planSchema>;

/** Returns the faults in the references of plans, one line each with its place. */
export function planFaults(
  { schedules = {}, campaigns = {}, channels = {} }: Plans,
  flows: ReadonlySet<string>,
  reading: { readonly zone: string; readonly civil: CivilTime },
): readonly string[] {
  const faults: string[] = [];
  const known = (names: Iterable<string>): string => [...names].join(', ') || 'there are none';
  const unknownFlow = (place: string, flow: string): string[] =>
    flows.has(flow) ? [] : [`${place}: flow "${flow}" is not among flows (${known(flows)}). Add it or name another.`];
  for (const [name, schedule] of Object.entries(schedules)) {
    const place = `schedules.${name}`;
    const { flow, campaign } = schedule;
    faults.push(...scheduleFaults(schedule, { ...reading, now: 0 }).map((fault) => `${place}.${fault}`));
    if (flow !== undefined) faults.push(...unknownFlow(`${place}.flow`, flow));
    if (campaign !== undefined && !Object.hasOwn(campaigns, campaign))
      faults.push(
        `${place}.campaign: "${campaign}" is not among campaigns (${known(Object.keys(campaigns))}). Add it or name another.`,
      );
  }
  for (const [name, { flow, reach, channel }] of Object.entries(campaigns)) {
    faults.push(...unknownFlow(`campaigns.${name}.flow`, flow));
    const isThere = channel === undefined ? reach !== 'message' : Object.hasOwn(channels, channel);
    if (!isThere)
      faults.push(
        `campaigns.${name}.channel: ${channel === undefined ? 'messages need one' : `"${channel}" is not there`} (${known(Object.keys(channels))}). Name one of channels.`,
      );
  }
  return faults;
}
