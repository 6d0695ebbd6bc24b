import type { AgentConfig } from './config.ts';

/**
 * Writes `agent.config.ts` with types. Throws nothing: it is checked when it is read, which throws `config-invalid`.
 *
 * @example
 * export default defineConfig({ flows: { intake: 'flows/intake.yaml' }, store: 'sqlite:./data/calls.db' });
 */
export function defineConfig(config: AgentConfig): AgentConfig {
  return config;
}

/**
 * Another name for `defineConfig`: an agent of a prompt, tools, commands, hooks and flows.
 *
 * @alias
 */
export const createAgent = defineConfig;
