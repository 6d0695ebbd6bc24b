import { z } from 'zod';
import { languageTagSchema } from '../../flow/document/language-tag.ts';
import { FlowError } from '../../model/errors.ts';
import type { EntryCorrelation } from '../../model/inbox.ts';
import type { JsonObject } from '../../model/json.ts';
import { digitsLost, unkeptNumber } from '../../model/ports/kept-numbers.ts';

const correlationSchema = z.strictObject({
  scheduleId: z.string().exactOptional(),
  campaignId: z.string().exactOptional(),
  segmentId: z.string().exactOptional(),
  recipientUserExternalId: z.string().exactOptional(),
  triggerType: z.enum(['at', 'every', 'cron', 'manual', 'followup', 'campaign']).exactOptional(),
  scheduledFor: z.number().exactOptional(),
  runAttempt: z.number().exactOptional(),
}) satisfies z.ZodType<EntryCorrelation>;

const metadataSchema = z.strictObject({
  flow: z.string().optional().describe('The name of a flow of the configuration.'),
  // A repeated call also contains the number of its conversation.
  sessionId: z.string().min(1).max(220).optional().describe('The id of the conversation, such as a telephone number.'),
  input: z.record(z.string(), z.json()).optional().describe('Values for the input of the flow.'),
  language: languageTagSchema.optional().describe('The language of the conversation; that of the flow where absent.'),
  participant: z.string().min(1).optional().describe('The identity of the caller; whoever joins first where absent.'),
  correlation: correlationSchema.optional().describe('The schedule or the campaign that begins the conversation.'),
  again: z.boolean().optional().describe('Whether a lost call is repeated, which begins no other conversation.'),
  givenUp: z.boolean().optional().describe('Whether its conversation has ended each process that went on with it.'),
});

/** The metadata of a job about its call. */
export interface JobMetadata {
  readonly flow?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly input?: JsonObject | undefined;
  readonly language?: string | undefined;
  readonly participant?: string | undefined;
  readonly correlation?: EntryCorrelation | undefined;
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
    throw new FlowError('metadata-invalid', `the job's metadata is no JSON. ${shape}`);
  }
  if (unkeptNumber(text) !== null) throw new FlowError('metadata-invalid', `the job's metadata ${digitsLost}`);
  const parsed = metadataSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map((issue) => issue.path.slice(0, 1).map(String).join('') || 'an unknown name');
  throw new FlowError('metadata-invalid', `the job's metadata is wrong at: ${faults.join(', ')}. ${shape}`);
}

const shape = 'Write { "flow": name, "sessionId": id, "input": { … }, "participant": identity }, each as needed.';
