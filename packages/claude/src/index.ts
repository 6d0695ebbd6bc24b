// `@roomflow/claude`: the node type `claude.agent`, as a node pack and as a function for a session of one's own.
import { createClaudeAgent } from './claude-agent.ts';

export { createClaudeAgent } from './claude-agent.ts';
export type { ClaudeAgentOptions } from './claude-agent.ts';
export type { ClaudeQuery } from './sdk.ts';

/** The node pack: `nodePacks: ['@roomflow/claude']` of `agent.config.ts` allows it. */
export default [createClaudeAgent()];
