import { z } from 'zod';
import type { JsonObject } from '../events/json.ts';
import type { GraphFunction } from '../graph/graph.ts';

export type Arguments =
  | { readonly ok: true; readonly value: JsonObject }
  | { readonly ok: false; readonly error: string };

/**
 * Reads what a model wrote as arguments: valid JSON of the function's schema, or an error that the model can mend.
 * Nothing is repaired: a cut amount must not become another amount.
 */
export function readArguments(offered: GraphFunction, raw: string): Arguments {
  let value: unknown;
  try {
    value = raw.trim() === '' ? {} : JSON.parse(raw);
  } catch {
    return { ok: false, error: 'The arguments are no valid JSON. Call again with complete arguments.' };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { ok: false, error: 'The arguments must be one JSON object. Call again.' };
  // The kernel reads each slot by its own rules and refuses single values, not the whole call.
  const problem = offered.body === 'record' ? undefined : violation(offered, value);
  if (problem !== undefined) return { ok: false, error: `The arguments do not fit: ${problem}. Call again.` };
  return { ok: true, value: value as JsonObject }; // JSON.parse made it.
}

const validators = new WeakMap<JsonObject, z.ZodType | null>();

function violation(offered: GraphFunction, value: object): string | undefined {
  const result = validatorOf(offered.parameters)?.safeParse(value);
  if (result === undefined || result.success) return undefined;
  const [issue] = result.error.issues;
  if (issue === undefined) return 'they do not match the schema';
  const place = issue.path.map(String).join('.');
  return place === '' ? issue.message : `${place}: ${issue.message}`;
}

function validatorOf(schema: JsonObject): z.ZodType | null {
  const known = validators.get(schema);
  if (known !== undefined) return known;
  let validator: z.ZodType | null = null;
  try {
    validator = z.fromJSONSchema(schema);
  } catch {
    // A keyword that cannot be enforced; compiling the flow has told the author what is not understood.
  }
  validators.set(schema, validator);
  return validator;
}
