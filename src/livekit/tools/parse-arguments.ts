import { z } from 'zod';
import type { JsonObject } from '../../model/json.ts';
import type { FunctionTool } from './function-tool.ts';
import { toolError } from './tool-error.ts';

/**
 * Parses a call's arguments for its tool. A zod schema also checks what JSON Schema cannot
 * express, and fills in defaults. Throws a ToolError for the model if they are invalid.
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

/** How many paths one error names. */
const mostTold = 8;
