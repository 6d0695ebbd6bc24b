import { isRecord } from './pipecat/rewrite.ts';

/**
 * Returns the JSON Schema of a function's arguments as a document may have it, or undefined if it describes no
 * arguments.
 */
export function argumentsSchema(given: unknown): Readonly<Record<string, unknown>> | undefined {
  if (!isRecord(given)) return undefined;
  const properties = isRecord(given['properties']) ? given['properties'] : undefined;
  if (properties === undefined || Object.keys(properties).length === 0) return undefined;
  const clean = Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, schemaOf(schema) ?? {}]));
  const required = Array.isArray(given['required'])
    ? given['required'].filter((name): name is string => typeof name === 'string' && Object.hasOwn(clean, name))
    : [];
  return { type: 'object', properties: clean, ...(required.length === 0 ? {} : { required: [...new Set(required)] }) };
}

/** The keywords that say what a model has to give. Keywords of vendors are removed. */
const kept = new Set([
  ...['type', 'description', 'enum', 'const', 'default', 'examples', 'format', 'pattern', 'minimum', 'maximum'],
  ...[
    'exclusiveMinimum',
    'exclusiveMaximum',
    'multipleOf',
    'minLength',
    'maxLength',
    'minItems',
    'maxItems',
    'uniqueItems',
  ],
]);

const types = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);

function schemaOf(given: unknown): Readonly<Record<string, unknown>> | undefined {
  if (!isRecord(given)) return undefined;
  const made: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(given)) {
    if (!kept.has(key) || value === null) continue;
    if (key === 'type') {
      const named = (Array.isArray(value) ? value : [value]).map((type) => String(type).toLowerCase());
      const known = named.filter((type) => types.has(type));
      if (known.length > 0) made['type'] = known.length === 1 ? known[0] : known;
    } else if (key === 'enum') {
      if (Array.isArray(value) && value.length > 0) made['enum'] = [...new Set(value)];
    } else if (fits(key, value)) made[key] = value;
  }
  const properties = given['properties'];
  if (isRecord(properties)) {
    const inside = argumentsSchema(given);
    if (inside !== undefined) Object.assign(made, inside);
  }
  const items = schemaOf(given['items']);
  if (items !== undefined) made['items'] = items;
  for (const key of ['anyOf', 'oneOf', 'allOf']) {
    const list = given[key];
    const inside = Array.isArray(list) ? list.map(schemaOf).filter((one) => one !== undefined) : [];
    if (inside.length > 0) made[key] = inside;
  }
  return made;
}

/** Checks whether a keyword has a value of the right kind. */
function fits(key: string, value: unknown): boolean {
  if (['description', 'format', 'pattern'].includes(key)) return typeof value === 'string';
  if (key === 'uniqueItems') return typeof value === 'boolean';
  if (key === 'examples') return Array.isArray(value);
  if (['const', 'default'].includes(key)) return true;
  const isCount = ['minLength', 'maxLength', 'minItems', 'maxItems'].includes(key);
  return typeof value === 'number' && Number.isFinite(value) && (!isCount || (Number.isInteger(value) && value >= 0));
}
