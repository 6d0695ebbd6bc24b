import { z } from 'zod';
import type { JsonObject } from '../../model/json.ts';
import type { Declaration } from '../../flow/graph/compile/registered.ts';

/** Any function tool of LiveKit, whatever its arguments. */
export interface FunctionTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: unknown;
  /** Does the work. Throws what its author's code throws, and an `llm.ToolError` if the arguments are invalid. */
  execute(input: never, options: never): Promise<unknown>;
}

const writing = new WeakSet<FunctionTool>();

/** Marks a tool as changing the world. */
export function markWriting(tool: FunctionTool): void {
  writing.add(tool);
}

/** Checks whether a tool is marked as changing the world. */
export function isWriting(tool: FunctionTool): boolean {
  return writing.has(tool);
}

/** Returns the tools as the model sees them. `waiting` contains the names of tools that may wait for people. */
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

/** Converted once for each zod schema and shared by all sessions with the tool. */
function jsonSchemaOf(parameters: z.ZodType): JsonObject {
  const known = jsonSchemas.get(parameters);
  if (known !== undefined) return known;
  const schema = z.toJSONSchema(parameters, { io: 'input', unrepresentable: 'any' }) as JsonObject; // JSON Schema is JSON.
  jsonSchemas.set(parameters, schema);
  return schema;
}

const jsonSchemas = new WeakMap<z.ZodType, JsonObject>();
