import { llm } from '@livekit/agents';
import type { GraphFunction } from '../../flow/graph/graph.ts';
import type { Engine } from '../../engine/engine.ts';
import type { CallContext } from './run-function.ts';

/** The functions of a node as LiveKit tools. The same function is always the same tool object. */
export interface ViewTools {
  toolsFor(functions: readonly GraphFunction[]): llm.ToolContext;
  listFor(functions: readonly GraphFunction[]): readonly llm.FunctionTool[];
  /** Returns LiveKit's context of a call that it started. */
  contextOf(callId: string): CallContext | undefined;
}

/**
 * Wraps functions as LiveKit tools. The engine runs each call by its key; the tool waits for the batch to settle.
 * It returns an output only if something will be said after it, so that LiveKit requests no unneeded reply.
 */
export function createViewTools(engine: () => Engine): ViewTools {
  const tools = new WeakMap<GraphFunction, llm.FunctionTool>();
  const contexts = new Map<string, CallContext>();
  const wrap = (offered: GraphFunction): llm.FunctionTool => {
    const known = tools.get(offered);
    if (known !== undefined) return known;
    const tool = llm.tool({
      name: offered.name,
      description: offered.description === '' ? offered.name : offered.description,
      parameters: offered.parameters,
      execute: (_input: unknown, options: llm.ToolOptions) => settle(offered, options),
    }) as llm.FunctionTool;
    tools.set(offered, tool);
    return tool;
  };
  const settle = async (offered: GraphFunction, { ctx, toolCallId }: llm.ToolOptions): Promise<string | undefined> => {
    const { completion, outbox } = engine();
    if (completion === null || !completion.has(toolCallId))
      throw new llm.ToolError(`The step that offered ${offered.name} is over.`);
    contexts.set(toolCallId, ctx);
    completion.start(toolCallId);
    await completion.settled;
    contexts.delete(toolCallId);
    const output = engine().calls.outputOf(toolCallId);
    if (output?.isError === true && !completion.isSuperseded) throw new llm.ToolError(output.output);
    const saysMore = outbox.speaks() && !completion.isSuperseded;
    return saysMore ? (output?.output ?? '') : undefined;
  };
  return {
    toolsFor: (functions) => new llm.ToolContext(functions.map(wrap)),
    listFor: (functions) => functions.map(wrap),
    contextOf: (callId) => contexts.get(callId),
  };
}
