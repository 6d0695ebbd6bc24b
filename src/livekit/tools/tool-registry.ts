import type { JsonObject } from '../../events/json.ts';
import type { FlowToolContext } from './flow-tool.ts';
import type { FunctionTool } from './function-tool.ts';

// Without LiveKit, which whoever checks names need not wait for.

/** How a flow runs a tool that `flowTool` has made. */
export type FlowRun = (input: JsonObject, context: FlowToolContext) => Promise<unknown>;

const flowRuns = new WeakMap<FunctionTool, FlowRun>();
const registry = new Map<string, FunctionTool>();

/** Keeps how a flow runs a tool. */
export function keepFlowRun(tool: FunctionTool, run: FlowRun): void {
  flowRuns.set(tool, run);
}

/** How a flow runs a tool made by `flowTool`; undefined for any other tool. */
export function flowRunOf(tool: FunctionTool): FlowRun | undefined {
  return flowRuns.get(tool);
}

/** Offers a tool to every flow of the process. */
export function registerTool(tool: FunctionTool): void {
  registry.set(tool.name, tool);
}

/** The functions that `flowTool` has registered so far. */
export function registeredTools(): ReadonlyMap<string, FunctionTool> {
  return registry;
}
