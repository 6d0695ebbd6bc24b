import { z } from 'zod';
import type { JsonObject } from '../../events/json.ts';
import type { FunctionTool } from './function-tool.ts';
import { toolError } from './tool-error.ts';

/**
 * The arguments of a call as the tool takes them: a zod schema also holds what JSON Schema has no word for, and fills in its
 * defaults. Throws a ToolError, which the model reads, where they do not fit.
 */
export async function parsedArguments(
  { parameters }: Pick<FunctionTool, 'parameters'>,
  given: JsonObject,
): Promise<unknown> {
  if (!(parameters instanceof z.ZodType)) return given;
  const { data, error } = await parameters.safeParseAsync(given);
  if (error === undefined) return data;
  const texts = error.issues.map(({ path, message }) => [...path.map(String), message].join(': '));
  throw toolError(`The arguments do not fit: ${texts.slice(0, mostTold).join('; ')}. Call again.`);
}

/** How many places one error names. */
const mostTold = 8;
