import { z } from 'zod';
import type { Json, JsonObject } from '../events/json.ts';
import { resolvePath } from '../expression/path.ts';
import { compilePattern, type Pattern } from '../expression/pattern.ts';

/** Where a value does not fit a schema, and why. */
export interface SchemaViolation {
  readonly path: readonly string[];
  readonly message: string;
}

/** A JSON Schema that values can be held against. */
export interface SchemaCheck {
  /** Whether every keyword can be enforced; otherwise only the patterns are. */
  readonly isEnforceable: boolean;
  /** Every violation that was found; none where the value fits. */
  violations(value: unknown): readonly SchemaViolation[];
}

/**
 * Makes a check of a JSON Schema, once for each schema object. Patterns are tested in linear time by our own engine, and
 * formats are notes to the reader (JSON Schema 2020-12 §7.2.1): "half past nine" is 09:30, which is no RFC 3339 time.
 */
export function schemaCheck(schema: JsonObject): SchemaCheck {
  const known = checks.get(schema);
  if (known !== undefined) return known;
  const check = checkOf(schema);
  checks.set(schema, check);
  return check;
}

const checks = new WeakMap<JsonObject, SchemaCheck>();

interface PatternRule {
  readonly path: readonly string[];
  readonly pattern: Extract<Pattern, { ok: true }>;
}

function checkOf(schema: JsonObject): SchemaCheck {
  const patterns: PatternRule[] = [];
  let type: z.ZodType | null = null;
  try {
    type = z.fromJSONSchema(structureOf(schema, [], patterns) as JsonObject); // The copy of an object is one.
  } catch {
    // A keyword that cannot be enforced.
  }
  return {
    isEnforceable: type !== null,
    violations(value) {
      // Most values are read once or twice, before zod would have written code that reads them fast.
      const issues = type?.safeParse(value, { jitless: true }).error?.issues ?? [];
      if (issues.length > 0) return issues.map(({ path, message }) => ({ path: path.map(String), message }));
      return patterns
        .filter(({ path, pattern }) => {
          const text = resolvePath(['value', ...path], () => value);
          return typeof text === 'string' && !pattern.test(text);
        })
        .map(({ path }) => ({ path, message: 'it does not have the required form' }));
    },
  };
}

/** A schema without what is checked otherwise. */
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
  return withTypes(Object.fromEntries(kept));
}

/** Says of keywords without a `type` what they mean: they bind values of their own kind, and let all others pass. */
function withTypes(schema: JsonObject): JsonObject {
  if (Object.hasOwn(schema, 'type')) return schema;
  const bound = kinds.filter(([, keywords]) => keywords.some((keyword) => Object.hasOwn(schema, keyword)));
  if (bound.length === 0) return schema;
  const rules = bound.map(([kind, keywords]): Json => {
    const own = Object.entries(schema).filter(([key]) => keywords.includes(key));
    const others = kinds.filter(([other]) => other !== kind).map(([other]) => other);
    return { anyOf: [{ type: kind, ...Object.fromEntries(own) }, { type: [...others, 'boolean', 'null'] }] };
  });
  const taken = new Set(bound.flatMap(([, keywords]) => keywords));
  const rest = Object.entries(schema).filter(([key]) => !taken.has(key));
  return { allOf: [Object.fromEntries(rest), ...rules] };
}

const kinds: readonly (readonly [kind: string, keywords: readonly string[]])[] = [
  [
    'object',
    [
      'properties',
      'required',
      'additionalProperties',
      'patternProperties',
      'minProperties',
      'maxProperties',
      'propertyNames',
    ],
  ],
  ['array', ['items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems', 'contains']],
  ['string', ['minLength', 'maxLength']],
  ['number', ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']],
];
