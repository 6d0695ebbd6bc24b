import { z } from 'zod';
import type { JsonObject } from '../../events/json.ts';

/** Any function tool of LiveKit, whatever its arguments are. */
export interface FunctionTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: unknown;
  execute(input: never, options: never): Promise<unknown>;
}

/** What tools say of themselves to a model. */
export function declarationsOf(
  tools: Iterable<FunctionTool>,
): ReadonlyMap<string, { readonly description: string; readonly parameters: JsonObject }> {
  const declared = new Map<string, { description: string; parameters: JsonObject }>();
  for (const { name, description, parameters } of tools) {
    const schema =
      parameters instanceof z.ZodType
        ? z.toJSONSchema(parameters, { io: 'input', unrepresentable: 'any' })
        : parameters;
    declared.set(name, { description, parameters: schema as JsonObject }); // JSON Schema is JSON.
  }
  return declared;
}
