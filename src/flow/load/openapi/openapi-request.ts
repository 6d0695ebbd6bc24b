import { isJsonObject, type Json, jsonListOf, type JsonObject, jsonObjectOf } from '../../../model/json.ts';
import { FlowError } from '../../../model/errors.ts';
import { suggestion } from '../../document/problems/suggestion.ts';
import type { HttpRequestDocument, OpenApiDocument } from '../../document/tools/http-tool.ts';
import { inlined, type Resolve, resolverOf } from './openapi-schema.ts';

/** The request of an operation, as a document would write it down. */
export interface OperationRequest {
  readonly description: string;
  readonly parameters: JsonObject;
  readonly http: HttpRequestDocument;
}

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;
type Method = (typeof methods)[number];

interface Operation {
  readonly path: string;
  readonly method: Method;
  readonly item: JsonObject;
  readonly operation: JsonObject;
}

/** The arguments and the places of the request that they fill. */
interface Places {
  readonly properties: Record<string, Json>;
  readonly required: string[];
  readonly query: Record<string, string>;
  readonly headers: Record<string, string>;
  url: string;
  body?: Json;
}

const mostDescription = 1_000;

/**
 * Returns the request of the operation that a tool names. Throws `flow-invalid` if the description has no such
 * operation, no server, or needs what cannot be sent.
 */
export function requestOf(description: unknown, named: OpenApiDocument): OperationRequest {
  const root = jsonObjectOf(description);
  if (!textOf(root['openapi']).startsWith('3.'))
    throw new FlowError('flow-invalid', `"${named.file}" is not an OpenAPI description of version 3.`);
  const found = operationOf(root, named);
  const { path, method, operation } = found;
  const resolve = resolverOf(root);
  const places: Places = {
    ...{ properties: {}, required: [], query: {}, headers: {} },
    url: `${serverOf(root, found, named).replace(/\/+$/, '')}${path}`,
  };
  for (const parameter of parametersOf(found, resolve)) place(parameter, places, resolve);
  placeBody(operation, places, resolve);
  const { properties, required, url, query, headers, body } = places;
  const result = resultOf(operation, resolve);
  const text = textOf(operation['summary']) || textOf(operation['description']);
  return {
    description: text.slice(0, mostDescription),
    parameters: { type: 'object', properties, ...(required.length === 0 ? {} : { required }) },
    http: {
      ...{ method: method.toUpperCase() as Uppercase<Method>, url },
      ...(Object.keys(query).length === 0 ? {} : { query }),
      headers: { ...headers, ...named.headers },
      ...(body === undefined ? {} : { body }),
      ...(named.idempotencyHeader === undefined ? {} : { idempotencyHeader: named.idempotencyHeader }),
      ...(result === null ? {} : { result }),
    },
  };
}

function operationOf(root: JsonObject, { file, operation: name }: OpenApiDocument): Operation {
  const all = Object.entries(jsonObjectOf(root['paths'])).flatMap(([path, given]) => {
    const item = jsonObjectOf(given);
    return methods.flatMap((method): Operation[] => {
      const operation = item[method];
      return operation !== undefined && isJsonObject(operation) ? [{ path, method, item, operation }] : [];
    });
  });
  const found = all.find(({ operation }) => operation['operationId'] === name);
  if (found !== undefined) return found;
  const ids = all.flatMap(({ operation }) => textOf(operation['operationId']) || []);
  const hint = suggestion(name, ids) ?? 'Name the operationId of one of its operations.';
  throw new FlowError('flow-invalid', `"${file}" has no operation "${name}". ${hint}`);
}

