import type { Json, JsonObject } from '../../../model/json.ts';
import { type FunctionTool, markWriting } from '../function-tool.ts';
import { keepFlowRun } from '../tool-registry.ts';
import type { ListedTool } from './listed-tools.ts';
import { valueOfResult } from './mcp-result.ts';
import type { ServerConnection } from './server-connection.ts';

/**
 * Creates the function `SERVER.TOOL` from a listed tool. It keeps the declaration of this moment: a conversation
 * validates arguments and results against the schemas that it began with.
 */
export function mcpTool(server: ServerConnection, listed: ListedTool): FunctionTool {
  const call = async (input: JsonObject, key: string | null, signal: AbortSignal): Promise<Json> =>
    valueOfResult(await server.call(listed.name, input, { key, signal }), listed.output);
  const tool: FunctionTool = {
    name: `${server.name}.${listed.name}`,
    description: listed.description,
    parameters: listed.parameters,
    async execute(input: JsonObject, { toolCallId, abortSignal }: CallOptions) {
      const signal = abortSignal ?? new AbortController().signal;
      return await call(input, listed.isReadOnly ? null : toolCallId, signal);
    },
  };
  keepFlowRun(tool, (input, { key, signal }, isWrite) => call(input, isWrite ? key : null, signal));
  // The hint may be wrong, so a document's `effect` takes precedence; without a hint the careful rules apply.
  if (!listed.isReadOnly) markWriting(tool);
  return tool;
}

interface CallOptions {
  readonly toolCallId: string;
  readonly abortSignal?: AbortSignal;
}
