import { z } from 'zod';
import type { Reach } from '../../events/inbox.ts';
import type { JsonObject } from '../../events/json.ts';
import { isTimeZone } from '../schedules/cron.ts';
import { quietHoursSchema } from '../schedules/quiet-hours.ts';

/** One person whom a campaign reaches out to. */
export const recipientSchema = z.object({
  /** The person's id in the application: each is reached once in a round. */
  id: z.string().min(1).max(200),
  /** Where reading goes on after this one: given to the segment again. */
  cursor: z.string().max(1_000),
  /** Input of the flow, beside the campaign's own. */
  input: z.record(z.string(), z.json()).optional(),
  /** The zone of quiet hours; the campaign's where absent. */
  zone: z.string().refine(isTimeZone, 'must be an IANA time zone').optional(),
  /** Where the person is reached: a number, an address. */
  to: z.string().min(1).max(500).optional(),
});

/** One person whom a campaign reaches out to. */
export type Recipient = z.infer<typeof recipientSchema>;

/**
 * Reads recipients in a fixed order, those after a cursor; from the first one with null. `scheduledFor` is the time of the
 * round, in epoch milliseconds, and the same for all its pages.
 */
export type Segment = (after: string | null, round: { readonly scheduledFor: number }) => AsyncIterable<Recipient>;

/** Tells, right before somebody is reached out to, whether they may be. What throws or is late denies. */
export type MayContact = (recipient: {
  readonly campaign: string;
  readonly id: string;
  readonly to: string | null;
  readonly input: JsonObject;
}) => boolean | Promise<boolean>;

function functionOf<Shape>() {
  return z.custom<Shape>((value) => typeof value === 'function', 'must be a function');
}

/** A campaign as it is written in `agent.config.ts`. */
export const campaignSchema = z.strictObject({
  segment: functionOf<Segment>().describe('Whom it reaches: an async iterator over the recipients after a cursor.'),
  segmentId: z.string().min(1).optional().describe('The name of the segment in events; the campaign’s where absent.'),
  flow: z.string().min(1).describe('The flow that each recipient’s session begins with.'),
  input: z.record(z.string(), z.json()).optional().describe('Input of the flow for all of them.'),
  reach: z
    .enum(['call', 'message', 'wait'])
    .describe('message: by a text channel; call: they are called, as `calls` says; wait: kept for their call.'),
  channel: z.string().min(1).optional().describe('With reach message: the text channel, of `channels`.'),
  pace: z
    .strictObject({
      perSecond: z.number().positive().max(10_000).optional().describe('How many are begun in a second.'),
      atOnce: z.number().int().min(1).max(1_000).optional().describe('How many are under way at once.'),
    })
    .optional()
    .describe('As fast as the machine can where absent.'),
  quiet: quietHoursSchema.optional().describe('Hours in which nobody is reached, by the recipient’s clock.'),
  zone: z
    .string()
    .refine(isTimeZone, 'must be an IANA time zone')
    .optional()
    .describe('The zone of recipients who have none; `timeZone` where absent.'),
  pageSize: z.number().int().min(1).max(1_000).optional().describe('How many are read in one transaction; 100.'),
  mayContact: functionOf<MayContact>()
    .optional()
    .describe('Asked right before somebody is reached: false passes over them.'),
});

/** A campaign as it is written in `agent.config.ts`. */
export type CampaignOptions = z.infer<typeof campaignSchema>;

/** What of a campaign decides about its pages. */
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

/** The rules of a campaign, `zone` being that of recipients who have none. */
export function rulesOf(id: string, options: CampaignOptions, zone: string): CampaignRules {
  const { flow, input = {}, reach, channel = null, segmentId = id, pace = {}, quiet = null, pageSize = 100 } = options;
  const { perSecond = null, atOnce = null } = pace;
  return { flow, input, reach, channel, segmentId, perSecond, atOnce, quiet, zone: options.zone ?? zone, pageSize };
}
