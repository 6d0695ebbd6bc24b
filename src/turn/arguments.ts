import { z } from 'zod';
import type { Json, JsonObject } from '../events/json.ts';
import { resolvePath } from '../expression/path.ts';
import { compilePattern, type Pattern } from '../expression/pattern.ts';
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

interface Validator {
  readonly type: z.ZodType | null;
  readonly patterns: readonly PatternRule[];
}

interface PatternRule {
  readonly path: readonly string[];
  readonly pattern: Extract<Pattern, { ok: true }>;
}

const validators = new WeakMap<JsonObject, Validator>();

function violation(offered: GraphFunction, value: object): string | undefined {
  // Many functions are given nothing, and to make a validator takes longer than all the rest of a call.
  if (Object.keys(value).length === 0 && asksForNothing(offered.parameters)) return undefined;
  const { type, patterns } = validatorOf(offered.parameters);
  // A call's few arguments are read before zod has written code that would read them fast.
  const issue = type?.safeParse(value, { jitless: true }).error?.issues[0];
  if (issue !== undefined) return at(issue.path.map(String), issue.message);
  const broken = patterns.find(({ path, pattern }) => {
    const text = resolvePath(['value', ...path], () => value);
    return typeof text === 'string' && !pattern.test(text);
  });
  return broken === undefined ? undefined : at(broken.path, 'it does not have the required form');
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

function at(path: readonly string[], message: string): string {
  return path.length === 0 ? message : `${path.join('.')}: ${message}`;
}

function validatorOf(schema: JsonObject): Validator {
  const known = validators.get(schema);
  if (known !== undefined) return known;
  const patterns: PatternRule[] = [];
  let type: z.ZodType | null = null;
  try {
    type = z.fromJSONSchema(structureOf(schema, [], patterns) as JsonObject); // The copy of an object is one.
  } catch {
    // A keyword that cannot be enforced; the model is still shown it.
  }
  const validator = { type, patterns };
  validators.set(schema, validator);
  return validator;
}

/**
 * A schema without what is checked otherwise: patterns are tested in linear time by our own engine, and formats are
 * notes to the reader (JSON Schema 2020-12 §7.2.1): "half past nine" is 09:30, which is no RFC 3339 time.
 */
function structureOf(schema: Json, path: readonly string[], patterns: PatternRule[]): Json {
  if (Array.isArray(schema)) return schema.map((member: Json) => structureOf(member, path, patterns));
  if (typeof schema !== 'object' || schema === null) return schema;
  const kept: [string, Json][] = [];
  for (const [key, value] of Object.entries(schema as JsonObject)) {
    if (key === 'pattern' && typeof value === 'string') {
      const pattern = compilePattern(value);
      if (pattern.ok) patterns.push({ path, pattern });
    } else if (key === 'properties' && typeof value === 'object' && value !== null) {
      const properties = Object.entries(value as JsonObject);
      kept.push([
        key,
        Object.fromEntries(properties.map(([name, one]) => [name, structureOf(one, [...path, name], patterns)])),
      ]);
    } else if (key === 'enum' || key === 'const' || key === 'required') kept.push([key, value]);
    else if (key !== 'format' && key !== 'default') kept.push([key, structureOf(value, path, patterns)]);
  }
  return Object.fromEntries(kept);
}
