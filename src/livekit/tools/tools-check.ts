import type { InputOf, NodeIdOf, RequiredInputOf, ToolNameOf } from './flow-names.ts';
import type { FunctionTool } from './function-tool.ts';
import type { NextOf } from './flow-tool.ts';

// Checks between options, as types. Each is `unknown` if its options fit, else the option as it should be. A message of the
// compiler then quotes it, so it is worded for a reader.

/** Requires an input that a flow cannot start without. */
export type InputCheck<Flow> = [RequiredInputOf<Flow>] extends [never] ? unknown : { readonly input: InputOf<Flow> };

/** Requires every tool that the flows call, and that each tool leads to nodes of the flows. */
export type ToolsCheck<Flows, Tools extends readonly FunctionTool[]> = [Missing<Flows, Tools>] extends [never]
  ? [Astray<Flows, Tools>] extends [never]
    ? unknown
    : { readonly tools: `no flow has the node "${Astray<Flows, Tools>}" that a tool returns by next()` }
  : { readonly tools: `the flow calls the function "${Missing<Flows, Tools>}": add a tool of this name to tools` };

/** Names of tools that are not listed; none if the names of the listed tools are unknown. */
type Missing<Flows, Tools extends readonly FunctionTool[]> = string extends Tools[number]['name']
  ? never
  : Exclude<ToolNameOf<Flows>, Tools[number]['name']>;

/** Nodes that a tool chooses and no flow has. */
type Astray<Flows, Tools extends readonly FunctionTool[]> =
  string extends NodeIdOf<Flows> ? never : Exclude<Extract<NextOf<Tools[number]>, string>, NodeIdOf<Flows> | '$return'>;
