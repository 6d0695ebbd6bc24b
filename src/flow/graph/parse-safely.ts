import { z } from 'zod';

/** Like `safeParse`, but a schema that throws or is asynchronous rejects the value. Third parties also write node types. */
export function parseSafely(schema: z.ZodType, value: unknown): z.ZodSafeParseResult<unknown> {
  try {
    return schema.safeParse(value);
  } catch {
    const message = 'the schema throws, or takes time, instead of telling.';
    return { success: false, error: new z.ZodError([{ code: 'custom', path: [], message, input: undefined }]) };
  }
}
