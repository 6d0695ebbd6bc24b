import { z } from 'zod';

/**
 * What `safeParse` says of a value, whatever the schema does: one that throws, or that takes time, does not take the value.
 * Node types are also written by others.
 */
export function heldTo(schema: z.ZodType, value: unknown): z.ZodSafeParseResult<unknown> {
  try {
    return schema.safeParse(value);
  } catch {
    const message = 'the schema throws, or takes time, instead of telling.';
    return { success: false, error: new z.ZodError([{ code: 'custom', path: [], message, input: undefined }]) };
  }
}
