import { isJsonObject, type Json, type JsonObject } from '../../model/json.ts';
import { answerFunctionName, languageFunctionName } from '../../flow/document/function.ts';
import type { Graph, GraphFunction } from '../../flow/graph/graph.ts';
import { languageMeant } from '../../flow/graph/flow-languages.ts';
import type { Reader } from '../../model/ports/reader.ts';

/**
 * Adapts the arguments of a built-in function to its schema. Small models write booleans as texts or
 * numbers, pass the only value bare or under another name, and fill unused parameters. Unreadable values
 * stay unchanged, so that the schema rejects them. Arguments of an author's function are never changed.
 */
export function reservedArguments(
  offered: Pick<GraphFunction, 'name' | 'parameters'>,
  given: unknown,
  graph: Graph,
): unknown {
  if (offered.name !== answerFunctionName && offered.name !== languageFunctionName) return given;
  const { properties, required } = offered.parameters;
  if (!isObject(properties) || !Array.isArray(required)) return given;
  const [only, ...more] = required.filter((name) => typeof name === 'string');
  if (only === undefined || more.length > 0) return given;
  const value = given as Json; // It was parsed from JSON.
  const named = isObject(value) ? value : { [only]: value };
  const stray = Object.entries(named).filter(([name]) => !Object.hasOwn(properties, name));
  const alone = Object.hasOwn(named, only) || stray.length !== 1 ? undefined : stray[0]?.[1];
  const members = Object.entries(properties).flatMap(([name, schema]) => {
    const value = name === only && alone !== undefined ? alone : named[name];
    const isLeftOut = value === undefined || (name !== only && (value === null || value === false));
    return isLeftOut ? [] : [[name, inForm(offered.name, value, schema, graph)] as const];
  });
  return Object.fromEntries(members);
}

function isObject(value: Json | undefined): value is JsonObject {
  return value !== undefined && isJsonObject(value);
}

function inForm(name: string, value: Json, schema: Json | undefined, graph: Graph): Json {
  if (!isObject(schema)) return value;
  const { type, enum: values } = schema;
  if (type === 'boolean') return booleanOf(value, graph.reader) ?? value;
  if (name === languageFunctionName && typeof value === 'string' && Array.isArray(values))
    return languageIn(value, values, graph);
  if ((type === 'number' || type === 'integer') && typeof value === 'string' && isNumber.test(value.trim()))
    return Number(value);
  return type === 'string' && (typeof value === 'number' || typeof value === 'boolean') ? String(value) : value;
}

const isNumber = /^-?\d{1,15}(?:\.\d{1,15})?$/;

/** Returns a yes or no as models write it, or in the conversation's language; null for anything else. */
export function booleanOf(value: Json, reader: Pick<Reader, 'value'>): boolean | null {
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const text = String(value).trim().toLowerCase();
  const written = booleans.get(text);
  if (written !== undefined) return written;
  const reading = reader.value('boolean', text, { now: '1970-01-01T00:00', asked: true });
  return reading.ok && typeof reading.value === 'boolean' ? reading.value : null;
}

/** Functions are offered to a model in English, whatever the language of the conversation. */
const booleans: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['yes', true],
  ['1', true],
  ['false', false],
  ['no', false],
  ['0', false],
]);

/** Returns the language that a tag or its English name means: "EN", "en-US", "Spanish". */
function languageIn(given: string, tags: readonly Json[], graph: Graph): Json {
  const wanted = given.trim().toLowerCase();
  const named = tags.find(
    (tag) =>
      typeof tag === 'string' &&
      (tag.toLowerCase() === wanted || graph.spokenIn(tag).speech.languageName.toLowerCase() === wanted),
  );
  return named ?? languageMeant(graph, wanted) ?? given;
}
