import { z } from 'zod';
import { isJsonObject, type Json, jsonListOf, type JsonObject, jsonObjectOf } from '../../model/json.ts';
import { conversationSchema } from '../document/document.ts';
import { snakeCase } from '../document/problems/schema-shape.ts';
import { taskFlowSchema } from '../document/task-document.ts';
import { allTypes, type Catalog } from './nodes/catalog.ts';
import type { NodeType } from './nodes/node-type.ts';
import { asDocumentsAreWritten, includedFileSchema } from './schema-spellings.ts';

/**
 * Returns the JSON Schema (2020-12) of flows for editors. Keys are proposed in snake_case and accepted in camelCase.
 * Each property has a description. A node's `type`, `input` and `config` come from the catalog, whose outputs are
 * described as well. A document with the key `flow` is a task flow, any other a conversation. Short forms and other
 * names of messages and functions are included; forms of other frameworks are not.
 */
export function flowJsonSchema(catalog: Catalog): JsonObject {
  const types = allTypes(catalog);
  // Converted together, so that shared parts are defined once.
  const everything = z.strictObject({ flow: conversationSchema, tasks: taskFlowSchema, ...schemasIn(types) });
  const text = JSON.stringify(toJsonSchema(everything));
  const read = JSON.parse(text) as Json; // JSON text parses to JSON.
  const converted = toSnakeCase(read);
  const { ConversationFlow: flow, Node: node, TaskNode: task, ...definitions } = objectAt(converted, '$defs');
  const schemasOf = (key: string, from = converted): readonly Json[] =>
    listAt(objectAt(objectAt(from, 'properties'), key), 'prefixItems').slice(1);
  // Outputs keep the names that nodes give them.
  const [inputs, configs, outputs] = [schemasOf('inputs'), schemasOf('configs'), schemasOf('outputs', read)];
  const described = types.map(({ name, description }, index) => {
    return { name, description, input: inputs[index] ?? {}, config: configs[index] ?? {} };
  });
  const definitionsHere: JsonObject = {
    ...definitions,
    ConversationFlow: withShortForms(flow ?? {}, FLOW_NAMES),
    Node: withTypes(withShortForms(node ?? {}, NODE_NAMES), described),
    TaskNode: withTypes(jsonObjectOf(task ?? {}), described),
    Messages: MESSAGES,
  };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'urn:roomflow:flow:1',
    title: 'Roomflow flow',
    description: 'A conversation, or a task flow if it has the key flow.',
    if: { type: 'object', required: ['flow'] },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: { $ref: '#/$defs/TaskFlow' },
    else: { $ref: '#/$defs/ConversationFlow' },
    $defs: {
      ...objectAt(asDocumentsAreWritten({ $defs: definitionsHere }), '$defs'),
      IncludedFile: includedFileSchema,
      Outputs: {
        description:
          'The outputs of a node of each type, for templates and conditions: {{ id.name }}. Not part of a document.',
        type: 'object',
        properties: Object.fromEntries(
          types.map(({ name, description }, index) => [
            name,
            withDescription(description, jsonObjectOf(outputs[index] ?? {})),
          ]),
        ),
      },
    },
  };
}

/** Returns the ids that the schemas of types define. Throws if they cannot be converted to JSON Schema. */
export function schemaIds(types: readonly NodeType[]): readonly string[] {
  return Object.keys(toJsonSchema(z.strictObject(schemasIn(types))).$defs ?? {});
}

function schemasIn(types: readonly NodeType[]) {
  return {
    inputs: z.tuple([z.unknown(), ...types.map(({ input }) => input)]),
    configs: z.tuple([z.unknown(), ...types.map(({ config }) => config ?? z.never())]),
    outputs: z.tuple([z.unknown(), ...types.map(({ output }) => output)]),
  };
}

function toJsonSchema(schema: z.ZodType) {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
}

const MESSAGES: JsonObject = {
  description: 'Prompt messages; a text is a system message.',
  anyOf: [
    { type: 'string' },
    { $ref: '#/$defs/Message' },
    { type: 'array', items: { anyOf: [{ $ref: '#/$defs/Message' }, { type: 'string' }] } },
  ],
};

const FLOW_NAMES = new Map([
  ['role_messages', 'role_message'],
  ['functions', 'global_functions'],
]);
const NODE_NAMES = new Map([
  ['role_messages', 'role_message'],
  ['task_messages', 'task_message'],
]);

