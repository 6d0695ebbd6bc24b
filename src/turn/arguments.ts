import type { JsonObject } from '../events/json.ts';
import type { GraphFunction } from '../graph/graph.ts';
import { schemaCheck } from '../graph/schema-check.ts';

/** What arguments are held against. */
type Taking = Pick<GraphFunction, 'body' | 'parameters'>;

export type Arguments =
  | { readonly ok: true; readonly value: JsonObject }
  | { readonly ok: false; readonly error: string };

/**
 * Reads what a model wrote as arguments: valid JSON of the function's schema, or an error that the model can mend.
 * Nothing is repaired: a cut amount must not become another amount.
 */
export function readArguments(offered: Taking, raw: string): Arguments {
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

function violation(offered: Taking, value: object): string | undefined {
  // Many functions are given nothing, and to make a validator takes longer than all the rest of a call.
  if (Object.keys(value).length === 0 && asksForNothing(offered.parameters)) return undefined;
  const [first] = schemaCheck(offered.parameters).violations(value);
  if (first === undefined) return undefined;
  return first.path.length === 0 ? first.message : `${first.path.join('.')}: ${first.message}`;
}

/** Whether an object without members fits, whatever the schema says of members that there are. */
function asksForNothing({ type, properties, required, additionalProperties, ...rest }: JsonObject): boolean {
  return (
    (type === undefined || type === 'object') &&
    (required === undefined || (Array.isArray(required) && required.length === 0)) &&
    Object.keys(rest).every((key) => notes.has(key))
  );
}

/** Keywords that ask for nothing. */
const notes = new Set(['$schema', 'title', 'description']);
