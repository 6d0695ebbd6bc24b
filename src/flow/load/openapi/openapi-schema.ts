import { FlowError } from '../../../model/errors.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../model/json.ts';
import { ownValue } from '../../expression/own-value.ts';

/** Returns what a `$ref` names, or the value itself. */
export type Resolve = (given: Json) => Json;

/** Keys of OpenAPI 3.0 that JSON Schema does not have, and examples, which a model does not need. */
const dropped = new Set(['nullable', 'example', 'examples', 'xml', 'discriminator', 'externalDocs', 'deprecated']);
/** Deeper references are any value: a schema may name itself. */
const mostReferences = 8;

/** Returns a resolver for the references inside a description. It throws `flow-invalid` for one that leads out of it. */
export function resolverOf(root: JsonObject): Resolve {
  const resolve = (given: Json, left = mostReferences): Json => {
    const reference = isJsonObject(given) ? given['$ref'] : undefined;
    if (typeof reference !== 'string') return given;
    const names = /^#(\/.*)$/.exec(reference)?.[1]?.split('/').slice(1).map(unescaped);
    let found: unknown = names === undefined ? undefined : root;
    for (const name of names ?? []) found = ownValue(found, name);
    if (found === undefined || left === 0)
      throw new FlowError('flow-invalid', `the reference ${reference} does not name a part of this file.`);
    return resolve(found as Json, left - 1); // It was read from YAML or JSON.
  };
  return (given) => resolve(given);
}

/** Returns a JSON Schema without references, so that a flow keeps it whole. */
export function inlined(given: Json, resolve: Resolve, left = mostReferences): Json {
  if (Array.isArray(given)) {
    const list: readonly Json[] = given; // `Array.isArray` types it as any.
    return list.map((one) => inlined(one, resolve, left));
  }
  if (!isJsonObject(given)) return given;
  if (typeof given['$ref'] === 'string') return left === 0 ? {} : inlined(resolve(given), resolve, left - 1);
  const members = Object.entries(given).flatMap(([name, value]) =>
    dropped.has(name) ? [] : [[name, inlined(value, resolve, left)] as const],
  );
  return given['nullable'] === true ? orNull(Object.fromEntries(members)) : Object.fromEntries(members);
}

function orNull(schema: JsonObject): JsonObject {
  const { enum: values, type } = schema;
  if (typeof type !== 'string') return { anyOf: [schema, { type: 'null' }] };
  return { ...schema, type: [type, 'null'], ...(Array.isArray(values) ? { enum: [...(values as Json[]), null] } : {}) };
}

function unescaped(name: string): string {
  return decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~');
}
