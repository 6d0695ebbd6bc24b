import { z } from 'zod';
import { spokenListSchema } from './spoken-text.ts';

/** What is done about a question that is not answered; a slot's rule comes before its node's, and that before the flow's. */
export const ladderSchema = z
  .strictObject({
    noInputMs: z
      .number()
      .int()
      .min(0)
      .max(600_000)
      .optional()
      .describe('In a voice call: how long nobody speaks before the question is put again (8000). 0: for ever.'),
    attempts: z
      .number()
      .int()
      .min(1)
      .max(10)
      .optional()
      .describe('How often in a row it may be left unanswered before the flow goes another way (3).'),
    lines: spokenListSchema
      .optional()
      .describe('What is said instead of repeating it, one line for each attempt; {{ question }} is the question.'),
    onNoInput: z.string().optional().describe('The node to go to when nothing was said so often.'),
    onNoMatch: z.string().optional().describe('The node to go to when it was left unanswered so often.'),
  })
  .meta({ id: 'Ladder', description: 'What is done about a question that is not answered.' });

export type LadderDocument = z.output<typeof ladderSchema>;
