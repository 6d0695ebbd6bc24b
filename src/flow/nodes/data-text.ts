import { z } from 'zod';
import { isJsonObject, type Json, type JsonObject } from '../../model/json.ts';
import { parseTemplate, renderTemplate, unwrittenMessage } from '../expression/template.ts';
import { defineNodeType, type Failed, type NodeType } from '../graph/nodes/node-type.ts';
import { type SchemaCheck, schemaCheck } from '../graph/schema-check.ts';
import { asJson, jsonObject, tooLargeToKeep } from './json-fields.ts';

const dataTemplate = defineNodeType({
  name: 'data.template',
  literal: ['template'],
  description: 'Fills in a template.',
  input: z.strictObject({
    template: z.string().describe('A text with {{ names }}, looked up in values, then in the flow.'),
    values: jsonObject.optional().describe('Additional names for the template.'),
  }),
  output: z.strictObject({ text: z.string().describe('The filled-in text.') }),
  reads: ({ template, values = {} }) => [{ at: ['template'], template, local: Object.keys(values) }],
  evaluate({ template, values }, { lookup }) {
    const lookupHere = (name: string): unknown => {
      return values !== undefined && Object.hasOwn(values, name) ? values[name] : lookup(name);
    };
    const { text, unwritten } = renderTemplate(parseTemplate(template), lookupHere);
    if (unwritten.length > 0) return { ok: false, code: 'text-too-long', message: unwrittenMessage(unwritten) };
    return { ok: true, output: { text } };
  },
});

const jsonParse = defineNodeType({
  name: 'data.json.parse',
  description: 'Reads JSON text.',
  input: z.strictObject({ text: z.string().describe('The text.') }),
  output: z.strictObject({ value: z.unknown().describe('The parsed value.') }),
  evaluate({ text }) {
    const parsed = parseJson(text);
    if (parsed === undefined) return notJson;
    const tooLarge = tooLargeToKeep(parsed);
    if (tooLarge !== null) return tooLarge;
    return holdsInfinity(parsed) ? notJson : { ok: true, output: { value: parsed } };
  },
});

const jsonStringify = defineNodeType({
  name: 'data.json.stringify',
  description: 'Writes a value as JSON text.',
  input: z.strictObject({ value: z.unknown().describe('The value.') }),
  output: z.strictObject({ text: z.string().describe('The JSON text.') }),
  evaluate: ({ value }) => tooLargeToKeep(value) ?? { ok: true, output: { text: JSON.stringify(asJson(value)) } },
});

const dataValidate = defineNodeType({
  name: 'data.validate',
  description: 'Checks a value against a JSON Schema.',
  input: z.strictObject({
    value: z.unknown().describe('The value.'),
    schema: z.union([z.string(), jsonObject, z.boolean()]).describe('The JSON Schema, as JSON text or as an object.'),
  }),
  output: z.strictObject({
    valid: z.boolean().describe('Whether the value matches.'),
    errors: z.array(z.string()).optional().describe('The errors, at most 100.'),
  }),
  faults({ schema }) {
    if (JSON.stringify(schema).includes('{{')) return [];
    const check = checkOf(schema);
    if (typeof check === 'string') return [{ at: ['schema'], message: check, hint: schemaHint }];
    // A schema given as text has no places in the file.
    return check.faults.map((fault) => {
      const message = typeof schema === 'string' ? faultText(fault) : fault.message;
      const at = typeof schema === 'string' ? [] : fault.path;
      return { at: ['schema', ...at], message, hint: fault.hint ?? schemaHint };
    });
  },
  evaluate({ value, schema }) {
    const check = checkOf(schema);
    if (typeof check === 'string') return invalidSchema(check);
    const [fault] = check.faults;
    if (fault !== undefined) return invalidSchema(faultText(fault), fault.hint);
    const tooLarge = tooLargeToKeep(value);
    if (tooLarge !== null) return tooLarge;
    const found = check.violations(asJson(value));
    if (found.length === 0) return { ok: true, output: { valid: true } };
    const errors = found
      .slice(0, MAX_ERRORS)
      .map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`));
    return { ok: true, output: { valid: false, errors } };
  },
});

/** The text, JSON and schema nodes. */
export const dataTextNodes: readonly NodeType[] = [jsonParse, jsonStringify, dataTemplate, dataValidate];

const MAX_ERRORS = 100;

/** Returns undefined if the text is not JSON. */
function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json; // JSON text parses to JSON.
  } catch {
    return undefined;
  }
}

/** Checks whether a value contains a number such as 1e400, which parses to Infinity and is not JSON. */
function holdsInfinity(value: Json): boolean {
  const left: Json[] = [value];
  for (let one = left.pop(); one !== undefined; one = left.pop()) {
    if (one === Infinity || one === -Infinity) return true;
    if (typeof one === 'object' && one !== null) for (const member of Object.values(one)) left.push(member);
  }
  return false;
}

// The message names no place, because it would quote the text, which may be words of a caller.
const notJson: Failed = {
  ok: false,
  code: 'not-json',
  message: 'The text is not JSON. Correct the code that writes it, or set policy.continue_on_error.',
};

/** Compiles a schema, or returns the reason why it cannot be compiled. */
function checkOf(schema: string | JsonObject | boolean): SchemaCheck | string {
  const parsed = typeof schema === 'string' ? parseJson(schema) : schema;
  // The schemas of anything and of nothing.
  if (typeof parsed === 'boolean') return schemaCheck(parsed ? {} : { not: {} });
  if (parsed === undefined || !isJsonObject(parsed)) return 'the schema is not a JSON object.';
  return schemaCheck(parsed);
}

function invalidSchema(problem: string, hint = schemaHint): Failed {
  return { ok: false, code: 'schema-invalid', message: `${problem} ${hint}` };
}

function faultText({ path, message }: SchemaCheck['faults'][number]): string {
  return path.length === 0 ? message : `${path.join('.')}: ${message}`;
}

const schemaHint = 'Write a JSON Schema such as { "type": "object" }.';
