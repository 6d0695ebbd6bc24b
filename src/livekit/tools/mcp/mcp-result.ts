import { z } from 'zod';
import type { Json, JsonObject } from '../../../model/json.ts';
import { schemaCheck } from '../../../flow/graph/schema-check.ts';
import { cutText } from '../../../engine/limits.ts';
import { parsedJson } from '../parsed-json.ts';
import { toolError } from '../tool-error.ts';

/** Schema of a result. Contents are read one by one. */
export const callResultSchema = z.looseObject({
  content: z.array(z.looseObject({ type: z.string() })).default([]),
  structuredContent: z.record(z.string(), z.json()).optional(),
  isError: z.boolean().optional(),
});

type CallResult = z.output<typeof callResultSchema>;

const mostOfAnError = 500;

/**
 * Returns the value of a result: the structured content if the tool declares its schema, else the text, parsed if it
 * is a JSON object or list. Throws a ToolError for an error result, and for a result that does not fit `output`.
 */
export function valueOfResult(result: CallResult, output: JsonObject | null): Json {
  const text = textOf(result.content);
  if (result.isError === true)
    throw toolError(text === '' ? 'The tool reports an error.' : `The tool reports: ${cutText(text, mostOfAnError)}`);
  const { structuredContent } = result;
  if (output === null) return (structuredContent as JsonObject | undefined) ?? parsedText(text); // The schema checks that it is JSON.
  if (structuredContent === undefined || schemaCheck(output).violations(structuredContent).length > 0)
    throw toolError('The result of the tool does not fit its declared schema, so it is not used.');
  return structuredContent;
}

function textOf(content: CallResult['content']): string {
  return content.map(textOfBlock).join('\n').trim();
}

function textOfBlock({ type, text, resource }: CallResult['content'][number]): string {
  if (type === 'text' && typeof text === 'string') return text;
  const inside: unknown =
    typeof resource === 'object' && resource !== null && 'text' in resource ? resource.text : null;
  return typeof inside === 'string' ? inside : `[${/^\w{1,20}$/.test(type) ? type : 'content'}, not shown]`;
}

/** Many servers return JSON as text. */
function parsedText(text: string): Json {
  return /^[[{]/.test(text) ? (parsedJson(text) ?? text) : text;
}
