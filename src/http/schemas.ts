import { z } from '@hono/zod-openapi';
import type { JsonObject } from '../model/json.ts';
import { tooDeep } from '../flow/expression/depth.ts';
import { isPlainObject } from '../flow/expression/own-value.ts';

/** Ids and keys in paths and bodies, without control characters. */
export const idSchema = z
  .string()
  .min(1)
  .max(500)
  .regex(/^\P{Cc}+$/u);

/** Words of people and callers. */
export const textSchema = z.string().trim().min(1).max(10_000);

export const sessionParam = z.object({ id: idSchema.openapi({ param: { name: 'id', in: 'path' } }) });

const mostLevels = 64;

/** A JSON object, such as a resolution, with limited nesting. */
export const objectSchema = z
  .custom<JsonObject>(
    (value) => isPlainObject(value) && !tooDeep(value, mostLevels),
    `expected a JSON object of at most ${mostLevels} levels`,
  )
  .openapi({ type: 'object', additionalProperties: true });

/** The `limit` of a list, at most 500. */
export function limitOf(otherwise: number) {
  return z.coerce.number().int().min(1).max(500).default(otherwise);
}

/** A documented JSON answer. */
export function jsonAnswer<Schema extends z.ZodType>(description: string, schema: Schema) {
  return { description, content: { 'application/json': { schema } } };
}

/** A required JSON body. */
export function jsonBody<Schema extends z.ZodType>(schema: Schema) {
  return { required: true, content: { 'application/json': { schema } } };
}
