import { z } from 'zod';

/** How telephone keys fill a slot. */
export const dtmfSchema = z
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

/** The keys of a telephone. */
export const telephoneKeys = '0123456789*#ABCD';
