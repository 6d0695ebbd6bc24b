import type { JsonObject } from '../../model/json.ts';
import type { FlowToolContext } from './flow-tool.ts';
import type { FunctionTool } from './function-tool.ts';

// Does not import LiveKit, so that checking names stays fast.

/** Runs a tool in a flow. `isWrite`: the call is a write by its document. */
export type FlowRun = (input: JsonObject, context: FlowToolContext, isWrite: boolean) => Promise<unknown>;

const flowRuns = new WeakMap<FunctionTool, FlowRun>();
const registry = new Map<string, FunctionTool>();

/** Stores the flow run of a tool. */
export function keepFlowRun(tool: FunctionTool, run: FlowRun): void {
  flowRuns.set(tool, run);
}

/** Returns the flow run of a tool created by `flowTool`; undefined for any other tool. */
export function flowRunOf(tool: FunctionTool): FlowRun | undefined {
  return flowRuns.get(tool);
}

/** Offers a tool to every flow of the process. */
export function registerTool(tool: FunctionTool): void {
  registry.set(tool.name, tool);
}

/** Returns the tools that `flowTool` has registered so far. */
export function registeredTools(): ReadonlyMap<string, FunctionTool> {
  return registry;
}
