import { z } from 'zod';
import type { Reach } from '../../model/inbox.ts';
import type { JsonObject } from '../../model/json.ts';
import { isTimeZone } from '../schedules/time-zone.ts';
import { quietHoursSchema } from '../schedules/quiet-hours.ts';

/** A recipient of a campaign. */
export const recipientSchema = z.object({
  /** The recipient's id in the application. Each id is contacted once per round. */
  id: z.string().min(1).max(200),
  /** The position after this recipient. `segment` receives it to continue from here. */
  cursor: z.string().max(1_000),
  /** Input of the flow, merged over the input of the campaign. */
  input: z.record(z.string(), z.json()).optional(),
  /** The time zone for quiet hours. Default: the zone of the campaign. */
  zone: z.string().refine(isTimeZone, 'must be an IANA time zone').optional(),
  /** The number or address. */
  to: z.string().min(1).max(500).optional(),
});

/** A recipient of a campaign. */
export type Recipient = z.infer<typeof recipientSchema>;

/**
 * Reads recipients in a stable order: those after a cursor, or all if the cursor is null. `scheduledFor` is the time of
 * the round in epoch milliseconds, the same for all its pages.
 */
export type Segment = (after: string | null, round: { readonly scheduledFor: number }) => AsyncIterable<Recipient>;

/**
 * Checks right before the contact whether a recipient may be contacted. An error or a timeout postpones the contact.
 */
export type MayContact = (recipient: {
  readonly campaign: string;
  readonly id: string;
  readonly to: string | null;
  readonly input: JsonObject;
}) => boolean | Promise<boolean>;

function functionOf<Shape>() {
  return z.custom<Shape>((value) => typeof value === 'function', 'must be a function');
}

/** A campaign in `agent.config.ts`. */
export const campaignSchema = z.strictObject({
  segment: functionOf<Segment>().describe('Returns an async iterator of the recipients after a cursor.'),
  segmentId: z
    .string()
    .min(1)
    .optional()
    .describe('The name of the segment in events. Default: the id of the campaign.'),
  flow: z.string().min(1).describe('The flow that starts the session of each recipient.'),
  input: z.record(z.string(), z.json()).optional().describe('Input of the flow for all recipients.'),
  reach: z
    .enum(['call', 'message', 'wait'])
    .describe(
      'message: send a text by a channel; call: call the recipient, by the rules of `calls`; wait: wait until the recipient calls.',
    ),
  channel: z.string().min(1).optional().describe('With reach message: the name of a text channel in `channels`.'),
  pace: z
    .strictObject({
      perSecond: z.number().positive().max(10_000).optional().describe('Maximum number of recipients per second.'),
      atOnce: z
        .number()
        .int()
        .min(1)
        .max(1_000)
        .optional()
        .describe('Maximum number of conversations at the same time.'),
    })
    .optional()
    .describe('Limits of the speed. Default: no limit.'),
  quiet: quietHoursSchema.optional().describe('Hours without contacts, in the time zone of the recipient.'),
  zone: z
    .string()
    .refine(isTimeZone, 'must be an IANA time zone')
    .optional()
    .describe('The time zone of recipients without one. Default: `timeZone`.'),
  pageSize: z
    .number()
    .int()
    .min(1)
    .max(1_000)
    .optional()
    .describe('Number of recipients per transaction. Default: 100.'),
  mayContact: functionOf<MayContact>()
    .optional()
    .describe('Called right before the contact; false skips the recipient.'),
});

/** A campaign in `agent.config.ts`. */
export type CampaignOptions = z.infer<typeof campaignSchema>;

/** The settings of a campaign that determine its pages. */
export interface CampaignRules {
  readonly flow: string;
  readonly input: JsonObject;
  readonly reach: Reach;
  readonly channel: string | null;
  readonly segmentId: string;
  readonly perSecond: number | null;
  readonly atOnce: number | null;
  readonly quiet: { readonly from: string; readonly to: string } | null;
  readonly zone: string;
  readonly pageSize: number;
}

/** Returns the rules of a campaign; `zone` is the default time zone of recipients. */
export function rulesOf(id: string, options: CampaignOptions, zone: string): CampaignRules {
  const { flow, input = {}, reach, channel = null, segmentId = id, pace = {}, quiet = null, pageSize = 100 } = options;
  const { perSecond = null, atOnce = null } = pace;
  return { flow, input, reach, channel, segmentId, perSecond, atOnce, quiet, zone: options.zone ?? zone, pageSize };
}
