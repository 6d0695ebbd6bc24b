// `@roomflow/claude`: the node type `claude.agent`, as a node pack and as a function with options.
import { createClaudeAgent } from './claude-agent.ts';

export { createClaudeAgent } from './claude-agent.ts';
export type { ClaudeAgentOptions } from './claude-agent.ts';
export type { ClaudeQuery } from './sdk.ts';

/** The node pack: `nodePacks: ['@roomflow/claude']` of `agent.config.ts` allows it. */
export default [createClaudeAgent()];
