import { z } from 'zod';

/** The report about a conversation after its end. */
export const outcomeSchema = z
  .strictObject({
    fields: z
      .union([z.array(z.string()), z.record(z.string(), z.unknown())])
      .optional()
      .describe(
        'The reported values: a list of names (slots, variables, node outputs), or values with {{ name }} by field.',
      ),
    summary: z
      .string()
      .trim()
      .min(1)
      .optional()
      .describe('An instruction for a summary, which the model writes after the conversation. Default: no summary.'),
  })
  .meta({ id: 'Outcome', description: 'The report about a conversation after its end.' });

export type OutcomeDocument = z.output<typeof outcomeSchema>;
