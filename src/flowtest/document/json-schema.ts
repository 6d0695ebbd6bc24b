import { z } from 'zod';
import { isJsonObject, type Json, type JsonObject } from '../../model/json.ts';
import { snakeCase } from '../../flow/document/problems/schema-shape.ts';
import { flowTestSchema } from './document.ts';

/** The JSON Schema (2020-12) of files of conversation tests, for editors. Keys are proposed in snake_case. */
export function flowTestJsonSchema(): JsonObject {
  const schema = z.toJSONSchema(flowTestSchema, { io: 'input', unrepresentable: 'any' });
  const { $schema, ...rest } = snakeCased(JSON.parse(JSON.stringify(schema)) as Json) as JsonObject; // JSON text parses to JSON.
  return {
    ...($schema === undefined ? {} : { $schema }),
    $id: 'urn:roomflow:flowtest:1',
    title: 'Roomflow conversation tests',
    description: 'Conversations with a flow, and what must hold in them.',
    ...rest,
  };
}

/** Renames every property to its name in documents. */
function snakeCased(value: Json): Json {
  if (Array.isArray(value)) return value.map(snakeCased);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]): [string, Json] => {
      if (key === 'required' && Array.isArray(one)) return [key, one.map((name) => snakeCase(String(name)))];
      if (key !== 'properties' || !isJsonObject(one)) return [key, snakeCased(one)];
      return [key, Object.fromEntries(Object.entries(one).map(([name, each]) => [snakeCase(name), snakeCased(each)]))];
    }),
  );
}
