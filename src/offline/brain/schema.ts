import { isJsonObject, type Json, jsonListOf, type JsonObject } from '../../model/json.ts';
import { z } from 'zod';

/** A function in scope, as described to a model. */
export interface BrainTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of its arguments. */
  readonly parameters: JsonObject;
}

/** Returns the arguments of a function that have a schema. */
export function propertiesOf(tool: BrainTool): ReadonlyMap<string, JsonObject> {
  const known = new Map<string, JsonObject>();
  for (const [name, schema] of Object.entries(objectOf(tool.parameters['properties']) ?? {})) {
    const described = objectOf(schema);
    if (described !== undefined) known.set(name, described);
  }
  return known;
}

/** Returns the required arguments, in the order of the schema. */
export function requiredOf(tool: BrainTool): readonly string[] {
  return jsonListOf(tool.parameters['required']).filter((name) => typeof name === 'string');
}

/** Returns the schema of a nullable type without null. */
export function withoutNull(schema: JsonObject): JsonObject {
  const others = jsonListOf(schema['anyOf'] ?? schema['oneOf']).flatMap((choice) => {
    const member = objectOf(choice);
    return member === undefined || member['type'] === 'null' ? [] : [member];
  });
  const [only] = others;
  if (only === undefined || others.length > 1) return schema;
  const { anyOf: _any, oneOf: _one, ...rest } = schema;
  return { ...only, ...rest };
}

/** Returns the schema's type; the first other than null if there are several. */
export function typeOf(schema: JsonObject): string {
  const { type } = schema;
  if (typeof type === 'string') return type;
  const named = jsonListOf(type).find((each) => typeof each === 'string' && each !== 'null');
  return typeof named === 'string' ? named : '';
}

/** Returns a value as an object, if it is one. */
export function objectOf(value: Json | undefined): JsonObject | undefined {
  return value !== undefined && isJsonObject(value) ? value : undefined;
}

/** zod requires seconds and a zone for `time`; a flow uses HH:MM. */
function withPlainTimes(schema: JsonObject): JsonObject {
  const properties = objectOf(schema['properties']);
  const { format, ...rest } = schema;
  const plain = format === 'time' ? { ...rest, pattern: TIME } : schema;
  if (properties === undefined) return plain;
  const members = Object.entries(properties).map(([name, member]) => {
    const described = objectOf(member);
    return [name, described === undefined ? member : withPlainTimes(described)] as const;
  });
  return { ...plain, properties: Object.fromEntries(members) };
}

const TIME = '^(?:[01]\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d)?(?:Z|[+-]\\d\\d:\\d\\d)?$';

/** Returns the only value that a schema allows. */
export function onlyValueOf(schema: JsonObject): Json | undefined {
  const choices = jsonListOf(schema['enum']);
  return schema['const'] ?? (choices.length === 1 ? choices[0] : undefined);
}

const validators = new WeakMap<JsonObject, z.ZodType | null>();

/**
 * Checks whether a value fits a schema. Returns true if this cannot be checked here, because the function checks again.
 */
export function fits(schema: JsonObject, value: Json): boolean {
  let validator = validators.get(schema);
  if (validator === undefined) {
    try {
      validator = z.fromJSONSchema(withPlainTimes(schema));
    } catch {
      validator = null; // A keyword that zod does not support.
    }
    validators.set(schema, validator);
  }
  try {
    return validator === null || validator.safeParse(value).success;
  } catch {
    return false;
  }
}
