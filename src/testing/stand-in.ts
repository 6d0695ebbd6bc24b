import { z } from 'zod';
import type { JsonObject } from '../model/json.ts';
import { type FlowToolContext, flowTool } from '../livekit/tools/flow-tool.ts';
import type { FunctionTool } from '../livekit/tools/function-tool.ts';

/** Functions in place of a flow's own, by name; they take whatever arguments the flow declares. */
export type StandIns = Readonly<Record<string, (input: JsonObject, context: FlowToolContext) => unknown>>;

/** Makes tools of stand-ins, each in the place of the real one of its name. */
export function standInTools(functions: StandIns, real: readonly FunctionTool[] = []): FunctionTool[] {
  const standIns = Object.entries(functions).map(([name, run]) =>
    flowTool({
      name,
      description: name,
      parameters: z.looseObject({}),
      execute: (input, context) => run(input as JsonObject, context), // Arguments of a call come from JSON.
    }),
  );
  return [...real.filter(({ name }) => !Object.hasOwn(functions, name)), ...standIns];
}
