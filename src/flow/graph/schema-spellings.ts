import { isJsonObject, type Json, type JsonObject } from '../../model/json.ts';

/**
 * Makes a schema with snake_case keys also accept camelCase keys, and a file by `!include` for any map or list. The
 * second spelling is under `patternProperties`, which editors do not propose.
 */
export function asDocumentsAreWritten(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map((part: Json) => asDocumentsAreWritten(part));
  if (!isJsonObject(schema)) return schema;
  const own = Object.entries(schema).map(([key, value]): [string, Json] => {
    if (key === 'properties') return [key, mapMembers(value, (member) => orFile(asDocumentsAreWritten(member)))];
    if (key === '$defs') return [key, mapMembers(value, asDocumentsAreWritten)];
    // All YAML keys are texts here, even those that look like numbers or booleans.
    if (key === 'propertyNames') return [key, isTextOnly(value) ? true : value];
    if (key === 'items' || key === 'additionalProperties') return [key, orFile(asDocumentsAreWritten(value))];
    return [key, keepsSchemas.has(key) ? asDocumentsAreWritten(value) : value];
  });
  return inBothSpellings(Object.fromEntries(own.filter(([key, value]) => key !== 'propertyNames' || value !== true)));
}

const keepsSchemas = new Set(['anyOf', 'oneOf', 'allOf', 'not', 'if', 'then', 'else', 'prefixItems']);

function isTextOnly(value: Json): boolean {
  return isJsonObject(value) && Object.keys(value).length === 1 && value['type'] === 'string';
}

function inBothSpellings(schema: JsonObject): JsonObject {
  const { required, properties, ...rest } = schema;
  if (properties === undefined || !isJsonObject(properties)) return schema;
  const others = Object.entries(properties).filter(([name]) => camelCase(name) !== name);
  if (others.length === 0) return schema;
  const patterns = Object.fromEntries(others.map(([name, member]) => [`^${camelCase(name)}$`, member]));
  const names = Array.isArray(required) ? required.map(String) : [];
  const either = names.filter((name) => camelCase(name) !== name);
  const plain = names.filter((name) => !either.includes(name));
  return {
    ...rest,
    properties,
    patternProperties: patterns,
    ...(plain.length === 0 ? {} : { required: plain }),
    ...(either.length === 0 ? {} : { allOf: [...partsOf(rest['allOf']), ...either.map(requiredEither)] }),
  };
}

function requiredEither(name: string): JsonObject {
  return { anyOf: [{ required: [name] }, { required: [camelCase(name)] }] };
}

function partsOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : []; // The items of a Json list are Json.
}

/** Allows a file for a member that takes a map or a list. */
function orFile(member: Json): Json {
  if (!isJsonObject(member)) return member;
  const { description, ...form } = member;
  const isStructure = form['type'] === 'object' || form['type'] === 'array' || typeof form['$ref'] === 'string';
  if (!isStructure) return member;
  return { ...(description === undefined ? {} : { description }), anyOf: [form, includedFile] };
}

const includedFile: JsonObject = { $ref: '#/$defs/IncludedFile' };

/** Editors see `!include NAME` as the name. */
export const includedFileSchema: JsonObject = {
  description: '!include NAME: a YAML, JSON or text file inside the flow’s folder.',
  type: 'string',
  pattern: String.raw`^[^\n]+\.(ya?ml|json|txt|md)$`,
};

function camelCase(name: string): string {
  return name.replaceAll(/_([a-z\d])/g, (_, letter: string) => letter.toUpperCase());
}

function mapMembers(value: Json, change: (member: Json) => Json): Json {
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, change(member)]));
}
