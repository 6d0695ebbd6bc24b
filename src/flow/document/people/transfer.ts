import { z } from 'zod';
import { spokenTextSchema } from '../spoken-text.ts';

const target = z.string().min(1).describe('The node to go to.').optional();

/** Puts the caller through to a person, another agent or another flow. */
export const transferSchema = z
  .strictObject({
    to: z
      .union([
        z.string().min(1),
        z.strictObject({ queue: z.string().min(1).describe('The queue or person to notify.') }),
        z.strictObject({ agent: z.string().min(1).describe('The name of a LiveKit agent.') }),
        z.strictObject({ flow: z.string().min(1).describe('The name of a flow.') }),
      ])
      .describe('A telephone number, a SIP address, or a queue, an agent or a flow. May contain {{ names }}.'),
    mode: z
      .enum(['cold', 'warm'])
      .optional()
      .describe(
        'cold (default): hands the caller’s line over. warm: dials the person, briefs them, and connects both in the call.',
      ),
    say: spokenTextSchema.optional().describe('A line for the caller before the transfer.'),
    brief: z
      .union([
        z.string().min(1),
        z.strictObject({
          summary: z
            .union([z.literal(true), z.string().min(1)])
            .describe('true, or the prompt: the model summarizes the conversation.'),
        }),
      ])
      .optional()
      .describe(
        'Words for the person before they hear the caller, with {{ names }}; or a summary. For warm and queues.',
      ),
    hold: z
      .string()
      .min(1)
      .optional()
      .describe(
        'What the caller hears during a warm transfer: music (default), silence, or the path of an audio file.',
      ),
    ringMs: z
      .number()
      .int()
      .min(5_000)
      .max(80_000)
      .optional()
      .describe('How long the person may take to answer, in milliseconds (30000).'),
    on: z
      .strictObject({
        answered: target.describe('After the person has hung up. Default: the conversation ends.'),
        busy: target,
        noAnswer: target,
        refused: target,
        voicemail: target,
        failed: target.describe('No line, no trunk, or an invalid target.'),
      })
      .optional()
      .describe('The next node by outcome. Other outcomes follow default_transition.'),
  })
  .meta({ id: 'Transfer', description: 'Puts the caller through to a person, another agent or another flow.' });

export type TransferDocument = z.output<typeof transferSchema>;