/** The address of the server that is nearest to the operation, with the defaults of its variables. */
function serverOf(root: JsonObject, { item, operation }: Operation, { file, server }: OpenApiDocument): string {
  if (server !== undefined) return server;
  const [first] = [operation, item, root].flatMap((owner) => jsonListOf(owner['servers']).slice(0, 1));
  const given = jsonObjectOf(first);
  const url = textOf(given['url']).replaceAll(/\{([^{}]+)\}/g, (_whole, name: string) =>
    textOf(jsonObjectOf(jsonObjectOf(given['variables'])[name])['default']),
  );
  if (/^https?:\/\//i.test(url)) return url;
  throw new FlowError('flow-invalid', `"${file}" has no server with a whole address. Write it under "server".`);
}

/** The parameters of the operation, which take precedence over those of its path. */
function parametersOf({ item, operation }: Operation, resolve: Resolve): readonly JsonObject[] {
  const all = [...jsonListOf(item['parameters']), ...jsonListOf(operation['parameters'])].map((one) =>
    jsonObjectOf(resolve(one)),
  );
  return [...new Map(all.map((one) => [`${textOf(one['in'])} ${textOf(one['name'])}`, one])).values()];
}

function place(parameter: JsonObject, places: Places, resolve: Resolve): void {
  const name = textOf(parameter['name']);
  const where = textOf(parameter['in']);
  const isRequired = parameter['required'] === true || where === 'path';
  const argument = argumentName(name);
  const filled = `{{ args.${argument} }}`;
  if (where === 'path') places.url = places.url.replaceAll(`{${name}}`, filled);
  else if (where === 'query') places.query[name] = filled;
  else if (where === 'header') places.headers[name] = filled;
  else if (isRequired)
    throw new FlowError('flow-invalid', `the operation needs "${name}" in ${where}, which cannot be sent.`);
  else return;
  const schema = inlined(parameter['schema'] ?? {}, resolve);
  const about = textOf(parameter['description']);
  places.properties[argument] = about === '' ? schema : { ...jsonObjectOf(schema), description: about };
  if (isRequired) places.required.push(argument);
}

/** The members of an object are arguments beside the parameters; any other body is one argument. */
function placeBody(operation: JsonObject, places: Places, resolve: Resolve): void {
  if (operation['requestBody'] === undefined) return;
  const given = jsonObjectOf(resolve(operation['requestBody']));
  const content = jsonContent(given['content']);
  if (content === null) {
    if (given['required'] !== true) return;
    throw new FlowError('flow-invalid', 'the operation needs a body that is not JSON, which cannot be sent.');
  }
  const schema = jsonObjectOf(inlined(content['schema'] ?? {}, resolve));
  const members = Object.entries(jsonObjectOf(schema['properties']));
  const isPlain = !['allOf', 'anyOf', 'oneOf'].some((key) => schema[key] !== undefined);
  const isFree = members.every(([name]) => argumentName(name) === name && places.properties[name] === undefined);
  if (members.length === 0 || !isPlain || !isFree) {
    places.properties['body'] = schema;
    places.body = '{{ args.body }}';
    if (given['required'] === true) places.required.push('body');
    return;
  }
  for (const [name, member] of members) if (jsonObjectOf(member)['readOnly'] !== true) places.properties[name] = member;
  const sent = members.filter(([name]) => places.properties[name] !== undefined).map(([name]) => name);
  places.body = Object.fromEntries(sent.map((name) => [name, `{{ args.${name} }}`]));
  places.required.push(
    ...jsonListOf(schema['required'])
      .map(textOf)
      .filter((name) => sent.includes(name)),
  );
}

/** The schema of the first successful answer; null if it has none. */
function resultOf(operation: JsonObject, resolve: Resolve): JsonObject | null {
  const responses = Object.entries(jsonObjectOf(operation['responses']));
  const [, success] = responses.find(([status]) => /^2(\d\d|XX)$/i.test(status)) ?? [];
  if (success === undefined) return null;
  const schema = jsonContent(jsonObjectOf(resolve(success))['content'])?.['schema'];
  const result = schema === undefined ? null : inlined(schema, resolve);
  return result !== null && isJsonObject(result) ? result : null;
}

function jsonContent(given: Json | undefined): JsonObject | null {
  const [, found] =
    Object.entries(jsonObjectOf(given)).find(([type]) => /^application\/(?:[\w.-]+\+)?json\b/i.test(type)) ?? [];
  return found === undefined ? null : jsonObjectOf(found);
}

/** Placeholders and models take letters, digits and "_". */
function argumentName(name: string): string {
  return name.replaceAll(/\W+/g, '_').replace(/^(?=\d)/, '_');
}

function textOf(given: Json | undefined): string {
  return typeof given === 'string' ? given : '';
}
