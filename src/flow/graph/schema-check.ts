import type { Json, JsonObject } from '../../model/json.ts';
import { tooDeep } from '../expression/depth.ts';
import { ownValue } from '../expression/own-value.ts';
import { compileSchema } from '../json-schema/compile-schema.ts';
import type { SchemaFault } from '../json-schema/fault.ts';
import { firstVisit, fits, type SchemaViolation, Unchecked } from '../json-schema/visit.ts';

/** A fault by its place in the document: keys of maps, and indexes of lists. */
interface PlacedFault extends Omit<SchemaFault, 'path'> {
  readonly path: readonly (string | number)[];
}

/** A JSON Schema that values can be held against. */
export interface SchemaCheck {
  /** What of the schema cannot be enforced, and why; a value is held against all the rest. */
  readonly faults: readonly PlacedFault[];
  /** Every violation that was found, 1,000 at most; none where the value fits. Texts quote nothing of the value but names. */
  violations(value: unknown): readonly SchemaViolation[];
}

/**
 * Makes a check of a JSON Schema (draft 2020-12, and what drafts 4 to 7 write otherwise), once for each schema object.
 * Patterns are matched in linear time by our own engine, nothing is turned into code, and formats are notes to the reader
 * (JSON Schema 2020-12 §7.2.1): "half past nine" is 09:30, which is no RFC 3339 time.
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
        if (fits(root, value as Json, firstVisit(told))) return []; // Only JSON is held against a schema.
      } catch (error) {
        if (error instanceof Unchecked) return [{ path: [], message: error.message }];
        // A stack that is full: what cannot be checked does not fit.
        if (error instanceof RangeError) return [{ path: [], message: 'it nests too deep to be checked' }];
        throw error;
      }
      return told.length > 0 ? told : [{ path: [], message: 'it is not allowed' }];
    },
  };
}

/** The keys and indexes of a place in the schema. */
function placeOf(schema: Json, path: readonly string[]): readonly (string | number)[] {
  let value: unknown = schema;
  return path.map((key) => {
    const isIndex = Array.isArray(value);
    value = ownValue(value, key);
    return isIndex ? Number(key) : key;
  });
}

const mostLevels = 128;
