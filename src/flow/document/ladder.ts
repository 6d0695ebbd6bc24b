import { z } from 'zod';
import { spokenListSchema } from './spoken-text.ts';

/** Steps for a question that is not answered. A slot's ladder overrides its node's, which overrides the flow's. */
export const ladderSchema = z
  .strictObject({
    noInputMs: z
      .number()
      .int()
      .min(0)
      .max(600_000)
      .optional()
      .describe('In a voice call: milliseconds of silence before the question is asked again (8000). 0 waits forever.'),
    attempts: z
      .number()
      .int()
      .min(1)
      .max(10)
      .optional()
      .describe('Unanswered attempts in a row before the flow takes another way (3).'),
    lines: spokenListSchema
      .optional()
      .describe(
        'Lines to say instead of repeating the question, one for each attempt; {{ question }} is the question.',
      ),
    onNoInput: z.string().optional().describe('The node to go to after this many silent attempts.'),
    onNoMatch: z.string().optional().describe('The node to go to after this many unanswered attempts.'),
  })
  .meta({ id: 'Ladder', description: 'Steps for a question that is not answered.' });

export type LadderDocument = z.output<typeof ladderSchema>;
