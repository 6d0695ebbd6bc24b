import { z } from 'zod';
import { isJsonObject, type Json, type JsonObject } from '../../model/json.ts';
import { conversationSchema } from '../document/document.ts';
import { snakeCase } from '../document/problems/schema-shape.ts';
import { taskFlowSchema } from '../document/task-document.ts';
import { allTypes, type Catalog } from './nodes/catalog.ts';
import type { NodeType } from './nodes/node-type.ts';
import { asDocumentsAreWritten, includedFileSchema } from './schema-spellings.ts';

/**
 * The JSON Schema (2020-12) of flows, for editors; keys are proposed in snake_case and taken in camelCase too: each property tells what it is for, and a node's `type`,
 * `input` and `config` are those of the catalog, whose outputs it describes besides. What has the key `flow` is a task
 * flow, else it is a conversation. Short forms and other names of messages and functions are part of it; what only other
 * frameworks write is not.
 */
export function flowJsonSchema(catalog: Catalog): JsonObject {
  const types = allTypes(catalog);
  // Converted in one go, so that what the flow and the inputs share is defined once.
  const everything = z.strictObject({ flow: conversationSchema, tasks: taskFlowSchema, ...schemasIn(types) });
  const text = JSON.stringify(toJsonSchema(everything));
  const read = JSON.parse(text) as Json; // JSON text parses to JSON.
  const converted = toSnakeCase(read);
  const { ConversationFlow: flow, Node: node, TaskNode: task, ...definitions } = objectAt(converted, '$defs');
  const schemasOf = (key: string, from = converted): readonly Json[] =>
    listAt(objectAt(objectAt(from, 'properties'), key), 'prefixItems').slice(1);
  // Outputs are read under the very names that nodes give them.
  const [inputs, configs, outputs] = [schemasOf('inputs'), schemasOf('configs'), schemasOf('outputs', read)];
  const described = types.map(({ name, description }, index) => {
    return { name, description, input: inputs[index] ?? {}, config: configs[index] ?? {} };
  });
  const definitionsHere: JsonObject = {
    ...definitions,
    ConversationFlow: withShortForms(flow ?? {}, FLOW_NAMES),
    Node: withTypes(withShortForms(node ?? {}, NODE_NAMES), described),
    TaskNode: withTypes(asObject(task ?? {}), described),
    Messages: MESSAGES,
  };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'urn:roomflow:flow:1',
    title: 'Roomflow flow',
    description: 'A conversation, or a task flow: what has the key flow.',
    if: { type: 'object', required: ['flow'] },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: { $ref: '#/$defs/TaskFlow' },
    else: { $ref: '#/$defs/ConversationFlow' },
    $defs: {
      ...objectAt(asDocumentsAreWritten({ $defs: definitionsHere }), '$defs'),
      IncludedFile: includedFileSchema,
      Outputs: {
        description:
          'What a node of each type gives, for templates and conditions: {{ id.name }}. No part of a document.',
        type: 'object',
        properties: Object.fromEntries(
          types.map(({ name, description }, index) => [
            name,
            withDescription(description, asObject(outputs[index] ?? {})),
          ]),
        ),
      },
    },
  };
}

/** The ids that the schemas of types give to their parts. Throws where they make no JSON Schema. */
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

/** Adds what the loader takes besides: a property's other name, and messages without a list. */
function withShortForms(schema: Json, otherNames: ReadonlyMap<string, string>): JsonObject {
  const properties = Object.entries(objectAt(schema, 'properties')).flatMap(([name, property]): [string, Json][] => {
    const otherName = otherNames.get(name);
    if (otherName === undefined) return [[name, property]];
    const { description, ...given } = asObject(property);
    const form = name === 'functions' ? given : { $ref: '#/$defs/Messages' };
    return [
      [name, withDescription(description, form)],
      [otherName, withDescription(`Another name for ${name}.`, form)],
    ];
  });
  return { ...asObject(schema), properties: Object.fromEntries(properties) };
}

interface DescribedType {
  readonly name: string;
  readonly description: string;
  readonly input: Json;
  readonly config: Json;
}

/** Lists the names of the types under `type`, and holds `input` and `config` to the type that is named. */
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

/** Lets a text with a template stand for any member of an input that is not plain text itself, and for their members. */
function withTemplates(input: Json): JsonObject {
  const { properties, items, ...rest } = asObject(input);
  return {
    ...rest,
    ...(properties === undefined ? {} : { properties: mapMembers(asObject(properties), orTemplate) }),
    ...(items === undefined ? {} : { items: orTemplate(items) }),
  };
}

function orTemplate(member: Json): JsonObject {
  const { description, ...form } = asObject(member);
  const takesText = Object.keys(form).every((key) => key === 'type' && form[key] === 'string');
  if (takesText) return asObject(member);
  return withDescription(description, { anyOf: [withTemplates(form), { type: 'string', pattern: String.raw`\{\{` }] });
}

function withDescription(description: Json | undefined, schema: JsonObject): JsonObject {
  return description === undefined ? schema : { description, ...schema };
}

/** Gives the properties of every schema in a schema their names in snake_case; values and an author's maps stay. */
function toSnakeCase(schema: Json): Json {
  if (!isJsonObject(schema)) return schema;
  return mapMembers(schema, (value, key): Json => {
    if (key === 'properties') return Object.fromEntries(Object.entries(asObject(value)).map(snakeProperty));
    if (key === 'required')
      return listAt(schema, key).map((name) => (typeof name === 'string' ? snakeCase(name) : name));
    if (key === '$defs') return mapMembers(asObject(value), toSnakeCase);
    if (!HOLDS_SCHEMAS.has(key)) return value;
    return Array.isArray(value) ? listAt(schema, key).map(toSnakeCase) : toSnakeCase(value);
  });
}

/** The keywords that zod's conversion nests schemas under. */
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
  return asObject(asObject(value)[key] ?? {});
}

function listAt(value: Json, key: string): readonly Json[] {
  const list = asObject(value)[key];
  return Array.isArray(list) ? (list as readonly Json[]) : []; // The members of a Json list are Json.
}

/** A schema as an object: `true` and what is none say nothing. */
function asObject(value: Json): JsonObject {
  return isJsonObject(value) ? value : {};
}
