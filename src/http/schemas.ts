import { z } from '@hono/zod-openapi';
import type { JsonObject } from '../events/json.ts';
import { tooDeep } from '../expression/depth.ts';
import { isPlainObject } from '../expression/own-value.ts';

/** Ids and keys as they stand in paths and bodies. Control characters are in none. */
export const idSchema = z
  .string()
  .min(1)
  .max(500)
  .regex(/^\P{Cc}+$/u);

/** What people and callers say. */
export const textSchema = z.string().trim().min(1).max(10_000);

export const sessionParam = z.object({ id: idSchema.openapi({ param: { name: 'id', in: 'path' } }) });

const mostLevels = 64;

/** A JSON object, such as a resolution; not deeper than a program may walk. */
export const objectSchema = z
  .custom<JsonObject>(
    (value) => isPlainObject(value) && !tooDeep(value, mostLevels),
    `expected a JSON object of at most ${mostLevels} levels`,
  )
  .openapi({ type: 'object', additionalProperties: true });

/** How many of a list, 500 at most. */
export function limitOf(otherwise: number) {
  return z.coerce.number().int().min(1).max(500).default(otherwise);
}

/** An answer of JSON, for the document. */
export function jsonAnswer<Schema extends z.ZodType>(description: string, schema: Schema) {
  return { description, content: { 'application/json': { schema } } };
}

/** A body of JSON that must be there. */
export function jsonBody<Schema extends z.ZodType>(schema: Schema) {
  return { required: true, content: { 'application/json': { schema } } };
}
