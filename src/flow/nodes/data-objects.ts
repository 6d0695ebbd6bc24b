import { z } from 'zod';
import type { Json, JsonObject } from '../../model/json.ts';
import { isList, isPlainObject, ownValue } from '../expression/own-value.ts';
import { parsePath, type Path } from '../expression/path.ts';
import { defineNodeType, type NodeType } from '../graph/nodes/node-type.ts';
import { asJson, jsonObject } from './json-fields.ts';

const object = z.strictObject({ object: jsonObject.describe('The new object.') });

const dataSet = defineNodeType({
  name: 'data.set',
  description: 'Returns a copy of an object with one value set. Missing objects on the path are created.',
  input: z.strictObject({
    object: jsonObject.describe('The object. It is not changed.'),
    path: z
      .string()
      .describe('The path, such as visit.time or items.0. A list may grow by one.')
      .refine((path) => parsePath(path) !== undefined, 'Write names joined by dots, such as visit.time.'),
    value: z.unknown().describe('The value to set.'),
  }),
  output: object,
  evaluate({ object, path, value }) {
    const parsed = parsePath(path);
    if (parsed === undefined)
      return { ok: false, code: 'invalid-path', message: `"${path}" is not a path. ${PATH_HINT}` };
    const result = withValue(object, parsed, asJson(value));
    // Setting a path in an object leaves an object.
    if (result.ok) return { ok: true, output: { object: result.value as JsonObject } };
    const place = parsed.slice(0, result.depth).join('.');
    return { ok: false, code: 'not-settable', message: `"${path}" cannot be set: "${place}" ${result.reason}.` };
  },
});

const dataPick = defineNodeType({
  name: 'data.pick',
  description: 'Returns an object with some keys of another object.',
  input: z.strictObject({
    object: jsonObject.describe('The object. It is not changed.'),
    keys: z.array(z.string()).describe('The keys to keep. Missing keys are left out.'),
  }),
  output: object,
  evaluate({ object, keys }) {
    const kept = keys.filter((key) => Object.hasOwn(object, key)).map((key) => [key, asJson(object[key])] as const);
    return { ok: true, output: { object: Object.fromEntries(kept) } };
  },
});

const dataMerge = defineNodeType({
  name: 'data.merge',
  description: 'Merges objects. For a repeated key the last object wins.',
  input: z.strictObject({
    objects: z
      .array(jsonObject.nullable())
      .describe('The objects, from first to last. null, for example of a path that was not taken, adds nothing.'),
  }),
  output: object,
  evaluate: ({ objects }) => ({
    ok: true,
    output: { object: Object.fromEntries(objects.flatMap((one) => Object.entries(one ?? {}))) },
  }),
});

/** The object nodes. */
export const dataObjectNodes: readonly NodeType[] = [dataMerge, dataPick, dataSet];

const PATH_HINT = 'Write names joined by dots, such as visit.time.';

type Result = { readonly ok: true; readonly value: Json } | Refusal;

interface Refusal {
  readonly ok: false;
  /** The number of path segments up to the value that cannot be set. */
  readonly depth: number;
  readonly reason: string;
}

/** Returns a copy with the value at the path. Only the containers on the path are copied. */
function withValue(container: Json | undefined, path: Path, value: Json | undefined, depth = 0): Result {
  const key = path[depth];
  if (key === undefined) return { ok: true, value: value ?? null };
  if (isList(container)) {
    const index = Number(key);
    if (!(index <= container.length)) return { ok: false, depth, reason: `is a list of ${container.length}` };
    const member = withValue(container[index], path, value, depth + 1);
    return member.ok ? { ok: true, value: container.toSpliced(index, 1, member.value) } : member;
  }
  if (container !== undefined && container !== null && !isPlainObject(container))
    return { ok: false, depth, reason: `is a ${typeof container}` };
  // A value inside JSON is JSON.
  const member = withValue(ownValue(container, key) as Json | undefined, path, value, depth + 1);
  if (!member.ok) return member;
  // fromEntries defines own properties, so a key such as __proto__ is safe.
  return { ok: true, value: Object.fromEntries([...Object.entries(container ?? {}), [key, member.value]]) };
}