/** Adds other forms that the loader accepts: a property's second name, and messages without a list. */
function withShortForms(schema: Json, otherNames: ReadonlyMap<string, string>): JsonObject {
  const properties = Object.entries(objectAt(schema, 'properties')).flatMap(([name, property]): [string, Json][] => {
    const otherName = otherNames.get(name);
    if (otherName === undefined) return [[name, property]];
    const { description, ...given } = jsonObjectOf(property);
    const form = name === 'functions' ? given : { $ref: '#/$defs/Messages' };
    return [
      [name, withDescription(description, form)],
      [otherName, withDescription(`Another name for ${name}.`, form)],
    ];
  });
  return { ...jsonObjectOf(schema), properties: Object.fromEntries(properties) };
}

interface DescribedType {
  readonly name: string;
  readonly description: string;
  readonly input: Json;
  readonly config: Json;
}

/** Lists the type names under `type`, and applies each type's schemas to `input` and `config`. */
function withTypes(node: JsonObject, types: readonly DescribedType[]): JsonObject {
  if (types.length === 0) return node;
  const properties = objectAt(node, 'properties');
  const names = types.map(({ name, description }) => ({ const: name, description }));
  const type = withDescription(objectAt(properties, 'type')['description'], { oneOf: names });
  return { ...node, properties: { ...properties, type }, allOf: types.map(inputRule) };
}

function inputRule({ name, input, config }: DescribedType): JsonObject {
  const needsInput = listAt(input, 'required').length > 0 ? { required: ['input'] } : {};
  return {
    if: { properties: { type: { const: name } }, required: ['type'] },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: { properties: { input: withTemplates(input), config }, ...needsInput },
  };
}

/** Allows a text with a template for any member of an input that is not plain text itself, at any depth. */
function withTemplates(input: Json): JsonObject {
  const { properties, items, ...rest } = jsonObjectOf(input);
  return {
    ...rest,
    ...(properties === undefined ? {} : { properties: mapMembers(jsonObjectOf(properties), orTemplate) }),
    ...(items === undefined ? {} : { items: orTemplate(items) }),
  };
}

function orTemplate(member: Json): JsonObject {
  const { description, ...form } = jsonObjectOf(member);
  const takesText = Object.keys(form).every((key) => key === 'type' && form[key] === 'string');
  if (takesText) return jsonObjectOf(member);
  return withDescription(description, { anyOf: [withTemplates(form), { type: 'string', pattern: String.raw`\{\{` }] });
}

function withDescription(description: Json | undefined, schema: JsonObject): JsonObject {
  return description === undefined ? schema : { description, ...schema };
}

/** Renames the properties of all nested schemas to snake_case; values and authors' maps stay. */
function toSnakeCase(schema: Json): Json {
  if (!isJsonObject(schema)) return schema;
  return mapMembers(schema, (value, key): Json => {
    if (key === 'properties') return Object.fromEntries(Object.entries(jsonObjectOf(value)).map(snakeProperty));
    if (key === 'required')
      return listAt(schema, key).map((name) => (typeof name === 'string' ? snakeCase(name) : name));
    if (key === '$defs') return mapMembers(jsonObjectOf(value), toSnakeCase);
    if (!HOLDS_SCHEMAS.has(key)) return value;
    return Array.isArray(value) ? listAt(schema, key).map(toSnakeCase) : toSnakeCase(value);
  });
}

/** Keywords under which zod's conversion nests schemas. */
const HOLDS_SCHEMAS = new Set(
  'items prefixItems additionalProperties propertyNames anyOf oneOf allOf not if then else'.split(' '),
);

function snakeProperty([name, schema]: [string, Json]): [string, Json] {
  return [snakeCase(name), toSnakeCase(schema)];
}

function mapMembers(members: JsonObject, change: (value: Json, key: string) => Json): JsonObject {
  return Object.fromEntries(Object.entries(members).map(([key, value]) => [key, change(value, key)]));
}

function objectAt(value: Json, key: string): JsonObject {
  return jsonObjectOf(jsonObjectOf(value)[key]);
}

function listAt(value: Json, key: string): readonly Json[] {
  return jsonListOf(jsonObjectOf(value)[key]);
}
