import type { Json, JsonObject } from '../../model/json.ts';
import { tooDeep } from '../expression/depth.ts';
import { isPlainObject, ownValue } from '../expression/own-value.ts';

/**
 * Removes documentation-only parts of a JSON Schema to save tokens in every request; the valid values stay the same. A
 * schema nested deeper than 128 levels, or with over a million values, becomes `{}`, which accepts anything. Cached per
 * schema object: flows that use the same tool share its schema and its check.
 */
export function minifySchema(schema: unknown): JsonObject {
  if (schema === false) return { not: {} };
  if (!isPlainObject(schema)) return {};
  const known = minified.get(schema);
  if (known !== undefined) return known;
  const small = minifiedOf(schema);
  minified.set(schema, small);
  return small;
}

const minified = new WeakMap<object, JsonObject>();

function minifiedOf(schema: Readonly<Record<string, unknown>>): JsonObject {
  if (tooDeep(schema, MAX_LEVELS)) return {};
  const pointers = new Set<string>();
  gatherPointers(schema, pointers);
  // A pointer to anything other than a root definition may lead through a part that would move.
  const mayMove = [...pointers].every((pointer) => ROOT_DEFINITION.test(pointer));
  return minify(schema, mayMove ? pointers : null);
}

const MAX_LEVELS = 128;

/** Keywords that neither a model nor a validator needs. */
const NOTES: ReadonlySet<string> = new Set('$schema $comment title examples deprecated readOnly writeOnly'.split(' '));

/** Keywords without effect on validity. */
const HINTS: ReadonlySet<string> = new Set(['description', 'default']);

const OF_SCHEMAS: ReadonlySet<string> = new Set(
  (
    'items additionalItems unevaluatedItems prefixItems contains additionalProperties unevaluatedProperties ' +
    'propertyNames anyOf oneOf allOf not if then else contentSchema'
  ).split(' '),
);
const OF_NAMED_SCHEMAS: ReadonlySet<string> = new Set(
  'properties patternProperties dependentSchemas dependencies $defs definitions'.split(' '),
);
const REFERENCES: readonly string[] = ['$ref', '$dynamicRef', '$recursiveRef', '$id', 'id', '$anchor'];

const ROOT_DEFINITION = /^#\/(?:\$defs|definitions)\/[^/%]*$/;

/** `pointers` are those to root definitions; null if no part may move or be removed. */
function minify(schema: Readonly<Record<string, unknown>>, pointers: ReadonlySet<string> | null): JsonObject {
  const members: [string, Json][] = [];
  for (const key of Object.keys(schema)) {
    const value = minifyMember(key, ownValue(schema, key), pointers);
    if (value !== undefined) members.push([key, value]);
  }
  const small = Object.fromEntries(members);
  return pointers === null ? small : unfolded(small);
}

function minifyMember(key: string, value: unknown, pointers: ReadonlySet<string> | null): Json | undefined {
  if (NOTES.has(key)) return undefined;
  if (key === 'description' && typeof value === 'string') {
    const description = value.trim().replaceAll(/\s+/g, ' ');
    return description === '' ? undefined : description;
  }
  if (key === 'default' && value === null) return undefined;
  if (key === 'required' && Array.isArray(value) && value.length === 0) return undefined;
  if (OF_SCHEMAS.has(key)) {
    const small = Array.isArray(value)
      ? value.map((item) => minifyOrKeep(item, pointers))
      : minifyOrKeep(value, pointers);
    return key === 'propertyNames' && pointers !== null && acceptsAnyText(small) ? undefined : small;
  }
  if (OF_NAMED_SCHEMAS.has(key) && isPlainObject(value)) {
    const isDefinitions = pointers !== null && (key === '$defs' || key === 'definitions');
    const names = Object.keys(value).filter((name) => !isDefinitions || pointers.has(pointerTo(key, name)));
    if (isDefinitions && names.length === 0) return undefined;
    return Object.fromEntries(names.map((name) => [name, minifyOrKeep(ownValue(value, name), pointers)]));
  }
  return toJson(value);
}

/** Keeps values that are not schemas (true, false, a list of names) unchanged. */
function minifyOrKeep(value: unknown, pointers: ReadonlySet<string> | null): Json {
  return isPlainObject(value) ? minify(value, pointers) : (toJson(value) ?? {});
}

/** Replaces `{ anyOf: [A] }` by A if no sibling affects validity. */
function unfolded(schema: JsonObject): JsonObject {
  const [key, ...others] = Object.keys(schema).filter((name) => !HINTS.has(name));
  if (others.length > 0 || (key !== 'anyOf' && key !== 'oneOf' && key !== 'allOf')) return schema;
  const { [key]: members, ...hints } = schema;
  if (!Array.isArray(members) || members.length !== 1) return schema;
  const only: unknown = members[0];
  // Members of a JsonObject are JSON.
  return isPlainObject(only) ? { ...(only as JsonObject), ...hints } : schema;
}

function gatherPointers(value: unknown, pointers: Set<string>): void {
  if (Array.isArray(value)) for (const item of value) gatherPointers(item, pointers);
  if (!isPlainObject(value)) return;
  for (const key of Object.keys(value)) {
    const member = ownValue(value, key);
    if (typeof member === 'string' && REFERENCES.includes(key)) pointers.add(member);
    else gatherPointers(member, pointers);
  }
}

function pointerTo(key: string, name: string): string {
  return `#/${key}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

function acceptsAnyText(schema: Json): boolean {
  if (schema === true) return true;
  if (!isPlainObject(schema)) return false;
  return Object.keys(schema).every((key) => HINTS.has(key) || (key === 'type' && schema['type'] === 'string'));
}

/** Copies a value as JSON would; undefined for values that JSON cannot express. */
function toJson(value: unknown): Json | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (Array.isArray(value)) return value.map((item) => toJson(item) ?? null);
  if (!isPlainObject(value)) return undefined;
  const members = Object.keys(value).map((key) => [key, toJson(ownValue(value, key))] as const);
  return Object.fromEntries(members.filter((member): member is [string, Json] => member[1] !== undefined));
}
