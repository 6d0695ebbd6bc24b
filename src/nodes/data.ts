import { z } from 'zod';
import type { Json, JsonObject } from '../events/json.ts';
import { isList, isPlainObject, ownValue } from '../expression/own-value.ts';
import { parsePath, type Path } from '../expression/path.ts';
import { parseTemplate, renderTemplate } from '../expression/template.ts';
import { defineNodeType, type Evaluation, type NodeType } from '../graph/node-type.ts';

const record = z.record(z.string(), z.unknown());

const dataSet = defineNodeType({
  name: 'data.set',
  description: 'Gives a copy of an object with one value set; missing objects on the way are made.',
  input: z.strictObject({
    object: record.describe('The object; it is not changed.'),
    path: z
      .string()
      .describe('Where to set it, such as visit.time or items.0; a list may grow by one.')
      .refine((path) => parsePath(path) !== undefined, 'Write names joined by dots, such as visit.time.'),
    value: z.unknown().describe('What to set.'),
  }),
  output: z.strictObject({ object: record }),
  evaluate({ object, path, value }): Evaluation {
    const parsed = parsePath(path);
    if (parsed === undefined) return { ok: false, code: 'invalid-path', message: `"${path}" is no path. ${PATH_HINT}` };
    // Bindings yield JSON.
    const result = withValue(object as JsonObject, parsed, value as Json | undefined);
    if (result.ok) return { ok: true, output: { object: result.value } };
    const place = parsed.slice(0, result.depth).join('.');
    return { ok: false, code: 'not-settable', message: `"${path}" cannot be set: "${place}" ${result.reason}.` };
  },
});

const dataTemplate = defineNodeType({
  name: 'data.template',
  literal: ['template'],
  description: 'Fills a text in.',
  input: z.strictObject({
    template: z.string().describe('A text with {{ names }}: those of values, then those of the flow.'),
    values: record.optional().describe('Names of its own.'),
  }),
  output: z.strictObject({ text: z.string() }),
  reads: ({ template, values = {} }) => [{ at: ['template'], template, local: Object.keys(values) }],
  evaluate({ template, values }, { lookup }) {
    const lookupHere = (name: string): unknown => {
      return values !== undefined && Object.hasOwn(values, name) ? values[name] : lookup(name);
    };
    return { ok: true, output: { text: renderTemplate(parseTemplate(template), lookupHere).text } };
  },
});

/** The nodes that reshape data. */
export const dataNodes: readonly NodeType[] = [dataSet, dataTemplate];

const PATH_HINT = 'Write names joined by dots, such as visit.time.';

type Result = { readonly ok: true; readonly value: Json } | Refusal;

interface Refusal {
  readonly ok: false;
  /** How many segments of the path lead to what cannot take the value. */
  readonly depth: number;
  readonly reason: string;
}

/** A copy with the value at the path; only the containers on the way are copied. */
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
  // Bindings yield JSON.
  const member = withValue(ownValue(container, key) as Json | undefined, path, value, depth + 1);
  if (!member.ok) return member;
  // fromEntries defines own properties, so that a key such as __proto__ is an ordinary one.
  return { ok: true, value: Object.fromEntries([...Object.entries(container ?? {}), [key, member.value]]) };
}
