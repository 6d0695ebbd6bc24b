import type { FunctionTool } from '../livekit/tools/function-tool.ts';
import type { ToolsCheck } from '../livekit/tools/tools-check.ts';
import type { AgentConfig } from './config.ts';

type Flows = NonNullable<AgentConfig['flows']>;

/** A configuration whose flows, names of flows and tools are known to the compiler. */
interface ConfigOf<
  Named extends Flows,
  Initial extends string,
  Fallback extends string,
  Tools extends readonly FunctionTool[],
> extends Omit<AgentConfig, 'flows' | 'initialFlow' | 'fallback' | 'tools'> {
  flows?: Named | undefined;
  initialFlow?: Initial | undefined;
  fallback?: Fallback | undefined;
  tools?: Tools | undefined;
}

/** Requires that a name which is written in place is the name of a flow. Names of another configuration are any text. */
type NameCheck<Key extends string, Name extends string, Names> = string extends Name
  ? unknown
  : [Name] extends [Names]
    ? unknown
    : { readonly [At in Key]: Names };

/**
 * Defines `agent.config.ts` with types: `initialFlow` and `fallback` name flows, and `tools` has every function that a flow
 * of `defineFlow` calls. Throws nothing: reading the file checks it and throws `config-invalid`.
 *
 * @example
 * export default defineConfig({ flows: { intake: 'flows/intake.yaml' }, store: 'sqlite:./data/calls.db' });
 */
export function defineConfig<
  const Named extends Flows = never,
  const Initial extends string = never,
  const Fallback extends string = never,
  const Tools extends readonly FunctionTool[] = readonly [],
  Servers extends AgentConfig['mcp'] = undefined,
>(
  config: { mcp?: Servers } & ConfigOf<Named, Initial, Fallback, Tools> &
    NameCheck<'initialFlow', Initial, keyof Named> &
    NameCheck<'fallback', Fallback, keyof Named> &
    // The compiler does not know the tools of an MCP server.
    ([Servers] extends [undefined] ? ToolsCheck<Named[keyof Named], Tools> : unknown),
): AgentConfig {
  return config as AgentConfig; // A list that cannot be changed is read like any other.
}

/**
 * Alias of `defineConfig`: an agent with a prompt, tools, commands, hooks and flows.
 *
 * @alias
 */
export const createAgent = defineConfig;
