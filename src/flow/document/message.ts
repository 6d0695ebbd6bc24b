import { z } from 'zod';
import { promptTextSchema } from './spoken-text.ts';

/** One prompt message. Its content may contain `{{ templates }}`. */
export const messageSchema = z
  .strictObject({
    role: z
      .enum(['system', 'developer', 'user', 'assistant'])
      .describe('The role of the message. `developer` means `system`.'),
    content: promptTextSchema.describe('The text. {{ name }} is filled in for each request.'),
  })
  .meta({ id: 'Message', description: 'One prompt message.' });

export type Message = z.output<typeof messageSchema>;
