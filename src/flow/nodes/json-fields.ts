import { z } from 'zod';
import type { Json, JsonObject } from '../../model/json.ts';
import { tooDeep } from '../expression/depth.ts';
import { isPlainObject } from '../expression/own-value.ts';
import type { Failed } from '../graph/nodes/node-type.ts';

// zod's own record would drop a key called __proto__.
/** A JSON object with any keys in a node's input. */
export const jsonObject = z
  .custom<JsonObject>(isPlainObject, 'This is not an object.')
  // For editors, because a custom check has no JSON Schema.
  .meta({ type: 'object' });

/** Returns an untyped input as JSON: bindings yield JSON, and an unresolved one is null. */
export function asJson(bound: unknown): Json {
  return (bound as Json | undefined) ?? null;
}

/**
 * Returns a failure for a value that is too deep or too large to store, otherwise null. Code that writes, copies and
 * compares values supports 2,000 levels; half of them are reserved for the containers of such a value.
 */
export function tooLargeToKeep(value: unknown): Failed | null {
  if (!tooDeep(value, MAX_LEVELS)) return null;
  const message = `The value nests deeper than ${MAX_LEVELS} levels or holds over a million values. Pass on a part of it.`;
  return { ok: false, code: 'json-too-large', message };
}

const MAX_LEVELS = 1_000;
