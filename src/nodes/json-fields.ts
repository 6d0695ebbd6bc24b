import { z } from 'zod';
import type { Json, JsonObject } from '../events/json.ts';
import { tooDeep } from '../expression/depth.ts';
import { isPlainObject } from '../expression/own-value.ts';
import type { Evaluation } from '../graph/node-type.ts';

// zod's own record would drop a key called __proto__.
/** A JSON object in a node's input, with whatever keys. */
export const jsonObject = z
  .custom<JsonObject>(isPlainObject, 'This is not an object.')
  // For editors: a custom check says nothing of itself.
  .meta({ type: 'object' });

/** Bindings yield JSON, so an input that may be anything is JSON; what resolved to nothing is null. */
export function asJson(bound: unknown): Json {
  return (bound as Json | undefined) ?? null;
}

/**
 * The failure of a value that nests too deep, or holds too much, to be kept; null where it can be. What writes, copies
 * and compares values takes 2,000 levels; half of them are left to what such a value may be put into.
 */
export function tooLargeToKeep(value: unknown): Extract<Evaluation, { ok: false }> | null {
  if (!tooDeep(value, MAX_LEVELS)) return null;
  const message = `The value nests deeper than ${MAX_LEVELS} levels or holds over a million values. Pass on a part of it.`;
  return { ok: false, code: 'json-too-large', message };
}

const MAX_LEVELS = 1_000;
