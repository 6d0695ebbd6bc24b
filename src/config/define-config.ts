import type { AgentConfig } from './config.ts';

/**
 * Defines `agent.config.ts` with types. Throws nothing: reading the file checks it and throws `config-invalid`.
 *
 * @example
 * export default defineConfig({ flows: { intake: 'flows/intake.yaml' }, store: 'sqlite:./data/calls.db' });
 */
export function defineConfig(config: AgentConfig): AgentConfig {
  return config;
}

/**
 * Alias of `defineConfig`: an agent with a prompt, tools, commands, hooks and flows.
 *
 * @alias
 */
export const createAgent = defineConfig;
