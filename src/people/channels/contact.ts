import { z } from 'zod';
import type { JsonObject } from '../../model/json.ts';

const contactSchema = z.object({
  /** The text channel, a name in `channels` of the configuration; null for calls only. */
  channel: z.string().nullable().default(null),
  /** A number or an address. */
  to: z.string().nullable().default(null),
  zone: z.string().optional(),
});

/** The contact of a session's person, stored as `contact` in the session's input. */
export type Contact = z.infer<typeof contactSchema>;

/** Returns the contact in a session's input; null if there is none. */
export function contactOf(input: JsonObject): Contact | null {
  return contactSchema.safeParse(input['contact']).data ?? null;
}
