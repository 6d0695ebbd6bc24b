import { z } from 'zod';
import { whenSchema } from '../expression/when.ts';
import { slotTypeNames } from '../slots/slot-types.ts';
import { ladderSchema } from './ladder.ts';
import { spokenTextSchema } from './spoken-text.ts';

const momentBound = z
  .string()
  .regex(
    /^(today|\d{4}-\d{2}-\d{2}|\d{2}:\d{2})$/,
    'must be "today", a date such as 2026-11-21 or a time such as 09:30',
  );

/** How telephone keys fill a slot. */
const dtmfSchema = z
  .strictObject({
    digits: z
      .union([
        z.number().int().min(1).max(32),
        z.string().regex(/^\d{1,2}\.\.\d{1,2}$/, 'must be a number such as 6, or a range such as 4..8'),
      ])
      .describe('The number of digits, such as 6, or a range, such as 4..8.'),
    end: z
      .enum(['#', '*'])
      .optional()
      .describe('The key that ends the entry, in quotes. Default: "#". The other one of # and * clears the entry.'),
    timeoutMs: z
      .number()
      .int()
      .min(500)
      .max(60_000)
      .optional()
      .describe('The pause after a key that ends the entry, in milliseconds (3000).'),
  })
  .meta({ id: 'Dtmf', description: 'How telephone keys fill a slot.' });

export type DtmfDocument = z.output<typeof dtmfSchema>;

/** A typed value that the flow collects, correctable at any time. */
export const slotSchema = z
  .strictObject({
    type: z.enum(slotTypeNames).describe('The type of the value. It decides how a spoken answer is read and checked.'),
    description: z.string().optional().describe('A description of the value for the model.'),
    ask: spokenTextSchema
      .optional()
      .describe('The question, spoken word for word without an inference. Without it the model asks.'),
    optional: z
      .boolean()
      .optional()
      .describe('Whether the flow may continue without the value. It is kept if the caller says it.'),
    askWhen: whenSchema
      .optional()
      .describe(
        'The slot is asked for only while this condition is true. A value that the caller says is kept in any case.',
      ),
    confirm: z
      .enum(['readback'])
      .optional()
      .describe('`readback`: the agent reads the value back and waits for a yes.'),
    confirmText: spokenTextSchema
      .optional()
      .describe('The read-back itself, with {{ value }}. Default: "{{ value }}, is that right?"'),
    pii: z.boolean().optional().describe('Personal data, which logs, exports and traces leave out.'),
    values: z
      .union([z.array(z.string()).min(1), z.record(z.string(), z.array(z.string()))])
      .optional()
      .describe('For `enum`: the values, or each value with its words.'),
    before: momentBound
      .optional()
      .describe('For `date`: must lie before this day. For `time`: must be earlier than this time.'),
    after: momentBound
      .optional()
      .describe('For `date`: must lie after this day. For `time`: must be this time or later.'),
    ends: z
      .string()
      .optional()
      .describe('The slot that begins the range which this slot ends. "From Monday to Friday" fills both.'),
    minimum: z.number().optional().describe('For numbers: the minimum.'),
    maximum: z.number().optional().describe('For numbers: the maximum.'),
    pattern: z
      .string()
      .optional()
      .describe('For text and codes: a regular expression that the whole value must match.'),
    region: z.string().optional().describe('For `phone`: the country of local numbers, such as US.'),
    dtmf: dtmfSchema.optional().describe('The caller may press the value on the telephone instead of saying it.'),
    ladder: ladderSchema.optional().describe('Steps if the question is not answered.'),
  })
  .meta({ id: 'Slot', description: 'A typed value that the flow collects.' });

export type SlotDocument = z.output<typeof slotSchema>;
