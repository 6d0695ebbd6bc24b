import type { Json, JsonObject } from '../../model/json.ts';
import { compilePattern } from '../../flow/expression/pattern.ts';
import type { Field } from './field.ts';
import { fits, typeOf, withoutNull } from './schema.ts';

/** Converts a value to the form of its schema; undefined if that would change its meaning. */
export function asSchemaWants(field: Field, value: Json): Json | undefined {
  const schema = withoutNull(field.schema);
  if (typeof value === 'string' && typeOf(schema) === 'string') {
    const variants =
      field.kind === 'code'
        ? [value, value.toUpperCase(), value.toLowerCase(), value.replaceAll(/[-\s]/g, '')]
        : [value];
    if (field.kind === 'phone') variants.push(value.replace(/^\+1(?=\d{10}$)/, ''), value.replace(/^\+/, ''));
    // Local time with the time zone suffix that some schemas require.
    if (field.kind === 'date-time') variants.push(`${value}Z`);
    return variants.find(
      (variant) => fits(field.schema, variant) && (field.kind !== 'code' || isWhole(schema, variant)),
    );
  }
  return fits(field.schema, value) ? value : undefined;
}

/** Checks whether the whole code matches the pattern; JSON Schema searches within the value. */
function isWhole({ pattern }: JsonObject, code: string): boolean {
  const whole = typeof pattern === 'string' ? compilePattern(`^(?:${pattern})$`) : null;
  return whole === null || !whole.ok || whole.test(code);
}
