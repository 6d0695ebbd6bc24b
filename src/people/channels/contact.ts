import { z } from 'zod';
import type { JsonObject } from '../../events/json.ts';

const contactSchema = z.object({
  /** The text channel, of `channels` in the configuration; null where people are only called. */
  channel: z.string().nullable().default(null),
  /** A number or an address. */
  to: z.string().nullable().default(null),
  /** IANA time zone. */
  zone: z.string().optional(),
});

/** Where the person of a session is reached: kept as `contact` in the input that the session began with. */
export type Contact = z.infer<typeof contactSchema>;

/** The contact in a session's input; null where it has none. */
export function contactOf(input: JsonObject): Contact | null {
  return contactSchema.safeParse(input['contact']).data ?? null;
}
