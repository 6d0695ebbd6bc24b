import { z } from 'zod';
import { spokenTextSchema } from '../spoken-text.ts';
import { durationSchema } from '../times.ts';

/** How a call that the agent's side placed goes on until a person is on the line. */
export const calleeSchema = z
  .strictObject({
    voicemail: spokenTextSchema
      .optional()
      .describe(
        'The message for a voicemail, said after its greeting. It may contain {{ names }} of input and state. Default: none, the agent hangs up.',
      ),
    screener: spokenTextSchema
      .optional()
      .describe('The answer to an assistant that asks who is calling. Default: none, the agent hangs up.'),
    keys: z
      .string()
      .regex(/^[0-9*#A-Dw]{1,32}$/, 'must be keys of a telephone: 0-9, *, #, A-D, and w for a pause of half a second')
      .optional()
      .describe('The keys to press in a menu, in quotes; w is a pause of half a second. Default: the agent hangs up.'),
    hold: durationSchema
      .optional()
      .describe('How long to wait in a queue, or for the person after a screener or a menu. Default: 2m.'),
    again: z
      .strictObject({
        after: durationSchema.describe('The delay before the next call.'),
        times: z.number().int().min(1).max(20).describe('The number of further calls.'),
      })
      .optional()
      .describe('Calls again if no person was reached. A message is left once.'),
  })
  .meta({
    id: 'Callee',
    description:
      'Rules for calls that the agent’s side places and a machine answers. The flow begins when a person is on the line.',
  });

export type CalleeDocument = z.output<typeof calleeSchema>;
