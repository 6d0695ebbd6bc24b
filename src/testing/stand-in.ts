import { z } from 'zod';
import type { JsonObject } from '../model/json.ts';
import { type FlowToolContext, toolOf } from '../livekit/tools/flow-tool.ts';
import type { FunctionTool } from '../livekit/tools/function-tool.ts';

/** Functions that replace a flow's own functions, by name. They accept any arguments that the flow declares. */
export type StandIns = Readonly<Record<string, (input: JsonObject, context: FlowToolContext) => unknown>>;

/** Creates tools from stand-ins. Each replaces the real tool with its name. */
export function standInTools(functions: StandIns, real: readonly FunctionTool[] = []): FunctionTool[] {
  const standIns = Object.entries(functions).map(([name, run]) =>
    toolOf({
      name,
      description: name,
      parameters: z.looseObject({}),
      execute: (input, context) => run(input as JsonObject, context), // Arguments of a call come from JSON.
    }),
  );
  return [...real.filter(({ name }) => !Object.hasOwn(functions, name)), ...standIns];
}
