import type { Json, JsonObject } from '../../model/json.ts';
import { tooDeep } from '../expression/depth.ts';
import { ownValue } from '../expression/own-value.ts';
import { compileSchema } from '../json-schema/compile-schema.ts';
import type { SchemaFault } from '../json-schema/fault.ts';
import { firstVisit, fits, type SchemaViolation, Unchecked } from '../json-schema/visit.ts';

/** A fault with its place in the document: keys of maps and indexes of lists. */
interface PlacedFault extends Omit<SchemaFault, 'path'> {
  readonly path: readonly (string | number)[];
}

/** A compiled check against a JSON Schema. */
export interface SchemaCheck {
  /** Parts of the schema that cannot be enforced; the rest is. */
  readonly faults: readonly PlacedFault[];
  /** Returns the violations, at most 1,000; empty if the value is valid. Messages quote only names from the value. */
  violations(value: unknown): readonly SchemaViolation[];
}

/**
 * Creates a check for a JSON Schema (draft 2020-12, including older forms of drafts 4 to 7), cached per schema object.
 * Patterns match in linear time with our own engine, and no code is generated. Formats are annotations
 * (JSON Schema 2020-12 §7.2.1): "half past nine" is 09:30, which is not an RFC 3339 time.
 */
export function schemaCheck(schema: JsonObject): SchemaCheck {
  const known = checks.get(schema);
  if (known !== undefined) return known;
  const check = checkOf(schema);
  checks.set(schema, check);
  return check;
}

const checks = new WeakMap<JsonObject, SchemaCheck>();

function checkOf(schema: JsonObject): SchemaCheck {
  if (tooDeep(schema, mostLevels)) {
    const message = `it nests deeper than ${mostLevels} levels, or holds more than a million values.`;
    return { faults: [{ path: [], message }], violations: () => [] };
  }
  const { root, faults } = compileSchema(schema);
  return {
    faults: faults.map((fault) => ({ ...fault, path: placeOf(schema, fault.path) })),
    violations(value) {
      const told: SchemaViolation[] = [];
      try {
        if (fits(root, value as Json, firstVisit(told))) return []; // Only JSON is validated.
      } catch (error) {
        if (error instanceof Unchecked) return [{ path: [], message: error.message }];
        // The stack is exhausted: a value that cannot be checked is invalid.
        if (error instanceof RangeError) return [{ path: [], message: 'it nests too deep to be checked' }];
        throw error;
      }
      return told.length > 0 ? told : [{ path: [], message: 'it is not allowed' }];
    },
  };
}

/** Returns the keys and indexes of a place in the schema. */
function placeOf(schema: Json, path: readonly string[]): readonly (string | number)[] {
  let value: unknown = schema;
  return path.map((key) => {
    const isIndex = Array.isArray(value);
    value = ownValue(value, key);
    return isIndex ? Number(key) : key;
  });
}

const mostLevels = 128;
