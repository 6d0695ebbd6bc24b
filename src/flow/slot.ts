import { z } from 'zod';
import { slotTypeNames } from '../slots/slot-types.ts';
import { ladderSchema } from './ladder.ts';
import { spokenTextSchema } from './spoken-text.ts';

const dateBound = z.string().regex(/^(today|\d{4}-\d{2}-\d{2})$/, 'must be "today" or a date such as 2026-11-21');

/** A typed value the flow wants to know, correctable at any time. */
export const slotSchema = z
  .strictObject({
    type: z.enum(slotTypeNames).describe('What kind of value it is; decides how a spoken answer is read and checked.'),
    description: z.string().optional().describe('What the model is told about the value.'),
    ask: spokenTextSchema
      .optional()
      .describe('The question, spoken as it stands without an inference. Without it the model asks.'),
    optional: z.boolean().optional().describe('The flow may go on without it; it is kept when said.'),
    confirm: z.enum(['readback']).optional().describe('`readback`: the value is read back and needs a yes.'),
    confirmText: spokenTextSchema
      .optional()
      .describe('The read-back itself, with {{ value }}. Default: "{{ value }}, is that right?"'),
    pii: z.boolean().optional().describe('Personal data: kept out of logs, exports and traces.'),
    values: z
      .union([z.array(z.string()).min(1), z.record(z.string(), z.array(z.string()))])
      .optional()
      .describe('For `enum`: the values, or each value with the words that mean it.'),
    before: dateBound.optional().describe('For `date`: must lie before this day.'),
    after: dateBound.optional().describe('For `date`: must lie after this day.'),
    minimum: z.number().optional().describe('For numbers: the least allowed.'),
    maximum: z.number().optional().describe('For numbers: the greatest allowed.'),
    pattern: z.string().optional().describe('For text: a regular expression that the whole value must match.'),
    region: z.string().optional().describe('For `phone`: the country a local number belongs to, such as US.'),
    ladder: ladderSchema.optional().describe('What is done when the question is not answered.'),
  })
  .meta({ id: 'Slot', description: 'A typed value that the flow wants to know.' });

export type SlotDocument = z.output<typeof slotSchema>;
