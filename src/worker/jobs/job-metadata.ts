import { z } from 'zod';
import { languageTagSchema } from '../../flow/document/language-tag.ts';
import { FlowError } from '../../model/errors.ts';
import type { EntryCorrelation } from '../../model/inbox.ts';
import type { JsonObject } from '../../model/json.ts';
import { digitsLost, lossyNumber } from '../../model/ports/lossy-numbers.ts';

const correlationSchema = z.strictObject({
  scheduleId: z.string().exactOptional(),
  campaignId: z.string().exactOptional(),
  segmentId: z.string().exactOptional(),
  recipientUserExternalId: z.string().exactOptional(),
  triggerType: z.enum(['at', 'every', 'cron', 'manual', 'followup', 'campaign']).exactOptional(),
  scheduledFor: z.number().exactOptional(),
  runAttempt: z.number().exactOptional(),
  callAttempt: z.number().exactOptional(),
  messageLeft: z.literal(true).exactOptional(),
}) satisfies z.ZodType<EntryCorrelation>;

const metadataSchema = z.strictObject({
  flow: z.string().optional().describe('Name of a flow of the configuration.'),
  // A repeated call also contains the number of its conversation.
  sessionId: z.string().min(1).max(220).optional().describe('Id of the conversation, such as a telephone number.'),
  input: z.record(z.string(), z.json()).optional().describe('Values for the input of the flow.'),
  language: languageTagSchema.optional().describe('Language of the conversation. Default: the flow’s.'),
  participant: z
    .string()
    .min(1)
    .optional()
    .describe('Identity of the caller. Default: the first participant who joins.'),
  correlation: correlationSchema.optional().describe('Ids of the schedule or campaign that starts the conversation.'),
  called: z.boolean().optional().describe('Whether your side calls the participant. A machine may answer then.'),
  again: z.boolean().optional().describe('Whether a lost call is repeated, which starts no new conversation.'),
  givenUp: z.boolean().optional().describe('Whether the conversation has ended each process that resumed it.'),
});

/** The metadata of a job about its call. */
export interface JobMetadata {
  readonly flow?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly input?: JsonObject | undefined;
  readonly language?: string | undefined;
  readonly participant?: string | undefined;
  readonly correlation?: EntryCorrelation | undefined;
  readonly called?: boolean | undefined;
  readonly again?: boolean | undefined;
  readonly givenUp?: boolean | undefined;
}

/** Parses the metadata of a job. Throws `metadata-invalid` with the place, never with the text itself. */
export function parseMetadata(text: string): JobMetadata {
  if (text.trim() === '') return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new FlowError('metadata-invalid', `the job's metadata is not JSON. ${shape}`);
  }
  if (lossyNumber(text) !== null) throw new FlowError('metadata-invalid', `the job's metadata ${digitsLost}`);
  const parsed = metadataSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map((issue) => issue.path.slice(0, 1).map(String).join('') || 'an unknown name');
  throw new FlowError('metadata-invalid', `the job's metadata is invalid at: ${faults.join(', ')}. ${shape}`);
}

const shape = 'Write { "flow": name, "sessionId": id, "input": { … }, "participant": identity }, each as needed.';
