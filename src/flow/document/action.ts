import { z } from 'zod';
import { spokenTextSchema } from './spoken-text.ts';

/** An action before a node speaks or after it has spoken. Custom actions may have additional fields. */
export const actionSchema = z
  .looseObject({
    type: z
      .string()
      .describe(
        '`tts_say` (text), `send_keys` (keys), `function` (handler), `end_conversation` (text), or the name of a registered action.',
      ),
    text: spokenTextSchema.optional().describe('For tts_say and end_conversation: the spoken text.'),
    keys: z
      .unknown()
      .optional()
      .describe(
        'For send_keys: the keys to press, with `w` for a pause of half a second, such as "w2w{{ account }}#".',
      ),
    handler: z.string().optional().describe('For function: the registered handler.'),
  })
  .meta({ id: 'Action', description: 'An action before a node speaks or after it has spoken.' });

export type ActionDocument = z.output<typeof actionSchema>;
