import { llm } from '@livekit/agents';
import { z } from 'zod';
import type { JsonObject } from '../../events/json.ts';
import type { Declaration } from '../../graph/registered.ts';

/** Any function tool of LiveKit, whatever its arguments are. */
export interface FunctionTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: unknown;
  /** Does the work. Throws what its author's code throws, and an `llm.ToolError` where the arguments do not fit. */
  execute(input: never, options: never): Promise<unknown>;
}

const writing = new WeakSet<FunctionTool>();

/** Says of a tool that it changes the world. */
export function markWriting(tool: FunctionTool): void {
  writing.add(tool);
}

/** Whether a tool says of itself that it changes the world. */
export function isWriting(tool: FunctionTool): boolean {
  return writing.has(tool);
}

/** The tools as a model is shown them; `waiting` names those that may wait for people. */
export function declarationsOf(
  tools: Iterable<FunctionTool>,
  waiting: ReadonlySet<string> = new Set(),
): ReadonlyMap<string, Declaration> {
  const declared = new Map<string, Declaration>();
  for (const tool of tools) {
    const { name, description, parameters } = tool;
    const isParsed = parameters instanceof z.ZodType;
    const schema = isParsed ? jsonSchemaOf(parameters) : (parameters as JsonObject); // JSON Schema is JSON.
    const waits = waiting.has(name) ? { waits: true } : {};
    const writes = isWriting(tool) ? { writes: true } : {};
    declared.set(name, { description, parameters: schema, isParsed, ...waits, ...writes });
  }
  return declared;
}

/** Converted once for each zod schema: all sessions that are given the tool share it. */
function jsonSchemaOf(parameters: z.ZodType): JsonObject {
  const known = jsonSchemas.get(parameters);
  if (known !== undefined) return known;
  const schema = z.toJSONSchema(parameters, { io: 'input', unrepresentable: 'any' }) as JsonObject; // JSON Schema is JSON.
  jsonSchemas.set(parameters, schema);
  return schema;
}

const jsonSchemas = new WeakMap<z.ZodType, JsonObject>();

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
  throw new llm.ToolError(`The arguments do not fit: ${texts.slice(0, mostTold).join('; ')}. Call again.`);
}

/** How many places one error names. */
const mostTold = 8;
