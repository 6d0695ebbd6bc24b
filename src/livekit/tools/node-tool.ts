import { llm } from '@livekit/agents';
import type { EffectKey } from '../../model/effect.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import { functionNameOf } from '../../flow/document/function.ts';
import type { NodeTool } from '../../flow/graph/nodes/node-type.ts';
import { readArguments } from '../../engine/calls/arguments.ts';
import { boundedResult, cutNote } from '../../engine/calls/bounded-result.ts';
import { resultText } from '../../engine/calls/call-output.ts';
import { toJson } from '../../engine/calls/plain-json.ts';
import { defaultLimits } from '../../engine/limits.ts';
import { noFlow } from './flow-tool.ts';
import { declarationsOf, type FunctionTool, isWriting } from './function-tool.ts';
import { parsedArguments } from './parse-arguments.ts';
import { flowRunOf } from './tool-registry.ts';
import { unlessError, valueOf } from './next.ts';

/** Wraps a registered tool for a task's agent. There is no conversation, so a next node is ignored. */
export function nodeTool(tool: FunctionTool, sessionId: string): NodeTool {
  const write = isWriting(tool);
  const { description, parameters } = declarationsOf([tool]).get(tool.name) ?? { description: '', parameters: {} };
  return {
    name: functionNameOf(tool.name),
    description,
    parameters,
    writes: write,
    async execute(key, rawArguments, signal) {
      const read = readArguments({ body: 'tool', parameters, write }, rawArguments);
      if (!read.ok) return { ok: false, cancelled: false, error: read.error };
      try {
        return { ok: true, result: readable(toJson(await run(tool, read.value, key, sessionId, signal))) };
      } catch (error) {
        if (signal.aborted) return { ok: false, cancelled: true, error: 'It was cancelled.' };
        // Only the text of a ToolError is written for the model.
        const told = error instanceof llm.ToolError ? error.message : 'An internal error occurred.';
        return { ok: false, cancelled: false, error: told };
      }
    },
  };
}

/** Limits a result to what a model is shown. */
function readable(result: Json): Json {
  const { result: bounded, cutFrom } = boundedResult(result, defaultLimits.resultBytes);
  if (cutFrom !== undefined) return `${resultText(bounded)}\n${cutNote(cutFrom)}`;
  return bounded === null ? resultText(bounded) : bounded;
}

async function run(
  tool: FunctionTool,
  input: JsonObject,
  key: EffectKey,
  sessionId: string,
  signal: AbortSignal,
): Promise<unknown> {
  const flowRun = flowRunOf(tool);
  if (flowRun !== undefined) {
    return valueOf(await flowRun(input, { key, attempt: 1, signal, sessionId, ...noFlow }, isWriting(tool)));
  }
  // FunctionTool hides the type of its arguments; they were parsed by its own schema.
  const parsed = await parsedArguments(tool, input);
  return valueOf(unlessError(await tool.execute(parsed as never, { toolCallId: key, abortSignal: signal } as never)));
}
